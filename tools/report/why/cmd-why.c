/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>

#include "base/command.h"
#include "report/query.h"
#include "report-why.h"
#include "base/util.h"

static void help(FILE *out)
{
	fputs("Usage: lttng-containers why [OPTIONS] TRACE...\n\n"
	      "Shows what the time of each container's threads went by for, all of it: they ran,\n"
	      "waited for a CPU and who had it, for other containers and what those did "
	      "meanwhile,\n"
	      "for disks, memory, locks of the kernel, the network, a timer, a signal, or it is "
	      "unknown and why; and "
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
	      "  --histogram    show how long the waits of each kind were: mean, percentiles, and\n"
	      "                 how many from each power of two ns on\n"
	      "  --path         instead, the critical path of one thread: moment by moment, whom "
	      "it\n"
	      "                 waited for in the end, and what that one did. The thread is the "
	      "one\n"
	      "                 that slept least, among all, or those of --container or --task\n"
	      "  --task TID     with --path: this thread, by its id on the host\n"
	      "  --json         print the report as JSON\n"
	      "  --format F     print flat rows, one for each kind of cause and which one: jsonl "
	      "or csv\n"
	      "  -h, --help     show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers why ~/lttng-traces/my-session --container web\n",
	      out);
}

static int on_host(void *ctx, struct host *h)
{
	const struct query *q = ctx;

	if (query_check_sched(h))
		return -1;
	h->user = why_new(
		h, &(struct why_options){.by_task = query_is_by_task(q), .nr_worst = q->nr_worst});
	return 0;
}

static void limit(struct host *h, uint64_t from, uint64_t to)
{
	why_limit(h->user, from, to);
}

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

static int finish(struct host *h)
{
	why_finish(h->user, h->last);
	return why_is_too_long(h->user) ? error_too_long() : 0;
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct why_report_options opt = {
		.selection = selection,
		.nr_worst = q->nr_worst,
		.by_task = query_is_by_task(q),
		.histogram = q->histogram,
		.format = q->format,
	};

	if (q->format)
		report_why_table(out, l, &opt);
	else
		(q->json ? report_why_json : report_why_text)(out, l, &opt);
	return EXIT_FINE;
}

static void drop(struct host *h)
{
	why_free(h->user);
}

static int check(const struct query *q)
{
	if (q->task > 0 && !q->path)
		return error("--task is for --path; to see the time of one thread, use --by task.");
	if (q->format && q->path)
		return error("--format is for tables, and does not go with --path.");
	if (q->by && q->path)
		return error("--path is of one thread: it does not go with --by.");
	if (q->histogram && q->path)
		return error("--path is of one thread: it does not go with --histogram.");
	if (query_check_by(q))
		return -1;
	if (q->histogram && query_is_by_task(q))
		return error("--histogram is of containers, and does not go with --by task.");
	return 0;
}

static int show_path(const struct query *q)
{
	const struct path_wanted wanted = {
		.container = q->container,
		.tid = q->task > 0 ? (int)q->task : 0,
		.window = q->window,
		.traces = q->traces,
		.nr_traces = q->nr_traces,
	};
	struct path p = {0};
	struct report report;
	int status = EXIT_TROUBLE;

	if (!path_find(&p, &wanted)) {
		report_open(&report);
		(q->json ? report_path_json : report_path_text)(report.out, &p);
		status = report_show(&report) ? EXIT_TROUBLE : EXIT_FINE;
	}
	path_free(&p);
	return status;
}

int cmd_why(int argc, char **argv)
{
	const struct question question = {
		.command = "why",
		.options = "begin by container end format histogram json path task worst",
		.nr_worst = 5,
		.help = help,
		.check = check,
		.load = {.model.keep_dead = true,
			 .on_host = on_host,
			 .sched = &why_sched,
			 .after_event = after_event,
			 .on_loss = on_loss,
			 .wants = why_wants()},
		.limit = limit,
		.finish = finish,
		.show = show,
		.free = drop,
	};

	struct query q;
	int status;

	if (!query_parse(&q, &question, argc, argv, &status))
		return status;
	return q.path ? show_path(&q) : query_answer(&q);
}
