/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>

#include "base/command.h"
#include "report/query.h"
#include "report-delays.h"
#include "base/util.h"

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
	      "  --histogram    show how long the waits were: how many from each power of two ns "
	      "on\n"
	      "  --json         print the report as JSON\n"
	      "  --format F     print flat rows, one for each who waited and who had the CPU:\n"
	      "                 jsonl or csv\n"
	      "  -h, --help     show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers delays ~/lttng-traces/my-session --container web\n",
	      out);
}

static int on_host(void *ctx, struct host *h)
{
	const struct query *q = ctx;

	if (query_check_sched(h))
		return -1;
	h->user = delays_new(h, q->nr_worst);
	return 0;
}

static void limit(struct host *h, uint64_t from, uint64_t to)
{
	delays_limit(h->user, from, to);
}

static int finish(struct host *h)
{
	delays_finish(h->user, h->last);
	return delays_are_too_long(h->user) ? error_too_long() : 0;
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct delays_options opt = {
		.selection = selection,
		.nr_worst = q->nr_worst,
		.format = q->format,
		.histogram = q->histogram,
	};

	if (q->format)
		report_delays_table(out, l, &opt);
	else
		(q->json ? report_delays_json : report_delays_text)(out, l, &opt);
	return EXIT_FINE;
}

static void drop(struct host *h)
{
	delays_free(h->user);
}

int cmd_delays(int argc, char **argv)
{
	static const struct question question = {
		.command = "delays",
		.options = "begin container end format histogram json worst",
		.nr_worst = 10,
		.help = help,
		.load = {.model.keep_dead = true, .on_host = on_host, .sched = &delays_sched},
		.limit = limit,
		.finish = finish,
		.show = show,
		.free = drop,
	};

	return query_run(&question, argc, argv);
}
