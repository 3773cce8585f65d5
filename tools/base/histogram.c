/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "util.h"

/* 16 is 2 to the fourth. */
#define PARTS_LOG 4

/* Bucket 0 has the numbers below 16; bucket n those from 2^(n+3) on. */
static size_t part_of(uint64_t value)
{
	unsigned int shift;

	if (value < HISTOGRAM_PARTS)
		return (size_t)value;
	shift = log2_of(value) - PARTS_LOG;
	return (shift + 1) * HISTOGRAM_PARTS + (size_t)(value >> shift) % HISTOGRAM_PARTS;
}

static uint64_t least_of(size_t part)
{
	if (part < HISTOGRAM_PARTS)
		return part;
	return (uint64_t)(HISTOGRAM_PARTS + part % HISTOGRAM_PARTS) << (part / HISTOGRAM_PARTS - 1);
}

/* The greatest of all, 2^64 - 1, is the one before 0. */
static uint64_t most_of(size_t part)
{
	return least_of(part + 1) - 1;
}

/* Makes room for the buckets from @first up to @last. */
static void make_room(struct histogram *h, size_t first, size_t last)
{
	uint64_t *counts;
	size_t end = h->first + h->nr;

	if (h->nr && first > h->first)
		first = h->first;
	if (h->nr && last + 1 < end)
		last = end - 1;
	counts = xcalloc((last + 1 - first) * HISTOGRAM_PARTS, sizeof(*counts));
	if (h->nr)
		memcpy(counts + (h->first - first) * HISTOGRAM_PARTS, h->counts,
		       h->nr * HISTOGRAM_PARTS * sizeof(*counts));
	free(h->counts);
	h->counts = counts;
	h->first = first;
	h->nr = last + 1 - first;
}

static inline void reach(struct histogram *h, size_t first, size_t last)
{
	if (!h->nr || first < h->first || last >= h->first + h->nr)
		make_room(h, first, last);
}

void histogram_count(struct histogram *h, uint64_t value)
{
	size_t part = part_of(value);

	reach(h, part / HISTOGRAM_PARTS, part / HISTOGRAM_PARTS);
	h->counts[part - h->first * HISTOGRAM_PARTS]++;
	h->total++;
}

void histogram_add(struct histogram *h, const struct histogram *from)
{
	size_t i, at;

	if (!from->nr)
		return;
	reach(h, from->first, from->first + from->nr - 1);
	at = (from->first - h->first) * HISTOGRAM_PARTS;
	for (i = 0; i < from->nr * HISTOGRAM_PARTS; i++)
		h->counts[at + i] += from->counts[i];
	h->total += from->total;
}

uint64_t histogram_percentile(const struct histogram *h, unsigned int percent, uint64_t max)
{
	uint64_t seen = 0, most, rank;
	size_t i;

	/* Rounded up, and without a product that is too great. */
	rank = h->total / 100 * percent + (h->total % 100 * percent + 99) / 100;
	for (i = 0; i < h->nr * HISTOGRAM_PARTS; i++) {
		seen += h->counts[i];
		if (!seen || seen < rank)
			continue;
		most = most_of(h->first * HISTOGRAM_PARTS + i);
		return most < max ? most : max;
	}
	return 0;
}

bool histogram_next(const struct histogram *h, size_t *pos, struct histogram_bucket *bucket)
{
	size_t part, i;

	for (; *pos < h->nr; (*pos)++) {
		part = (h->first + *pos) * HISTOGRAM_PARTS;
		bucket->from = least_of(part);
		bucket->to = most_of(part + HISTOGRAM_PARTS - 1);
		bucket->count = 0;
		for (i = 0; i < HISTOGRAM_PARTS; i++)
			bucket->count += h->counts[*pos * HISTOGRAM_PARTS + i];
		if (bucket->count) {
			(*pos)++;
			return true;
		}
	}
	return false;
}

void histogram_free(struct histogram *h)
{
	free(h->counts);
	*h = (struct histogram){0};
}
