/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SWEEP_H
#define LC_SWEEP_H

#include "container.h"

/*
 * For one that watches for months, while containers come and go: what the model has of those that
 * are gone is dropped. Kept are PID namespaces, control groups, containers and pods that live or
 * ended a short while ago, those that a task which the model still has was in, and those that the
 * caller points to; and what these lead to. A number that comes again makes a new one, as always.
 */
struct sweep;

struct sweep_callbacks {
	/* Tells by sweep_keep() of each container that the caller points to. */
	void (*keep)(void *ctx, struct sweep *s);
	/* It will be no more, and its address may be that of another one. */
	void (*on_gone)(void *ctx, const struct container *c);
	void *ctx;
};

/* How much there is, living or not, that a sweep looks at besides tasks. */
size_t model_size(const struct model *m);
/*
 * Between events, after model_forget() with the same @before and sched_forget_throttles(): drops
 * what ended before that moment. Names that were told by then of nobody who is known, too. Returns
 * whether some are taken for dead now of whom nobody told: another sweep may drop more.
 */
bool model_sweep(struct model *m, uint64_t before, const struct sweep_callbacks *cb);
/* NULL, the host, need not be kept. */
void sweep_keep(struct sweep *s, struct container *c);

#endif
