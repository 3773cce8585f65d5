/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "against.h"
#include "base/command.h"
#include "trace/load.h"
#include "report/query.h"
#include "report-check.h"
#include "base/util.h"

#define EXAMPLES_DEFAULT 5
#define EXAMPLES_MAX	 1000000

struct check_args {
	bool json, list_rules, help;
	uint64_t examples;
	char **snapshots;
	size_t nr_snapshots, cap_snapshots;
	char **traces;
	size_t nr_traces;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers check [OPTIONS] TRACE...\n\n"
	      "Tells whether kernel traces are consistent: in themselves and, with --against,\n"
	      "with a snapshot of /proc that was taken while the trace was recorded.\n\n"
	      "Options:\n"
	      "  --against SNAPSHOT  compare with this snapshot (may be given several times)\n"
	      "  --examples N        show the first N violations of each rule (default: 5)\n"
	      "  --json              print the report as JSON\n"
	      "  --list-rules        print the rules and end\n"
	      "  -h, --help          show this\n\n"
	      "Exit status: 0 nothing is wrong; 1 a rule is violated; 2 bad usage, or a trace or\n"
	      "snapshot that cannot be used.\n\n"
	      "Example: lttng-containers check ~/lttng-traces/my-session --against proc.snapshot\n",
	      out);
}

static int parse_option(void *args, int c)
{
	struct check_args *a = args;

	switch (c) {
	case 'a':
		a->snapshots =
			grow(a->snapshots, a->nr_snapshots, &a->cap_snapshots, sizeof(char *));
		a->snapshots[a->nr_snapshots++] = optarg;
		break;
	case 'n':
		return number_option("--examples needs a number from 0 to 1000000.", "examples",
				     optarg, 0, EXAMPLES_MAX, &a->examples);
	case 'j':
		a->json = true;
		break;
	case 'l':
		a->list_rules = true;
		break;
	case 'h':
		a->help = true;
		break;
	}
	return 0;
}

static int parse(struct check_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"against", required_argument, NULL, 'a'},
		{"examples", required_argument, NULL, 'n'},
		{"json", no_argument, NULL, 'j'},
		{"list-rules", no_argument, NULL, 'l'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};

	if (options_parse(argc, argv, ":h", options, parse_option, a))
		return -1;
	if (a->help || a->list_rules)
		return 0;
	return query_traces(&a->traces, &a->nr_traces, argc, argv);
}

static bool has_failed(const struct verdicts *v)
{
	enum rule r;

	for (r = 0; r < RULE_NR; r++)
		if (v->counts[r].fail)
			return true;
	return false;
}

static int check(const struct check_args *a, struct loaded *l, struct against *against)
{
	struct load_options opt = {0};
	struct report report;

	l->verdicts.keep = a->examples;
	if (a->nr_snapshots) {
		if (against_read(against, a->snapshots, a->nr_snapshots))
			return EXIT_TROUBLE;
		against_prepare(against, &opt);
	}
	if (load(l, a->traces, a->nr_traces, &opt))
		return EXIT_TROUBLE;
	if (a->nr_snapshots && against_judge(against, l))
		return EXIT_TROUBLE;
	report_open(&report);
	(a->json ? report_check_json : report_check_text)(report.out, l,
							  a->nr_snapshots ? against : NULL);
	if (report_show(&report))
		return EXIT_TROUBLE;
	return has_failed(&l->verdicts) ? EXIT_VIOLATIONS : EXIT_FINE;
}

int cmd_check(int argc, char **argv)
{
	struct check_args a = {.examples = EXAMPLES_DEFAULT};
	struct against against = {0};
	struct loaded l = {0};
	int status = EXIT_FINE;

	if (parse(&a, argc, argv))
		status = usage_error("check");
	else if (a.help)
		help(stdout);
	else if (a.list_rules)
		report_rules(stdout);
	else
		status = check(&a, &l, &against);
	against_free(&against);
	loaded_free(&l);
	free(a.snapshots);
	return status;
}
