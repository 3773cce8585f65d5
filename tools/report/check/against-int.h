/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_AGAINST_INT_H
#define LC_AGAINST_INT_H

#include "against.h"

/* What of a task can change without a birth or a death, as it was when the snapshot ended. */
struct capture {
	const struct task *task;
	char comm[COMM_MAX + 1];
	bool comm_certain; /* it slept all along */
	int ppid;
	bool ppid_certain;
	uint32_t ns_inums[NS_KIND_NR];
	bool ns_certain; /* it has not run since they were told */
	struct task_cgroup *cgroups;
	size_t nr_cgroups;
	/* From the first state dump after the snapshot: what is equal did not change. */
	bool told_after;
	uint32_t ns_after[NS_KIND_NR];
	struct task_cgroup *cgroups_after;
	size_t nr_cgroups_after;
};

/* One snapshot and one host that it fits. */
struct pair {
	struct snapshot *snapshot;
	struct host *host;
	uint64_t begin, end; /* ns since the epoch */
	bool captured;
	enum sure sure;	    /* whether the model knew all when captured */
	unsigned int dumps; /* whole state dumps when last looked */
	struct capture *captures;
	size_t nr_captures, cap_captures;
	struct hash by_task; /* task -> capture */
	uint64_t nr_compared, nr_raced;
};

struct window {
	struct snapshot snapshot;
	struct pair **pairs;
	size_t nr_pairs, cap_pairs;
};

/* Compares one thread that lived through the snapshot. */
void compare_thread(struct verdicts *v, const struct pair *p, const struct snap_thread *s,
		    const struct task *t, const struct task *leader);
/* Judges a whole pair. */
void compare_pair(struct verdicts *v, struct pair *p);

#endif
