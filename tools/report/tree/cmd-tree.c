/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/command.h"
#include "trace/load.h"
#include "report-tree.h"
#include "base/text.h"
#include "base/util.h"

struct tree_args {
	bool json, help, all;
	const char *at, *container; /* NULL: not given */
	char **traces;
	size_t nr_traces;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers tree [OPTIONS] TRACE...\n\n"
	      "Shows the tree of PID namespaces: inode, level, birth and death, cgroup, and the\n"
	      "tasks of each with their ids at every level. Without --at: all that lived in the\n"
	      "trace.\n\n"
	      "Options:\n"
	      "  --at TIME   only what lived at that moment: HH:MM:SS.nnn in local time, as\n"
	      "              babeltrace2 prints it; seconds since the epoch; or +SECONDS from\n"
	      "              the begin of the trace\n"
	      "  --container C  only that container and those in it\n"
	      "  --all       list the kernel threads, too\n"
	      "  --json      print the report as JSON\n"
	      "  -h, --help  show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers tree ~/lttng-traces/my-session --at +2.5\n",
	      out);
}

static int parse_option(void *args, int c)
{
	struct tree_args *a = args;

	switch (c) {
	case 't':
		if (!time_looks_valid(optarg))
			return argument_error("The time of --at cannot be understood; give"
					      " HH:MM:SS.nnn, seconds since the epoch, or +SECONDS"
					      " from the begin.",
					      "at", optarg);
		a->at = optarg;
		break;
	case 'C':
		a->container = optarg;
		break;
	case 'A':
		a->all = true;
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

static int parse(struct tree_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"at", required_argument, NULL, 't'}, {"container", required_argument, NULL, 'C'},
		{"all", no_argument, NULL, 'A'},      {"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},     {0},
	};

	if (options_parse(argc, argv, ":h", options, parse_option, a))
		return -1;
	a->traces = argv + optind;
	a->nr_traces = (size_t)(argc - optind);
	if (!a->nr_traces && !a->help)
		return error("A trace is missing; give the directory that lttng wrote.");
	return 0;
}

static int tree(const struct tree_args *a, struct loaded *l, struct pick *pick)
{
	struct load_options opt = {.model.keep_dead = true, .at = a->at};
	struct tree_options show = {
		.at_given = a->at, .all = a->all, .pick = a->container ? pick : NULL};
	struct report report;

	if (load(l, a->traces, a->nr_traces, &opt) || load_check_moment(l) ||
	    (a->container && pick_containers(pick, l, a->container,
					     a->at ? l->hosts[0]->model->attributes_until : 0)) ||
	    report_open(&report))
		return EXIT_TROUBLE;
	(a->json ? report_tree_json : report_tree_text)(report.out, l, &show);
	return report_show(&report) ? EXIT_TROUBLE : EXIT_FINE;
}

int cmd_tree(int argc, char **argv)
{
	struct tree_args a = {0};
	struct loaded l = {0};
	struct pick pick = {0};
	int status = EXIT_FINE;

	if (parse(&a, argc, argv))
		status = usage_error("tree");
	else if (a.help)
		help(stdout);
	else
		status = tree(&a, &l, &pick);
	pick_free(&pick);
	loaded_free(&l);
	return status;
}
