/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "report-why.h"
#include "base/text.h"
#include "base/util.h"
#include "trace/window.h"

#define WORST_MAX 100000

struct why_args {
	bool json, help, by_task;
	const char *container; /* NULL: all */
	size_t nr_worst;
	struct window window;
	char **traces;
	size_t nr_traces;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers why [OPTIONS] TRACE...\n\n"
	      "Shows what the time of each container's threads went by for, all of it: they ran,\n"
	      "waited for a CPU and who had it, for other containers and what those did "
	      "meanwhile,\n"
	      "for disks, memory, the network, a timer, a signal, or it is unknown and why; and "
	      "the\n"
	      "longest waits. Best with a trace of lttng-containers record --why. Needs\n"
	      "sched_switch and sched_waking.\n\n"
	      "Options:\n"
	      "  --container C  only of this container and those inside of it: its name, its id "
	      "or\n"
	      "                 the begin of it, or the inode of its PID namespace\n"
	      "  --by WHAT      container (unless given), or task: each thread by itself\n"
	      "  --begin TIME   only their time from that moment on: HH:MM:SS.nnn in local time,\n"
	      "                 seconds since the epoch, or +SECONDS from the begin\n"
	      "  --end TIME     only their time up to that moment\n"
	      "  --worst N      show the N longest waits (5 unless given)\n"
	      "  --json         print the report as JSON\n"
	      "  -h, --help     show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers why ~/lttng-traces/my-session --container web\n",
	      out);
}

static int parse_by(struct why_args *a)
{
	if (strcmp(optarg, "container") && strcmp(optarg, "task"))
		return argument_error("Give container or task.", "by", optarg);
	a->by_task = *optarg == 't';
	return 0;
}

static int parse_worst(struct why_args *a)
{
	char *end;
	unsigned long n = strtoul(optarg, &end, 10);

	if (*optarg < '0' || *optarg > '9' || *end || n > WORST_MAX)
		return argument_error("The number of waits cannot be understood; give one from 0"
				      " to 100000.",
				      "worst", optarg);
	a->nr_worst = n;
	return 0;
}

static int parse_option(void *args, int c)
{
	struct why_args *a = args;

	switch (c) {
	case 'c':
		a->container = optarg;
		break;
	case 'b':
		return parse_by(a);
	case 'f':
		return window_option(&a->window.begin, "begin", optarg);
	case 't':
		return window_option(&a->window.end, "end", optarg);
	case 'w':
		return parse_worst(a);
	case 'j':
		a->json = true;
		break;
	case 'h':
		a->help = true;
		break;
	}
	return 0;
}

static int parse(struct why_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"container", required_argument, NULL, 'c'},
		{"by", required_argument, NULL, 'b'},
		{"begin", required_argument, NULL, 'f'},
		{"end", required_argument, NULL, 't'},
		{"worst", required_argument, NULL, 'w'},
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};

	if (options_parse(argc, argv, ":h", options, parse_option, a))
		return -1;
	a->traces = argv + optind;
	a->nr_traces = (size_t)(argc - optind);
	if (!a->nr_traces && !a->help)
		return error("A trace is missing; give the directory that lttng wrote.");
	return 0;
}

/* Without them there would be a report of nothing that looks like an answer. */
static int check_events(const struct host *h)
{
	const char *missing = !h->offers[EV_SWITCH]			       ? "sched_switch"
			      : !h->offers[EV_WAKING] && !h->offers[EV_WAKEUP] ? "sched_wakeup"
									       : NULL;
	char *path;

	if (!missing)
		return 0;
	path = text_escape(h->trace->path);
	error("The trace does not record when tasks could run and did; enable the missing event."
	      " trace=%s missing_event=%s remedy=\"lttng enable-event -k 'sched_*'\"",
	      path, missing);
	free(path);
	return -1;
}

static int on_host(void *ctx, struct host *h)
{
	const struct why_args *a = ctx;

	if (check_events(h))
		return -1;
	h->user = why_new(h, &(struct why_options){a->by_task, a->nr_worst});
	return 0;
}

/* The first event tells when the trace begins. */
static void before_event(void *ctx, struct host *h, uint64_t ns)
{
	const struct why_args *a = ctx;
	uint64_t from, to;

	(void)ns;
	if (!a->window.begin && !a->window.end)
		return;
	window_fix(&a->window, h, &from, &to);
	why_limit(h->user, from, to);
}

static void on_run(void *ctx, const struct run *run)
{
	why_run(((struct host *)ctx)->user, run);
}

static const struct sched_callbacks runs = {.on_run = on_run};

static int after_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)ctx;
	why_event(h->user, ev);
	return 0;
}

static void on_loss(void *ctx, struct host *h, const struct loss *loss)
{
	(void)ctx;
	why_loss(h->user, loss);
}

static int show(const struct why_args *a, struct loaded *l, struct pick *pick)
{
	const struct why_report_options opt = {
		.pick = a->container ? pick : NULL,
		.nr_worst = a->nr_worst,
		.by_task = a->by_task,
	};
	struct report report;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		why_finish(l->hosts[i]->user, l->hosts[i]->last);
		if (why_is_too_long(l->hosts[i]->user)) {
			error_too_long();
			return EXIT_TROUBLE;
		}
	}
	if (window_check(&a->window, l))
		return EXIT_TROUBLE;
	if ((a->container && pick_containers(pick, l, a->container, 0)) || report_open(&report))
		return EXIT_TROUBLE;
	(a->json ? report_why_json : report_why_text)(report.out, l, &opt);
	return report_show(&report) ? EXIT_TROUBLE : EXIT_FINE;
}

static int explain(struct why_args *a)
{
	const struct load_options opt = {
		.model.keep_dead = true,
		.on_host = on_host,
		.before_event = before_event,
		.sched = &runs,
		.after_event = after_event,
		.on_loss = on_loss,
		.wants = why_wants(),
		.ctx = a,
	};
	struct loaded l = {0};
	struct pick pick = {0};
	int status = EXIT_TROUBLE;
	size_t i;

	if (!load(&l, a->traces, a->nr_traces, &opt))
		status = show(a, &l, &pick);
	for (i = 0; i < l.nr_hosts; i++)
		why_free(l.hosts[i]->user);
	pick_free(&pick);
	loaded_free(&l);
	return status;
}

int cmd_why(int argc, char **argv)
{
	struct why_args a = {.nr_worst = 5};

	if (parse(&a, argc, argv))
		return usage_error("why");
	if (!a.help)
		return explain(&a);
	help(stdout);
	return EXIT_FINE;
}
