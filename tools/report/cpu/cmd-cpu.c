/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/account.h"
#include "base/command.h"
#include "cpu-live.h"
#include "trace/live.h"
#include "trace/load.h"
#include "report-cpu.h"
#include "base/text.h"
#include "base/util.h"
#include "trace/window.h"

struct cpu_args {
	bool json, help, cpus;
	const char *container; /* NULL: all */
	enum table_format format;
	enum account_by by;
	struct window window;
	uint64_t every;
	const char *live; /* URL; NULL: of traces */
	char **traces;
	size_t nr_traces;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers cpu [OPTIONS] TRACE...\n"
	      "       lttng-containers cpu [OPTIONS] --live URL\n\n"
	      "Shows the CPU time of each container: its own, and with the containers in it. Idle\n"
	      "time, interrupts (if their events are in the trace) and what lost events leave "
	      "open\n"
	      "are apart; all together are the CPUs times the time. Needs sched_switch.\n\n"
	      "Options:\n"
	      "  --by WHAT     container (the default), pod, namespace (PID), cgroup, or task\n"
	      "  --container C  only those rows that are of that container, or of one in it\n"
	      "  --begin TIME  count from that moment on: HH:MM:SS.nnn in local time, as\n"
	      "                babeltrace2 prints it; seconds since the epoch; or +SECONDS from "
	      "the\n"
	      "                begin of the trace\n"
	      "  --end TIME    count up to that moment\n"
	      "  --every TIME  also for each interval of that length, as 100ms (ns, us, ms or s)\n"
	      "  --live URL    watch a session while it is recorded: net://HOST[:PORT] of an\n"
	      "                lttng-relayd, with /host/HOSTNAME/SESSION if it has several. A "
	      "table\n"
	      "                each second, or as --every says; at the end, the total\n"
	      "  --cpus        also for each CPU\n"
	      "  --json        print the report as JSON, for each CPU, and with more digits\n"
	      "  --format F    print flat rows: jsonl or csv\n"
	      "  -h, --help    show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers cpu ~/lttng-traces/my-session --every 100ms\n"
	      "         lttng-containers cpu --live net://relay.example\n",
	      out);
}

static int parse_by(struct cpu_args *a)
{
	for (a->by = 0; a->by < BY_NR; a->by++)
		if (!strcmp(optarg, account_by_names[a->by]))
			return 0;
	return argument_error("CPU time can be shown by container, pod, namespace, cgroup or"
			      " task.",
			      "by", optarg);
}

static int parse_every(struct cpu_args *a)
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
			a->every = (uint64_t)(n * units[i].ns + 0.5);
			return 0;
		}
	return argument_error("The length of intervals cannot be understood; give a number with"
			      " ns, us, ms or s, as 100ms.",
			      "every", optarg);
}

static int parse_live(struct cpu_args *a)
{
	a->live = optarg;
	return live_looks_valid(optarg)
		       ? 0
		       : argument_error("The URL cannot be understood; give net://HOST[:PORT], or"
					" with /host/HOSTNAME/SESSION behind it.",
					"live", optarg);
}

/* What is left when all options were taken. */
static int check_arguments(const struct cpu_args *a)
{
	if (a->help)
		return 0;
	if (a->live && a->nr_traces)
		return argument_error("Either a session is watched, or traces are read.", "trace",
				      a->traces[0]);
	if (a->format && (a->json || a->live))
		return error("--format is for traces, and does not go with --json.");
	if (a->live && a->container)
		return error("Of a session that is watched all containers are shown; --container is"
			     " for traces.");
	if (a->container && a->by == BY_CGROUP)
		return error(
			"A cgroup may hold tasks of several containers: --container does not go"
			" with --by cgroup.");
	if (a->live && (a->window.begin || a->window.end))
		return error("A session is watched from now on, to its end: --begin and --end are"
			     " for traces.");
	if (!a->live && !a->nr_traces)
		return error("A trace is missing; give the directory that lttng wrote.");
	return 0;
}

