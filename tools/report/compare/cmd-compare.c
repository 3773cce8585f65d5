/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>

#include "base/command.h"
#include "report-compare.h"
#include "report/query.h"
#include "base/util.h"

#define WINDOWS 10

static void help(FILE *out)
{
	fputs("Usage: lttng-containers compare [OPTIONS] BEFORE AFTER\n"
	      "       lttng-containers compare [OPTIONS] --before B..E --after B..E TRACE\n\n"
	      "Compares two recordings, or two parts of one: what the time of each container's "
	      "threads\n"
	      "went by for, as 'lttng-containers why' tells it, in each second; and whether a "
	      "change is\n"
	      "more than noise. Each side is cut into windows, whose spread is the noise. "
	      "Containers\n"
	      "are the same if they are called the same. Needs sched_switch and sched_waking.\n\n"
	      "Options:\n"
	      "  --container C  only this container and those inside of it: its name, its id or\n"
	      "                 the begin of it, or the inode of its PID namespace\n"
	      "  --windows N    cut each side into N windows, from 2 to 1000 (10 unless given)\n"
	      "  --before B..E  of BEFORE only what is from B to E: HH:MM:SS.nnn in local time,\n"
	      "                 seconds since the epoch, or +SECONDS from the begin; either may "
	      "be\n"
	      "                 left out\n"
	      "  --after B..E   the same of AFTER\n"
	      "  --json         print the report as JSON\n"
	      "  --format F     print flat rows, one for each line of the report: jsonl or csv\n"
	      "  -h, --help     show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers compare ~/lttng-traces/monday ~/lttng-traces/tuesday\n",
	      out);
}

static bool is_given(const struct window *part)
{
	return part->begin || part->end;
}

static int check(const struct query *q)
{
	if (q->nr_traces == 2 || (q->nr_traces == 1 && is_given(&q->before) && is_given(&q->after)))
		return 0;
	return error("Give two recordings, or one with --before and --after.");
}

static int show(const struct query *q, const struct side *sides)
{
	struct report report;
	struct changes c;

	report_open(&report);
	changes_find(&c, sides);
	if (q->format)
		report_compare_table(report.out, &c, q->format);
	else
		(q->json ? report_compare_json : report_compare_text)(report.out, &c);
	changes_free(&c);
	return report_show(&report);
}

/* It may have come, or gone, in between. */
static int check_container(const struct query *q, const struct side sides[SIDES])
{
	if (!q->container || sides[BEFORE].has_selected || sides[AFTER].has_selected)
		return 0;
	return argument_error("There is no such container in either recording;"
			      " 'lttng-containers tree' lists them by name and id.",
			      "container", q->container);
}

int cmd_compare(int argc, char **argv)
{
	const struct question question = {
		.command = "compare",
		.options = "after before container format json windows",
		.help = help,
		.check = check,
	};
	struct query q;
	int status;

	if (!query_parse(&q, &question, argc, argv, &status))
		return status;
	if (!q.nr_windows)
		q.nr_windows = WINDOWS;
	struct side sides[SIDES] = {
		[BEFORE] = {.trace = q.traces[0], .part = q.before, .nr_windows = q.nr_windows},
		[AFTER] = {.trace = q.traces[q.nr_traces - 1],
			   .part = q.after,
			   .nr_windows = q.nr_windows},
	};

	status = EXIT_TROUBLE;
	if (!side_read(&sides[BEFORE], q.container) && !side_read(&sides[AFTER], q.container) &&
	    !check_container(&q, sides) && !show(&q, sides))
		status = EXIT_FINE;
	side_free(&sides[BEFORE]);
	side_free(&sides[AFTER]);
	return status;
}
