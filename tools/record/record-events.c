/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fnmatch.h>
#include <lttng/lttng.h>
#include <string.h>

#include "record-events.h"
#include "base/util.h"

/* What the reports read; docs/lttng-containers.md says what for. */
static const struct {
	const char *pattern;
	const char *lacks; /* what a trace cannot tell without; NULL: nothing to speak of */
	bool why;	   /* with --why only */
} wanted[] = {
	{"sched_switch", "who ran when", false},
	{"sched_wakeup", "who woke whom", false},
	{"sched_wakeup_new", NULL, false},
	{"sched_waking", "who woke whom across CPUs", false},
	{"sched_migrate_task", NULL, false},
	{"sched_process_fork", "new tasks", false},
	{"sched_process_exit", "when tasks end", false},
	{"sched_process_free", "when tids are free again", false},
	{"sched_process_exec", "names after an exec", false},
	{"lttng_statedump_*", "what was there before", false},
	/* Of these, the note on their modules has told. */
	{"cgroup_*", NULL, false},
	{"namespace_switch", NULL, false},
	{"namespace_free", NULL, false},
	/* As upstream would name the two. */
	{"lttng_namespace_*", NULL, false},
	{"irq_handler_entry", "time taken by interrupts", false},
	{"irq_handler_exit", NULL, false},
	{"irq_softirq_entry", "time taken by soft interrupts", false},
	{"irq_softirq_exit", NULL, false},
	{"irq_softirq_raise", NULL, false},
	{"timer_hrtimer_expire_entry", "which wakeups are a timer's", false},
	{"timer_hrtimer_expire_exit", NULL, false},
	/* There only with its module, which `watch` loads. */
	{"watch_delay", NULL, false},
	{"watch_blocked", NULL, false},
	{"block_rq_insert", NULL, true},
	{"block_rq_issue", "whose requests a disk had", true},
	{"block_rq_requeue", NULL, true},
	{"block_rq_complete", "which waits are for a disk", true},
	{"block_bio_complete", NULL, true},
	/* Of this, the note on its module. */
	{"block_rq_charge", NULL, true},
	{"signal_generate", "which waits a signal ends", true},
	{"mm_vmscan_direct_reclaim_begin", "which waits are for memory", true},
	{"mm_vmscan_direct_reclaim_end", NULL, true},
	{"mm_vmscan_memcg_reclaim_begin", NULL, true},
	{"mm_vmscan_memcg_reclaim_end", NULL, true},
	{"writeback_balance_dirty_pages", NULL, true},
	/* Of these, the note on their module. */
	{"lock_contention_begin", NULL, true},
	{"lock_contention_end", NULL, true},
};

/* Told by process_state and process_namespaces as well, in less time and space. */
static bool is_repeated(const struct lttng_event *offered, size_t nr, const char *name)
{
	size_t i;

	if (fnmatch("lttng_statedump_process_*_ns", name, 0))
		return false;
	for (i = 0; i < nr; i++)
		if (!strcmp(offered[i].name, "lttng_statedump_process_namespaces"))
			return true;
	return false;
}

bool event_is_offered(const struct lttng_event *offered, size_t nr, const char *name)
{
	size_t i;

	for (i = 0; i < nr && strcmp(offered[i].name, name); i++)
		;
	return i < nr;
}

bool event_is_wanted(const struct lttng_event *offered, size_t nr, const char *name, bool why)
{
	size_t i;

	if (is_repeated(offered, nr, name))
		return false;
	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		if (why >= wanted[i].why && !fnmatch(wanted[i].pattern, name, 0))
			return true;
	return false;
}

void events_tell_missing(const struct lttng_event *offered, size_t nr, bool why)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		for (k = 0; k < nr; k++)
			if (!fnmatch(wanted[i].pattern, offered[k].name, 0))
				break;
		if (k == nr && wanted[i].lacks && why >= wanted[i].why)
			note("This kernel does not offer an event; the trace will not tell %s."
			     " event=%s",
			     wanted[i].lacks, wanted[i].pattern);
	}
}
