/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/command.h"
#include "enrich-run.h"
#include "base/util.h"

struct enrich_args {
	bool help;
	const char *out;
	char **traces;
	size_t nr_traces;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers enrich TRACE... -o DIR\n\n"
	      "Writes a copy of the traces, in CTF 1.8, in which the context of every event, also "
	      "of\n"
	      "system calls, says who caused it: container (its name, else a short id; empty for\n"
	      "the host), container_id, pid_ns (inode), vtid and vpid. Where the task is not "
	      "known,\n"
	      "all are empty or 0. Needs sched_switch in the trace.\n\n"
	      "Options:\n"
	      "  -o, --output DIR  where to write; must not exist yet\n"
	      "  -h, --help        show this\n\n"
	      "Exit status: 0 done; 2 bad usage, a trace that cannot be used, or a copy that\n"
	      "cannot be written; no DIR is left then.\n\n"
	      "Example: lttng-containers enrich ~/lttng-traces/my-session -o named &&\n"
	      "         babeltrace2 named | grep 'container = \"web\"'\n",
	      out);
}

static int parse_option(void *args, int c)
{
	struct enrich_args *a = args;

	switch (c) {
	case 'o':
		a->out = optarg;
		break;
	case 'h':
		a->help = true;
		break;
	}
	return 0;
}

static int parse(struct enrich_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};

	if (options_parse(argc, argv, ":o:h", options, parse_option, a))
		return -1;
	a->traces = argv + optind;
	a->nr_traces = (size_t)(argc - optind);
	if (a->help)
		return 0;
	if (!a->nr_traces)
		return error("A trace is missing; give the directory that lttng wrote.");
	if (!a->out || !*a->out)
		return error("The output is missing; give a new directory with -o DIR.");
	return 0;
}

int cmd_enrich(int argc, char **argv)
{
	struct enrich_args a = {0};

	if (parse(&a, argc, argv))
		return usage_error("enrich");
	if (a.help) {
		help(stdout);
		return EXIT_FINE;
	}
	return enrich_to(a.out, a.traces, a.nr_traces) ? EXIT_TROUBLE : EXIT_FINE;
}
