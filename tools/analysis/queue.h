/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_QUEUE_H
#define LC_QUEUE_H

#include <stddef.h>

#include "culprit.h"

/*
 * Those who wait for one CPU, and who has it meanwhile. Who enters and leaves is told as it
 * happens; whose the time was, later, in its order. A stay that is left is settled when the time up
 * to its end was told. What a run costs does not depend on how many wait, nor what a stay costs on
 * how many runs there are in it, but for who they are of, up to CULPRITS_MAX.
 */
struct queue;
struct stay;

/* What one culprit had of the CPU during a stay. */
struct share {
	struct culprit who;
	uint64_t first; /* when, for the first time */
	uint64_t ns;
	uint64_t unsure; /* of that */
};

/*
 * @user's stay is over, as far as was told. The shares are those that are not 0, by their first,
 * that of BY_OTHERS last; @is_unsure: in some of it nobody knows for sure who had the CPU.
 */
typedef void queue_settled(void *ctx, void *user, const struct share *shares, size_t nr,
			   bool is_unsure);

/* The container that all of what @who is within is in; NULL: it is within none. */
typedef struct container *queue_around(void *ctx, const struct culprit *who);

/* Never NULL. Free with queue_free(), which calls @drop for who is still in it. */
struct queue *queue_new(queue_settled *settled, queue_around *around, void *ctx);
void queue_free(struct queue *q, void (*drop)(void *user));

/* The stay belongs to the queue, until it is settled. What @tid runs is not counted in it. */
struct stay *queue_enter(struct queue *q, void *user, int tid, uint64_t now);
/* @at_once: all up to now was told. */
void queue_leave(struct queue *q, struct stay *s, uint64_t now, bool at_once);

/* A stretch of the CPU's time; of what it was in nobody's way it need not be told. */
struct stretch {
	struct culprit who;
	int tid;	     /* 0: no task's own */
	uint64_t begin, end; /* what counts of it; the same: nothing */
	uint64_t until;	     /* all of it */
	bool unsure;	     /* whose it was is not sure */
	bool taints;	     /* nor are the stays that it is in */
};

void queue_run(struct queue *q, const struct stretch *r);
/*
 * Between calls: drops culprits of whom nobody in the queue will ask, whose containers may be gone;
 * then tells of each that is left, and of each user whose stay is not settled.
 */
void queue_forget(struct queue *q, void (*culprit)(void *ctx, const struct culprit *who),
		  void (*user)(void *ctx, void *user), void *ctx);
/* Settles all, also who has not left. */
void queue_settle(struct queue *q);

#endif
