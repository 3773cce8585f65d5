/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "query.h"
#include "trace/outfile.h"
#include "base/text.h"
#include "base/util.h"

#define WORST_MAX   100000
#define WINDOWS_MAX 1000

enum what {
	AFTER,
	AGAINST,
	ALL,
	AT,
	BEFORE,
	BEGIN,
	BY,
	CONTAINER,
	CPUS,
	END,
	EVENTS,
	EVERY,
	FORCE,
	FORMAT,
	HELP,
	HISTOGRAM,
	JSON,
	LIVE,
	NAME,
	OFF_CPU,
	OUTPUT,
	PATH,
	TASK,
	TID,
	UST,
	VTID,
	WAKEUP,
	WINDOWS,
	WORST,
	NR
};

/* Above all letters, which getopt_long() would take for short options. */
#define FIRST 256

static const struct option known[NR] = {
	[AFTER] = {"after", required_argument, NULL, FIRST + AFTER},
	[AGAINST] = {"against", required_argument, NULL, FIRST + AGAINST},
	[ALL] = {"all", no_argument, NULL, FIRST + ALL},
	[AT] = {"at", required_argument, NULL, FIRST + AT},
	[BEFORE] = {"before", required_argument, NULL, FIRST + BEFORE},
	[BEGIN] = {"begin", required_argument, NULL, FIRST + BEGIN},
	[BY] = {"by", required_argument, NULL, FIRST + BY},
	[CONTAINER] = {"container", required_argument, NULL, FIRST + CONTAINER},
	[CPUS] = {"cpus", no_argument, NULL, FIRST + CPUS},
	[END] = {"end", required_argument, NULL, FIRST + END},
	[EVENTS] = {"events", no_argument, NULL, FIRST + EVENTS},
	[EVERY] = {"every", required_argument, NULL, FIRST + EVERY},
	[FORCE] = {"force", no_argument, NULL, FIRST + FORCE},
	[FORMAT] = {"format", required_argument, NULL, FIRST + FORMAT},
	[HELP] = {"help", no_argument, NULL, 'h'},
	[HISTOGRAM] = {"histogram", no_argument, NULL, FIRST + HISTOGRAM},
	[JSON] = {"json", no_argument, NULL, FIRST + JSON},
	[LIVE] = {"live", required_argument, NULL, FIRST + LIVE},
	[NAME] = {"name", required_argument, NULL, FIRST + NAME},
	[OFF_CPU] = {"off-cpu", no_argument, NULL, FIRST + OFF_CPU},
	[OUTPUT] = {"output", required_argument, NULL, 'o'},
	[PATH] = {"path", no_argument, NULL, FIRST + PATH},
	[TASK] = {"task", required_argument, NULL, FIRST + TASK},
	[TID] = {"tid", required_argument, NULL, FIRST + TID},
	[UST] = {"ust", no_argument, NULL, FIRST + UST},
	[VTID] = {"vtid", required_argument, NULL, FIRST + VTID},
	[WAKEUP] = {"wakeup", no_argument, NULL, FIRST + WAKEUP},
	[WINDOWS] = {"windows", required_argument, NULL, FIRST + WINDOWS},
	[WORST] = {"worst", required_argument, NULL, FIRST + WORST},
};

static bool is_in(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (*list) {
		size_t this = strcspn(list, " ");

		if (this == len && !strncmp(list, word, len))
			return true;
		list += this + (list[this] == ' ');
	}
	return false;
}

static int parse_id(const char *option, int64_t *id)
{
	uint64_t n;

	if (number_option("A thread id is a number from 1 on.", option, optarg, 1, INT_MAX, &n))
		return -1;
	*id = (int64_t)n;
	return 0;
}

static int set_at(struct query *q)
{
	if (!time_looks_valid(optarg))
		return argument_error("The time of --at cannot be understood; give HH:MM:SS.nnn,"
				      " seconds since the epoch, or +SECONDS from the begin.",
				      "at", optarg);
	q->at = optarg;
	return 0;
}

static int set_every(struct query *q)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	char *end;
	double n = strtod(optarg, &end);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units) && end != optarg && *optarg >= '0' && *optarg <= '9'; i++)
		if (!strcmp(end, units[i].name) && n * units[i].ns >= 1 && n * units[i].ns < 1e18) {
			q->every = (uint64_t)(n * units[i].ns + 0.5);
			return 0;
		}
	return argument_error("The length of intervals cannot be understood; give a number with"
			      " ns, us, ms or s, as 100ms.",
			      "every", optarg);
}

static int set_worst(struct query *q)
{
	uint64_t n;

	if (number_option("The number of waits cannot be understood; give one from 0 to 100000.",
			  "worst", optarg, 0, WORST_MAX, &n))
		return -1;
	q->nr_worst = n;
	return 0;
}

