/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>

#include "base/command.h"
#include "report/query.h"
#include "report-wakeups.h"
#include "base/util.h"

static void help(FILE *out)
{
	fputs("Usage: lttng-containers wakeups [OPTIONS] TRACE...\n\n"
	      "Shows who wakes whom across the borders of containers, the most frequent first,\n"
	      "and how long the woken task then waited for a CPU: in all, on average, at most.\n"
	      "The waker is what ran on the CPU of the wakeup; interrupts are told apart if the\n"
	      "trace has their events. Record sched_switch and sched_waking; irq_handler_*,\n"
	      "irq_softirq_* and timer_hrtimer_expire_* tell of interrupts.\n\n"
	      "Options:\n"
	      "  --container C  only wakeups by or of this container and those inside of it:\n"
	      "                 its name, its id or the begin of it, or the inode of its PID\n"
	      "                 namespace\n"
	      "  --all          list wakeups within one container, by interrupts and by what is\n"
	      "                 unknown, too\n"
	      "  --histogram    show how long the waits were: percentiles, and how many from each\n"
	      "                 power of two ns on\n"
	      "  --json         print the report as JSON\n"
	      "  --format F     print flat rows, one for each pair: jsonl or csv\n"
	      "  -h, --help     show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers wakeups ~/lttng-traces/my-session --container web\n",
	      out);
}

static int on_host(void *ctx, struct host *h)
{
	static const char what[] = "The trace does not record who was woken; enable the missing"
				   " event.";

	(void)ctx;
	if (!h->offers[EV_WAKING] && !h->offers[EV_WAKEUP])
		return query_missing_event(h, what, "sched_waking",
					   "lttng enable-event -k sched_waking,sched_wakeup_new");
	if (!h->offers[EV_SWITCH])
		return query_missing_event(h, what, "sched_switch",
					   "lttng enable-event -k sched_switch");
	h->user = wakeups_new(h);
	return 0;
}

static int finish(struct host *h)
{
	wakeups_finish(h->user);
	return wakeups_are_too_long(h->user) ? error_too_long() : 0;
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct wakeups_options opt = {.selection = selection,
					    .all = q->all,
					    .format = q->format,
					    .histogram = q->histogram};

	if (q->format)
		report_wakeups_table(out, l, &opt);
	else
		(q->json ? report_wakeups_json : report_wakeups_text)(out, l, &opt);
	return EXIT_FINE;
}

static void drop(struct host *h)
{
	wakeups_free(h->user);
}

int cmd_wakeups(int argc, char **argv)
{
	static const struct question question = {
		.command = "wakeups",
		.options = "all container format histogram json",
		.help = help,
		/* Tasks whose place is told late are asked for at the end. */
		.load = {.model.keep_dead = true, .on_host = on_host, .sched = &wakeups_sched},
		.finish = finish,
		.show = show,
		.free = drop,
	};

	return query_run(&question, argc, argv);
}
