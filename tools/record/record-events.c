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
} wanted[] = {
	{"sched_switch", "who ran when"},
	{"sched_wakeup", "who woke whom"},
	{"sched_wakeup_new", NULL},
	{"sched_waking", "who woke whom across CPUs"},
	{"sched_migrate_task", NULL},
	{"sched_process_fork", "new tasks"},
	{"sched_process_exit", "when tasks end"},
	{"sched_process_free", "when tids are free again"},
	{"sched_process_exec", "names after an exec"},
	{"lttng_statedump_*", "what was there before"},
	/* Of these, the note on their modules has told. */
	{"cgroup_*", NULL},
	{"namespace_switch", NULL},
	{"namespace_free", NULL},
	{"irq_handler_entry", "time taken by interrupts"},
	{"irq_handler_exit", NULL},
	{"irq_softirq_entry", "time taken by soft interrupts"},
	{"irq_softirq_exit", NULL},
	{"irq_softirq_raise", NULL},
	{"timer_hrtimer_expire_entry", "which wakeups are a timer's"},
	{"timer_hrtimer_expire_exit", NULL},
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

bool event_is_wanted(const struct lttng_event *offered, size_t nr, const char *name)
{
	size_t i;

	if (is_repeated(offered, nr, name))
		return false;
	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!fnmatch(wanted[i].pattern, name, 0))
			return true;
	return false;
}

void events_tell_missing(const struct lttng_event *offered, size_t nr)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		for (k = 0; k < nr; k++)
			if (!fnmatch(wanted[i].pattern, offered[k].name, 0))
				break;
		if (k == nr && wanted[i].lacks)
			note("This kernel does not offer an event; the trace will not tell %s."
			     " event=%s",
			     wanted[i].lacks, wanted[i].pattern);
	}
}