static int set_windows(struct query *q)
{
	uint64_t n;

	if (number_option("The number of windows cannot be understood; give one from 2 to 1000.",
			  "windows", optarg, 2, WINDOWS_MAX, &n))
		return -1;
	q->nr_windows = n;
	return 0;
}

/* BEGIN..END, either of which may be missing. */
static int set_part(const char *option, struct window *part)
{
	char *dots = strstr(optarg, "..");

	if (!dots || !strcmp(optarg, ".."))
		return argument_error("A part of a recording is BEGIN..END, as +10..+20.", option,
				      optarg);
	*dots = '\0';
	*part = (struct window){0};
	if (dots > optarg && window_option(&part->begin, option, optarg))
		return -1;
	return dots[2] ? window_option(&part->end, option, dots + 2) : 0;
}

static int set_text(const char *option, const char **to)
{
	if (!*optarg)
		return argument_error("The option's value is empty.", "option", option);
	*to = optarg;
	return 0;
}

static int set_format(struct query *q)
{
	const char *formats = q->question->formats;

	if (!formats)
		return table_format(&q->format, optarg);
	q->form = optarg;
	if (*optarg && is_in(formats, optarg))
		return 0;
	return argument_error(q->question->wrong_format, "format", optarg);
}

static int set_flag(struct query *q, enum what what)
{
	bool *const flags[NR] = {
		[ALL] = &q->all,	 [CPUS] = &q->cpus,	      [EVENTS] = &q->events,
		[HELP] = &q->help,	 [HISTOGRAM] = &q->histogram, [JSON] = &q->json,
		[OFF_CPU] = &q->off_cpu, [PATH] = &q->path,	      [UST] = &q->ust,
		[FORCE] = &q->force,	 [WAKEUP] = &q->wakeup,
	};

	*flags[what] = true;
	return 0;
}

static int set(void *args, int c)
{
	struct query *q = args;
	enum what what = c == 'h' ? HELP : c == 'o' ? OUTPUT : (enum what)(c - FIRST);

	switch (what) {
	case AGAINST:
		return set_text("--against", &q->against);
	case AT:
		return set_at(q);
	case AFTER:
		return set_part("after", &q->after);
	case BEFORE:
		return set_part("before", &q->before);
	case BEGIN:
		return window_option(&q->window.begin, "begin", optarg);
	case BY:
		return set_text("--by", &q->by);
	case CONTAINER:
		return set_text("--container", &q->container);
	case END:
		return window_option(&q->window.end, "end", optarg);
	case EVERY:
		return set_every(q);
	case FORMAT:
		return set_format(q);
	case LIVE:
		q->live = optarg;
		return 0;
	case NAME:
		return set_text("--name", &q->name);
	case OUTPUT:
		return set_text("--output", &q->output);
	case TASK:
		return parse_id("task", &q->task);
	case TID:
		return parse_id("tid", &q->tid);
	case VTID:
		return parse_id("vtid", &q->vtid);
	case WINDOWS:
		return set_windows(q);
	case WORST:
		return set_worst(q);
	default:
		return set_flag(q, what);
	}
}

int query_traces(char ***traces, size_t *nr, int argc, char **argv)
{
	*traces = argv + optind;
	*nr = (size_t)(argc - optind);
	return *nr ? 0 : error("A trace is missing; give the directory that lttng wrote.");
}

static int parse(struct query *q, int argc, char **argv)
{
	const struct question *what = q->question;
	struct option options[NR + 1] = {0};
	size_t i, nr = 0;

	for (i = 0; i < NR; i++)
		if (i == HELP || is_in(what->options, known[i].name))
			options[nr++] = known[i];
	if (options_parse(argc, argv, is_in(what->options, "output") ? ":ho:" : ":h", options, set,
			  q))
		return -1;
	if (q->help)
		return 0;
	q->nr_traces = (size_t)(argc - optind);
	q->traces = argv + optind;
	if (!q->live && query_traces(&q->traces, &q->nr_traces, argc, argv))
		return -1;
	if (q->format && q->json)
		return error("--format does not go with --json.");
	return what->check ? what->check(q) : 0;
}

bool query_parse(struct query *q, const struct question *question, int argc, char **argv,
		 int *status)
{
	*q = (struct query){.question = question,
			    .nr_worst = question->nr_worst,
			    .task = -1,
			    .tid = -1,
			    .vtid = -1};
	if (parse(q, argc, argv)) {
		*status = usage_error(question->command);
		return false;
	}
	if (!q->help)
		return true;
	question->help(stdout);
	*status = EXIT_FINE;
	return false;
}

