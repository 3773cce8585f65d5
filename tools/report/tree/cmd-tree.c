/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>

#include "base/command.h"
#include "report/query.h"
#include "report-tree.h"

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
	      "  --format F  print flat rows, one for each task: jsonl or csv\n"
	      "  -h, --help  show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers tree ~/lttng-traces/my-session --at +2.5\n",
	      out);
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct tree_options opt = {
		.at_given = q->at, .all = q->all, .selection = selection, .format = q->format};

	if (q->format)
		report_tree_table(out, l, &opt);
	else
		(q->json ? report_tree_json : report_tree_text)(out, l, &opt);
	return EXIT_FINE;
}

int cmd_tree(int argc, char **argv)
{
	static const struct question question = {
		.command = "tree",
		.options = "all at container format json",
		.help = help,
		.load.model.keep_dead = true,
		.show = show,
	};

	return query_run(&question, argc, argv);
}
