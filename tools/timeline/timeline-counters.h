/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TIMELINE_COUNTERS_H
#define LC_TIMELINE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

/*
 * How many tasks of each container ran, and waited, over time: the means of equal steps, 500 of
 * them, or fewer where there are thousands of containers, so that memory hardly grows with these.
 */

enum counter { COUNT_RUNNING, COUNT_WAITING, COUNTER_NR };

struct counters {
	uint64_t begin, end, step; /* ns since the epoch; ns */
	size_t nr, nr_steps;
	/* Of containers, by number: ns in each step, of all tasks; NULL: none. */
	unsigned __int128 (**of)[COUNTER_NR];
};

/* For containers 0 to @nr - 1. */
struct counters counters_new(uint64_t begin, uint64_t end, size_t nr);
/* One task more did that from the one moment to the other. */
void counters_add(struct counters *c, size_t container, enum counter what, uint64_t begin,
		  uint64_t end);
/* How many in that step, in thousandths. */
uint64_t counters_mean(const struct counters *c, size_t container, enum counter what, size_t step);
/* When a step begins, ns since the epoch; not before the end: there is none. */
uint64_t counters_moment(const struct counters *c, size_t step);
void counters_free(struct counters *c);

#endif