int query_check_by(const struct query *q)
{
	if (q->by && strcmp(q->by, "container") && strcmp(q->by, "task"))
		return argument_error("--by takes container or task.", "by", q->by);
	return 0;
}

bool query_is_by_task(const struct query *q)
{
	return q->by && !strcmp(q->by, "task");
}

int query_missing_event(const struct host *h, const char *what, const char *event,
			const char *remedy)
{
	char *path = text_escape(h->trace->path);

	error("%s trace=%s missing_event=%s remedy=\"%s\"", what, path, event, remedy);
	free(path);
	return -1;
}

int query_check_sched(const struct host *h)
{
	const char *missing = !h->offers[EV_SWITCH]			       ? "sched_switch"
			      : !h->offers[EV_WAKING] && !h->offers[EV_WAKEUP] ? "sched_wakeup"
									       : NULL;

	return missing ? query_missing_event(
				 h,
				 "The trace does not record when tasks could run and did; enable"
				 " the missing event.",
				 missing, "lttng enable-event -k 'sched_*'")
		       : 0;
}

static void on_begin(void *ctx, struct host *h)
{
	const struct query *q = ctx;
	uint64_t from, to;

	window_fix(&q->window, h, &from, &to);
	q->question->limit(h, from, to);
}

/* Which containers are meant, once all is known of them. */
static int choose(const struct query *q, struct loaded *l, struct selection *selection)
{
	if (!q->container)
		return 0;
	return selection_containers(selection, l, q->container,
				    q->at ? l->hosts[0]->model->attributes_until : 0);
}

static bool is_stdout(const struct query *q)
{
	return !q->output || !strcmp(q->output, "-");
}

static int show_on_stdout(const struct query *q, struct loaded *l,
			  const struct selection *selection)
{
	struct report report;
	int status;

	if (q->question->flows) {
		status = q->question->show(stdout, l, q, selection);
		return report_flush() ? EXIT_TROUBLE : status;
	}
	report_open(&report);
	status = q->question->show(report.out, l, q, selection);
	return report_show(&report) ? EXIT_TROUBLE : status;
}

static int show_in_file(const struct query *q, struct loaded *l, const struct selection *selection)
{
	struct access readers = access_of(&l->reader);
	struct outfile f;
	int status;

	if (outfile_open(&f, q->output, q->force, &readers))
		return EXIT_TROUBLE;
	status = q->question->show(f.out, l, q, selection);
	if (status == EXIT_TROUBLE)
		outfile_drop(&f);
	else if (outfile_finish(&f))
		status = EXIT_TROUBLE;
	return status;
}

/* Returns 0, or -1 after an error was printed. */
static int read_traces(struct query *q, char *const *traces, size_t nr, struct loaded *l)
{
	const struct question *what = q->question;
	size_t i;

	q->load = what->load;
	q->load.at = q->at;
	q->load.on_begin = what->limit ? on_begin : NULL;
	q->load.ctx = q;
	if (load(l, traces, nr, &q->load))
		return -1;
	for (i = 0; what->finish && i < l->nr_hosts; i++)
		if (what->finish(l->hosts[i]))
			return -1;
	if (load_check_moment(l) || (what->limit && window_check(&q->window, l)))
		return -1;
	return what->check_hosts ? what->check_hosts(q, l) : 0;
}

void query_drop(const struct query *q, struct loaded *l, struct selection *selection)
{
	size_t i;

	for (i = 0; q->question->free && i < l->nr_hosts; i++)
		q->question->free(l->hosts[i]);
	selection_free(selection);
	loaded_free(l);
}

int query_read_against(struct query *q, struct loaded *l, struct selection *selection, bool *there)
{
	const struct window window = q->window;
	char *trace = xstrdup(q->against);
	int ret, found = 1;

	q->window = q->before;
	ret = read_traces(q, &trace, 1, l);
	q->window = window;
	if (!ret && q->container)
		found = selection_find(selection, l, q->container, 0);
	*there = found > 0;
	free(trace);
	return ret || found < 0 ? -1 : 0;
}

int query_answer(struct query *q)
{
	struct loaded l = {0};
	struct selection selection = {0};
	int status = EXIT_TROUBLE;

	if ((is_stdout(q) || !outfile_check(q->output, q->force)) &&
	    !read_traces(q, q->traces, q->nr_traces, &l) && !choose(q, &l, &selection))
		status = (is_stdout(q) ? show_on_stdout
				       : show_in_file)(q, &l, q->container ? &selection : NULL);
	query_drop(q, &l, &selection);
	return status;
}

int query_run(const struct question *question, int argc, char **argv)
{
	struct query q;
	int status;

	return query_parse(&q, question, argc, argv, &status) ? query_answer(&q) : status;
}
