/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_DELAYS_H
#define LC_DELAYS_H

#include "blames.h"
#include "waiting.h"
#include "base/histogram.h"
#include "trace/load.h"

/*
 * How long runnable tasks waited for a CPU, and who had it meanwhile. A wait
 * begins when a task is woken, made, or switched out although it could run on,
 * and ends when it is switched in; it is of the CPU whose queue the task is in.
 */

/* Whose doing it is that the CPU was taken. */
struct culprit culprit_of_run(const struct run *run);

struct wait;

struct victim {
	bool told;
	struct container *container; /* NULL: the host */
	uint64_t waits, ns, longest;
	/* Of that, what lost events may have been otherwise: the wait, or whose it was. */
	uint64_t unsure_waits, unsure;
	uint64_t longest_sure;
	struct histogram lengths; /* of all waits, ns */
	struct blames blames;	  /* the worst first */
	struct wait **worst;	  /* the longest, in no certain order */
	size_t nr_worst;
};

/* One wait; of each victim the longest are kept. */
struct wait {
	struct task *task; /* NULL: known by its tid alone */
	int tid;
	int cpu; /* the last */
	enum wait_reason why;
	uint64_t begin, end;
	uint64_t ns; /* without what it was itself running where events were lost, within the limits
		      */
	bool unsure, unfinished;
	bool told, place_unsure;
	struct container *container;
	struct place place; /* at its end */
	struct blames blames;
	uint64_t here_since;
	struct waiter here;  /* among those that wait for that CPU now */
	struct queue *queue; /* where it is now */
	struct stay *stay;
	size_t nr_stays; /* that are not settled yet */
};

struct delays;

/* @nr_worst: how many of the longest waits of each victim to keep. */
struct delays *delays_new(struct host *h, size_t nr_worst);
/* Only what lies between, ns since the epoch, counts. Call it before any run. */
void delays_limit(struct delays *d, uint64_t from, uint64_t to);
void delays_free(struct delays *d);
/*
 * Tells of each wait, when all of it is known: with what it is blamed on, in no certain order.
 * One that is unfinished has no end (UINT64_MAX). Nothing is added up for victims then, of whom
 * there may be more and more while a session is watched.
 */
void delays_tell(struct delays *d, void (*on_wait)(void *ctx, const struct wait *w), void *ctx);
/* For model_forget(), of a task that ended and whose waits were told of. */
void delays_forget(struct delays *d, const struct task *t);
/* For model_sweep(), of one that tells of waits: the containers that are pointed to here. */
void delays_keep(struct delays *d, struct sweep *sweep);
/* What it hears; the host's user is its struct delays. */
extern const struct sched_callbacks delays_sched;
/* After all was told up to the end. */
void delays_finish(struct delays *d, uint64_t end);

/* Whether somebody's waits are more than can be counted. */
bool delays_are_too_long(const struct delays *d);
/* Those who waited most first. Some may have no waits. */
struct victim *const *delays_victims(const struct delays *d, size_t *nr);
/* Switched in without a known begin of the wait: it was before the trace, or was lost. */
uint64_t delays_untold(const struct delays *d);

#endif
