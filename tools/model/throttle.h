/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_THROTTLE_H
#define LC_THROTTLE_H

#include "model.h"

/*
 * CFS bandwidth control: which cgroups were kept off which CPUs, and when, by cgroup_throttle_begin
 * and cgroup_throttle_end. A task is kept off a CPU while its cgroup, or one above that, is. What
 * began before the trace, or in what was lost, is not told, as who waited meanwhile may be settled
 * already.
 */
struct throttles {
	struct hash places;	     /* a cgroup on a CPU */
	struct place_of_group *held; /* those that are throttled now */
	size_t nr, forget_at;
	int hierarchy;	    /* of the cgroup that was told of last */
	uint64_t cgroup_id; /* that one */
};

/* A stretch in which a task was kept off a CPU. */
struct throttled {
	uint64_t begin, end; /* ns since the epoch */
	const struct cgroup
		*cgroup; /* the topmost that was throttled then: whose quota was used up */
};

/* The events on demand that throttles_event() is for. */
uint64_t throttles_wants(void);
/* Forgets cgroups that are gone for long, now and then; whoever was in one is settled. */
void throttles_event(struct throttles *t, const struct model *m, const struct event *ev);
/* Forgets those that were gone before that moment, or that nobody told of by then. */
void throttles_forget(struct throttles *t, const struct model *m, uint64_t before);
/* After model_loss(). What was throttled then may not be any more. */
void throttles_loss(struct throttles *t, const struct model *m);
/*
 * The first stretch between begin and end in which @task was kept off @cpu. Of each cgroup the last
 * 256 to 512 on a CPU are known. Return: false if there is none.
 */
bool throttles_next(const struct throttles *t, const struct model *m, const struct task *task,
		    int cpu, uint64_t begin, uint64_t end, struct throttled *found);
/* Whether it is kept off @cpu now, by all that was told. */
bool throttles_hold(const struct throttles *t, const struct model *m, const struct task *task,
		    int cpu);
void throttles_free(struct throttles *t);

#endif
