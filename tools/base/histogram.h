/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_HISTOGRAM_H
#define LC_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How numbers are distributed, as HdrHistogram does it: a bucket for each power of two, cut into 16
 * parts of one width, and one for each number below 16. So what is told of a number is at most 1/16
 * too much, and a histogram has 976 parts at most, whatever is counted; only those between the
 * least and the greatest are in memory. Zero-initialized, it is empty.
 */

#define HISTOGRAM_PARTS 16

struct histogram {
	uint64_t *counts; /* HISTOGRAM_PARTS for each bucket */
	size_t first, nr; /* buckets in memory */
	uint64_t total;
};

/* Of a bucket: both are in it. */
struct histogram_bucket {
	uint64_t from, to, count;
};

void histogram_count(struct histogram *h, uint64_t value);
/* Adds what @from has counted. */
void histogram_add(struct histogram *h, const struct histogram *from);
/*
 * The least number that @percent of all, or more, are not above (the nearest rank): never told too
 * little, and at most 1/16 too much. @max: the greatest that was counted, which is not exceeded.
 * 0 of none.
 */
uint64_t histogram_percentile(const struct histogram *h, unsigned int percent, uint64_t max);
/* The next bucket in which anything is, the least first; begin with @pos 0. */
bool histogram_next(const struct histogram *h, size_t *pos, struct histogram_bucket *bucket);
/* It is empty then. */
void histogram_free(struct histogram *h);

#endif
