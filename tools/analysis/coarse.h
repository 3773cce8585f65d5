/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_COARSE_H
#define LC_COARSE_H

#include "model/model.h"

/*
 * Throttling where it is not recorded itself, but a recorder has read what cpu.stat says of it
 * (quota.h). When a cgroup was kept off a CPU is not told, so how long it was is taken from what
 * its tasks waited for CPUs in that interval, and never more than that: first from where the CPU
 * had nothing else to do, then from where others had it; of each wait the same share.
 */
struct coarse {
	/* Of cgroups which have a quota themselves, or one above them. */
	struct group_waits **list;
	size_t nr, cap;
	struct hash by_group;
	uint64_t nr_told, nr_looks; /* see coarse_take() */
};

struct why_account;
struct cause_sum;

/* Of one wait for a CPU what counts for one sum, and is not taken yet. */
struct coarse_wait {
	uint64_t told; /* when it was, which is when the wait had ended */
	uint64_t ns;
	struct why_account *account;
	struct cause_sum *sum;
	size_t window;
	bool idle, unsure;
};

/* A task's, as it is counted, if the task has a quota. */
void coarse_add(struct coarse *c, const struct model *m, const struct task *t,
		const struct coarse_wait *wait);
/* @take hears what of which waits was taken: no more of each than it has, as often as it likes. */
void coarse_take(struct coarse *c, const struct model *m, const struct quota_taken *taken,
		 void (*take)(void *ctx, const struct coarse_wait *wait, uint64_t ns), void *ctx);
void coarse_free(struct coarse *c);

#endif
