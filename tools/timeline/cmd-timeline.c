/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "trace/outfile.h"
#include "timeline.h"
#include "report/why/path.h"
#include "base/util.h"
#include "report/query.h"
#include "trace/window.h"

/* With more, a browser is slow to open the page. */
#define RUNS_MANY 5000000

static const struct format {
	const char *name;
	int (*write)(FILE *out, struct timeline *tl, const struct loaded *l);
} formats[] = {
	{"html", timeline_html},
	{"perfetto", timeline_perfetto},
};

struct timeline_args {
	bool help, force, path;
	const char *output, *begin, *end, *container;
	int task; /* 0: not given */
	const struct format *format;
	char **traces;
	size_t nr_traces;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers timeline [OPTIONS] TRACE... -o FILE\n\n"
	      "Writes a page that shows what ran on each CPU, and when the tasks of each\n"
	      "container ran, waited for a CPU and were blocked. It is one file that any browser\n"
	      "opens and that needs no network: zoom with Ctrl and the wheel, move by dragging,\n"
	      "press ? for all keys.\n\n"
	      "Options:\n"
	      "  -o, --output FILE  where to write it; - is standard output\n"
	      "  --force            replace FILE if it is there already\n"
	      "  --format FORMAT    html; or perfetto, for ui.perfetto.dev and others that open\n"
	      "                     trace events in JSON\n"
	      "  --begin TIME       leave out what was before: HH:MM:SS.nnn in local time,\n"
	      "                     seconds since the epoch, or +SECONDS from the trace's begin\n"
	      "  --end TIME         leave out what was after\n"
	      "  --path             with the critical path of one thread, as arrows (see why "
	      "--path)\n"
	      "  --container C      only rows of that container and those in it; with --path\n"
	      "                     instead: the path of a thread in it, and all rows\n"
	      "  --task TID         with --path: of this thread, by its id on the host\n"
	      "  -h, --help         show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers timeline ~/lttng-traces/my-session -o my-session.html\n",
	      out);
}

static int set_format(struct timeline_args *a, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name))
			a->format = &formats[i];
	return a->format ? 0
			 : argument_error("There is no such format; give html or perfetto.",
					  "format", name);
}

static int set_task(struct timeline_args *a)
{
	uint64_t tid;

	if (number_option("A thread id is a number from 1 on.", "task", optarg, 1, INT32_MAX, &tid))
		return -1;
	a->task = (int)tid;
	return 0;
}

static int parse_option(void *args, int c)
{
	struct timeline_args *a = args;

	switch (c) {
	case 'o':
		a->output = optarg;
		break;
	case 'F':
		a->force = true;
		break;
	case 'f':
		a->format = NULL;
		return set_format(a, optarg);
	case 'b':
		return window_option(&a->begin, "begin", optarg);
	case 'e':
		return window_option(&a->end, "end", optarg);
	case 'p':
		a->path = true;
		break;
	case 'c':
		a->container = optarg;
		break;
	case 'T':
		return set_task(a);
	case 'h':
		a->help = true;
		break;
	}
	return 0;
}

static int parse(struct timeline_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{"force", no_argument, NULL, 'F'},
		{"format", required_argument, NULL, 'f'},
		{"begin", required_argument, NULL, 'b'},
		{"end", required_argument, NULL, 'e'},
		{"path", no_argument, NULL, 'p'},
		{"container", required_argument, NULL, 'c'},
		{"task", required_argument, NULL, 'T'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};

	a->format = &formats[0];
	if (options_parse(argc, argv, ":ho:", options, parse_option, a))
		return -1;
	if (a->help)
		return 0;
	if (query_traces(&a->traces, &a->nr_traces, argc, argv))
		return -1;
	if (a->task && !a->path)
		return error("--task says whose path is to be shown; give --path, too.");
	if (!a->output || !*a->output)
		return error("The output is missing; give -o FILE.html.");
	return 0;
}

/* A page without anything on it would look like an answer. */
static int check_content(const struct timeline_args *a, const struct timeline *tl,
			 const struct loaded *l)
{
	if (load_check_time(l, "begin", a->begin) || load_check_time(l, "end", a->end))
		return -1;
	if ((a->begin || a->end) && tl->begin >= tl->end)
		return error("No time of the trace is left; give an earlier --begin or a later"
			     " --end. begin=%s end=%s",
			     a->begin ? a->begin : "-", a->end ? a->end : "-");
	if (!tl->nr_runs)
		return error("The trace does not tell who ran; record sched_switch.");
	if (tl->nr_runs > RUNS_MANY && a->format == &formats[0])
		note("The page is large and will open slowly; show less with --begin and --end,"
		     " or use --format perfetto. runs=%llu",
		     (unsigned long long)tl->nr_runs);
	return 0;
}

static bool is_stdout(const struct timeline_args *a)
{
	return !strcmp(a->output, "-");
}

static int write_output(const struct timeline_args *a, struct timeline *tl, const struct loaded *l)
{
	struct access readers = access_of(&l->reader);
	struct outfile f;

	if (is_stdout(a))
		return a->format->write(stdout, tl, l);
	if (outfile_open(&f, a->output, a->force, &readers))
		return -1;
	if (a->format->write(f.out, tl, l)) {
		outfile_drop(&f);
		return -1;
	}
	return outfile_finish(&f);
}

static int read_traces(const struct timeline_args *a, struct timeline *tl, struct loaded *l)
{
	struct load_options opt = {0};

	tl->begin_text = a->begin;
	tl->end_text = a->end;
	tl->wants_wakeups = a->format->write == timeline_perfetto;
	if ((!is_stdout(a) && outfile_check(a->output, a->force)) || timeline_start(tl, &opt))
		return -1;
	if (load(l, a->traces, a->nr_traces, &opt))
		return timeline_is_full(tl)
			       ? error("The temporary file cannot be written; make room in"
				       " /tmp. reason=%s",
				       strerror(errno))
			       : -1;
	return timeline_finish(tl, l);
}

static int take_path(const struct timeline_args *a, struct timeline *tl, const struct loaded *l)
{
	const struct path_wanted wanted = {
		.container = a->container,
		.tid = a->task,
		.window = {a->begin, a->end},
		.traces = a->traces,
		.nr_traces = a->nr_traces,
	};
	struct path p = {0};
	int ret = 0;

	if (!a->path)
		return 0;
	ret = path_find(&p, &wanted);
	if (!ret)
		timeline_take_path(tl, l, &p);
	path_free(&p);
	return ret;
}

/* A path goes through other containers, whose rows are needed then. */
static int select_rows(const struct timeline_args *a, struct timeline *tl, const struct loaded *l,
		       struct selection *selection)
{
	if (!a->container || a->path)
		return 0;
	tl->selection = selection;
	return selection_containers(selection, l, a->container, 0);
}

static int timeline(const struct timeline_args *a)
{
	struct timeline tl = {0};
	struct loaded l = {0};
	struct selection selection = {0};
	int status = EXIT_TROUBLE;

	if (!read_traces(a, &tl, &l) && !check_content(a, &tl, &l) && !take_path(a, &tl, &l) &&
	    !select_rows(a, &tl, &l, &selection) && !write_output(a, &tl, &l))
		status = EXIT_FINE;
	selection_free(&selection);
	timeline_free_path(&tl);
	timeline_free(&tl);
	loaded_free(&l);
	return status;
}

int cmd_timeline(int argc, char **argv)
{
	struct timeline_args a = {0};

	if (parse(&a, argc, argv))
		return usage_error("timeline");
	if (!a.help)
		return timeline(&a);
	help(stdout);
	return EXIT_FINE;
}
