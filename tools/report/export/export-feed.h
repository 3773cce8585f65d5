/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EXPORT_FEED_H
#define LC_EXPORT_FEED_H

#include "analysis/delays.h"
#include "analysis/profile.h"
#include "analysis/syscalls.h"
#include "export-spill.h"
#include "stacks/stack-text.h"

/* Takes what is told of a host while its trace is read, and drops tasks that ended. */

/* Where a task was that was not told yet when something was told of it. */
struct settled {
	uint32_t number;
	uint32_t first; /* container: what was told first, as `cpu` counts it */
	uint32_t last;	/* ... and last, as `syscalls` and `wakeups` do */
	uint64_t seen;
};

/* struct host's user. */
struct feeding {
	struct host *host;
	struct spill *spill;
	uint32_t number;
	/* Each hears what is told as if it were alone: their user is the analysis. */
	struct host as_delays, as_syscalls;
	struct delays *delays;
	struct syscalls *syscalls;
	struct stack_texts *stacks; /* NULL: the trace has no samples */
	struct hash tasks;	    /* of struct task -> struct fed_task */
	struct hash wakes;	    /* tid -> struct fed_wake */
	struct hash settled; /* number of a task that is gone -> struct settled, if it is needed */
	struct hash early_tasks; /* tid -> the same, of the task that had it when the trace began */
	uint32_t nr_tasks;
	uint64_t nr_waits;
	uint64_t most_tasks; /* that were in memory at once */
	size_t forget_at;    /* so many tasks are looked through for dead ones */
};

extern const struct sched_callbacks feeding_sched;

struct feeding *feeding_new(struct host *h, struct spill *spill, uint32_t number);
void feeding_free(struct feeding *f);
/* After each event. */
void feeding_event(struct feeding *f, const struct event *ev);
/* After load(): all that is left is spilled. */
void feeding_finish(struct feeding *f);
/* The number of the task that had the tid when the trace began; 0: none is known. */
uint32_t feeding_elder(const struct feeding *f, int32_t tid);
/* Of a task whose container was CONTAINER_UNTOLD; NULL if it was never told. */
const struct settled *feeding_settled(const struct feeding *f, uint32_t task);

#endif