static int parse_option(void *args, int c)
{
	struct cpu_args *a = args;

	switch (c) {
	case 'b':
		return parse_by(a);
	case 'f':
		return window_option(&a->window.begin, "begin", optarg);
	case 't':
		return window_option(&a->window.end, "end", optarg);
	case 'e':
		return parse_every(a);
	case 'l':
		return parse_live(a);
	case 'F':
		return table_format(&a->format, optarg);
	case 'C':
		a->container = optarg;
		break;
	case 'c':
		a->cpus = true;
		break;
	case 'j':
		a->json = true;
		break;
	case 'h':
		a->help = true;
		break;
	}
	return 0;
}

static int parse(struct cpu_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"by", required_argument, NULL, 'b'},
		{"begin", required_argument, NULL, 'f'},
		{"end", required_argument, NULL, 't'},
		{"every", required_argument, NULL, 'e'},
		{"container", required_argument, NULL, 'C'},
		{"format", required_argument, NULL, 'F'},
		{"cpus", no_argument, NULL, 'c'},
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{"live", required_argument, NULL, 'l'},
		{0},
	};

	if (options_parse(argc, argv, ":h", options, parse_option, a))
		return -1;
	a->traces = argv + optind;
	a->nr_traces = (size_t)(argc - optind);
	return check_arguments(a);
}

static int on_host(void *ctx, struct host *h)
{
	const struct cpu_args *a = ctx;

	h->user = account_new(h->model, a->by, a->every);
	return 0;
}

static void before_event(void *ctx, struct host *h, uint64_t ns)
{
	const struct cpu_args *a = ctx;
	struct account *account = h->user;

	(void)ns;
	if (!account->from)
		window_fix(&a->window, h, &account->from, &account->to);
}

static void on_run(void *ctx, const struct run *run)
{
	const struct host *h = ctx;

	account_add(h->user, run);
}

static void on_dump_end(void *ctx)
{
	const struct host *h = ctx;

	account_confirm(h->user);
}

static int check(const struct cpu_args *args, const struct loaded *l)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		if (account_is_too_long(l->hosts[i]->user))
			return error_too_long();
		if (account_intervals(l->hosts[i]->user) > MAX_INTERVALS)
			return error("There are more than %d intervals; give --every a longer"
				     " time, or less of the trace with --begin and --end.",
				     MAX_INTERVALS);
	}
	return window_check(&args->window, l);
}

static int cpu(struct cpu_args *a, struct loaded *l, struct pick *pick)
{
	static const struct sched_callbacks sched = {.on_run = on_run, .on_dump_end = on_dump_end};
	const struct load_options opt = {
		.model.keep_dead = true,
		.on_host = on_host,
		.before_event = before_event,
		.sched = &sched,
		.ctx = a,
	};
	const struct cpu_options show = {
		.cpus = a->cpus,
		.every = a->every,
		.format = a->format,
		.pick = a->container ? pick : NULL,
	};
	struct report report;
	size_t i;

	if (load(l, a->traces, a->nr_traces, &opt))
		return EXIT_TROUBLE;
	for (i = 0; i < l->nr_hosts; i++)
		account_finish(l->hosts[i]->user, l->hosts[i]->begin, l->hosts[i]->last);
	if (check(a, l) || (a->container && pick_containers(pick, l, a->container, 0)) ||
	    report_open(&report))
		return EXIT_TROUBLE;
	if (a->format)
		report_cpu_table(report.out, l, &show);
	else
		(a->json ? report_cpu_json : report_cpu_text)(report.out, l, &show);
	return report_show(&report) ? EXIT_TROUBLE : EXIT_FINE;
}

static int watch(const struct cpu_args *a)
{
	const struct cpu_live_options o = {
		.url = a->live,
		.by = a->by,
		.every = a->every ? a->every : NS_PER_SEC,
		.cpus = a->cpus,
		.json = a->json,
	};

	return cpu_live(&o);
}

int cmd_cpu(int argc, char **argv)
{
	struct cpu_args a = {.by = BY_CONTAINER};
	struct loaded l = {0};
	struct pick pick = {0};
	int status = EXIT_FINE;
	size_t i;

	if (parse(&a, argc, argv))
		status = usage_error("cpu");
	else if (a.help)
		help(stdout);
	else if (a.live)
		status = watch(&a);
	else
		status = cpu(&a, &l, &pick);
	for (i = 0; i < l.nr_hosts; i++)
		account_free(l.hosts[i]->user);
	pick_free(&pick);
	loaded_free(&l);
	return status;
}
