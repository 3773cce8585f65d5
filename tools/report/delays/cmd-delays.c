/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/command.h"
#include "report-delays.h"
#include "base/text.h"
#include "base/util.h"
#include "trace/window.h"

#define WORST_MAX 100000

struct delays_args {
	bool json, help;
	enum table_format format;
	const char *container; /* NULL: all */
	size_t nr_worst;
	struct window window;
	char **traces;
	size_t nr_traces;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers delays [OPTIONS] TRACE...\n\n"
	      "Shows how long runnable tasks of each container waited for a CPU (their scheduling\n"
	      "latency), and who had that CPU meanwhile: the container itself, another one, the\n"
	      "host, interrupts, or nobody; and the longest waits. Needs sched_switch,\n"
	      "sched_waking, sched_wakeup, sched_wakeup_new and sched_migrate_task; irq_handler_*\n"
	      "and irq_softirq_* tell of interrupts.\n\n"
	      "Options:\n"
	      "  --container C  only what this container and those inside of it waited: its name,\n"
	      "                 its id or the begin of it, or the inode of its PID namespace\n"
	      "  --begin TIME   only what they waited from that moment on: HH:MM:SS.nnn in local\n"
	      "                 time, seconds since the epoch, or +SECONDS from the begin\n"
	      "  --end TIME     only what they waited up to that moment\n"
	      "  --worst N      show the N longest waits (10 unless given)\n"
	      "  --json         print the report as JSON\n"
	      "  --format F     print flat rows, one for each who waited and who had the CPU:\n"
	      "                 jsonl or csv\n"
	      "  -h, --help     show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers delays ~/lttng-traces/my-session --container web\n",
	      out);
}

static int parse_worst(struct delays_args *a)
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
	struct delays_args *a = args;

	switch (c) {
	case 'c':
		a->container = optarg;
		break;
	case 'f':
		return window_option(&a->window.begin, "begin", optarg);
	case 't':
		return window_option(&a->window.end, "end", optarg);
	case 'w':
		return parse_worst(a);
	case 'F':
		return table_format(&a->format, optarg);
	case 'j':
		a->json = true;
		break;
	case 'h':
		a->help = true;
		break;
	}
	return 0;
}

static int parse(struct delays_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"container", required_argument, NULL, 'c'},
		{"begin", required_argument, NULL, 'f'},
		{"end", required_argument, NULL, 't'},
		{"worst", required_argument, NULL, 'w'},
		{"format", required_argument, NULL, 'F'},
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};

	if (options_parse(argc, argv, ":h", options, parse_option, a))
		return -1;
	a->traces = argv + optind;
	a->nr_traces = (size_t)(argc - optind);
	if (a->format && a->json)
		return error("--format does not go with --json.");
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
	const struct delays_args *a = ctx;

	if (check_events(h))
		return -1;
	h->user = delays_new(h, a->nr_worst);
	return 0;
}

/* The first event tells when the trace begins. */
static void before_event(void *ctx, struct host *h, uint64_t ns)
{
	const struct delays_args *a = ctx;
	uint64_t from, to;

	(void)ns;
	if (!a->window.begin && !a->window.end)
		return;
	window_fix(&a->window, h, &from, &to);
	delays_limit(h->user, from, to);
}

static int show(const struct delays_args *a, struct loaded *l, struct pick *pick)
{
	const struct delays_options opt = {
		.pick = a->container ? pick : NULL,
		.nr_worst = a->nr_worst,
		.format = a->format,
	};
	struct report report;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		delays_finish(l->hosts[i]->user, l->hosts[i]->last);
		if (delays_are_too_long(l->hosts[i]->user)) {
			error_too_long();
			return EXIT_TROUBLE;
		}
	}
	if (window_check(&a->window, l))
		return EXIT_TROUBLE;
	if ((a->container && pick_containers(pick, l, a->container, 0)) || report_open(&report))
		return EXIT_TROUBLE;
	if (a->format)
		report_delays_table(report.out, l, &opt);
	else
		(a->json ? report_delays_json : report_delays_text)(report.out, l, &opt);
	return report_show(&report) ? EXIT_TROUBLE : EXIT_FINE;
}

static int delays(struct delays_args *a)
{
	const struct load_options opt = {
		.model.keep_dead = true,
		.on_host = on_host,
		.before_event = before_event,
		.sched = &delays_sched,
		.ctx = a,
	};
	struct loaded l = {0};
	struct pick pick = {0};
	int status = EXIT_TROUBLE;
	size_t i;

	if (!load(&l, a->traces, a->nr_traces, &opt))
		status = show(a, &l, &pick);
	for (i = 0; i < l.nr_hosts; i++)
		delays_free(l.hosts[i]->user);
	pick_free(&pick);
	loaded_free(&l);
	return status;
}

int cmd_delays(int argc, char **argv)
{
	struct delays_args a = {.nr_worst = 10};

	if (parse(&a, argc, argv))
		return usage_error("delays");
	if (!a.help)
		return delays(&a);
	help(stdout);
	return EXIT_FINE;
}
