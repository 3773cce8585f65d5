/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <stdlib.h>

#include "base/command.h"
#include "report/query.h"
#include "report-wakeups.h"
#include "base/text.h"
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
	      "                 not known, too\n"
	      "  --json         print the report as JSON\n"
	      "  -h, --help     show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers wakeups ~/lttng-traces/my-session --container web\n",
	      out);
}

static int missing(const struct host *h, const char *event, const char *remedy)
{
	char *path = text_escape(h->trace->path);

	error("The trace does not record who was woken; enable the missing event. trace=%s"
	      " missing_event=%s remedy=\"lttng enable-event -k %s\"",
	      path, event, remedy);
	free(path);
	return -1;
}

static int on_host(void *ctx, struct host *h)
{
	(void)ctx;
	if (!h->offers[EV_WAKING] && !h->offers[EV_WAKEUP])
		return missing(h, "sched_waking", "sched_waking,sched_wakeup_new");
	if (!h->offers[EV_SWITCH])
		return missing(h, "sched_switch", "sched_switch");
	h->user = wakeups_new(h);
	return 0;
}

static int show(const struct query *q, struct loaded *l, struct pick *pick)
{
	struct wakeups_options opt = {.pick = q->container ? pick : NULL, .all = q->all};
	struct report report;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		wakeups_finish(l->hosts[i]->user);
		if (wakeups_are_too_long(l->hosts[i]->user)) {
			error_too_long();
			return EXIT_TROUBLE;
		}
	}
	if ((q->container && pick_containers(pick, l, q->container, 0)) || report_open(&report))
		return EXIT_TROUBLE;
	(q->json ? report_wakeups_json : report_wakeups_text)(report.out, l, &opt);
	return report_show(&report) ? EXIT_TROUBLE : EXIT_FINE;
}

static int wakeups(const struct query *q)
{
	const struct load_options opt = {
		/* Tasks whose place is told late are asked for at the end. */
		.model.keep_dead = true,
		.on_host = on_host,
		.sched = &wakeups_sched,
	};
	struct loaded l = {0};
	struct pick pick = {0};
	int status = EXIT_TROUBLE;
	size_t i;

	if (!load(&l, q->traces, q->nr_traces, &opt))
		status = show(q, &l, &pick);
	for (i = 0; i < l.nr_hosts; i++)
		wakeups_free(l.hosts[i]->user);
	pick_free(&pick);
	loaded_free(&l);
	return status;
}

int cmd_wakeups(int argc, char **argv)
{
	struct query q;

	if (query_parse(&q, "all container json", argc, argv))
		return usage_error("wakeups");
	if (!q.help)
		return wakeups(&q);
	help(stdout);
	return EXIT_FINE;
}
