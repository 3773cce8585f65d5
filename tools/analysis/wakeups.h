/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WAKEUPS_H
#define LC_WAKEUPS_H

#include "base/histogram.h"
#include "trace/load.h"

/* Who wakes whom on one host, and how long the woken then waits for a CPU. */

enum actor_kind {
	ACTOR_TASK,
	ACTOR_INTERRUPT,
	ACTOR_IDLE,    /* an interrupt of an idle CPU, where the trace has no events of it */
	ACTOR_UNKNOWN, /* what ran there is not known, or where that task lives is not */
};

/* A name in a container, by which wakeups are counted: many tasks may be one. */
struct actor {
	enum actor_kind kind;
	struct container *container; /* NULL: the host */
	int64_t unplaced; /* tid of one whose place was not known: see early-tasks.h; 0: known */
	char comm[COMM_MAX + 1];
	struct actor *next; /* of the same hash */
	uint32_t number;
};

struct wakeup_pair {
	struct actor *waker, *wakee;
	uint64_t count;
	uint64_t measured;	     /* of those, how many times the wait could be measured */
	uint64_t total, max, max_at; /* ns; max_at: when that wakeup was */
	/* Of those, what lost events cannot have made another pair's. */
	uint64_t sure, total_sure, max_sure;
	struct histogram waits; /* those measured, ns */
};

struct wakeups {
	struct model *model;
	bool has_waking;    /* else sched_wakeup, which may fire on the woken task's CPU */
	struct hash actors; /* hash of what it is -> chain of actors */
	uint32_t nr_actors;
	struct hash pairs;  /* numbers of both -> struct wakeup_pair */
	uint64_t nr_unsure; /* of all pairs; from wakeups_finish() on */
};

struct wakeups *wakeups_new(struct host *h);
/* What it hears; the host's user is its struct wakeups. */
extern const struct sched_callbacks wakeups_sched;
/* When all is read: asks again where tasks live, and adds up what proves to be the same. */
void wakeups_finish(struct wakeups *w);
/* Whether the waits of a pair are more than can be counted. */
bool wakeups_are_too_long(const struct wakeups *w);
void wakeups_free(struct wakeups *w);

#endif
