/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdint.h>
#include <stdlib.h>

#include "base/histogram.h"
#include "base/util.h"
#include "tap.h"

#define NR 20000

static uint64_t values[NR];

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The nearest rank, of the sorted numbers themselves. */
static uint64_t exact(size_t nr, unsigned int percent)
{
	size_t rank = (nr * percent + 99) / 100;

	return values[rank ? rank - 1 : 0];
}

/* Numbers of all sizes; xorshift, so that each run has the same ones. */
static void fill(size_t nr)
{
	uint64_t x = 88172645463325252ull;
	size_t i;

	for (i = 0; i < nr; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		values[i] = x >> (1 + x % 63);
	}
}

static void a_percentile_is_at_most_a_sixteenth_too_much(void)
{
	static const size_t sizes[] = {1, 2, 3, 19, 20, 21, 99, 100, 101, NR};
	size_t i, k;
	unsigned int percent;
	int less = 0, more = 0;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct histogram h = {0};

		fill(sizes[i]);
		for (k = 0; k < sizes[i]; k++)
			histogram_count(&h, values[k]);
		qsort(values, sizes[i], sizeof(*values), compare);
		for (percent = 0; percent <= 100; percent++) {
			uint64_t is = exact(sizes[i], percent);
			uint64_t told = histogram_percentile(&h, percent, values[sizes[i] - 1]);

			less += told < is;
			more += told > is && told - is > is / 16;
		}
		expect(histogram_percentile(&h, 100, values[sizes[i] - 1]) == values[sizes[i] - 1]);
		histogram_free(&h);
	}
	expect_int(less, 0);
	expect_int(more, 0);
}

static void small_numbers_are_exact(void)
{
	struct histogram h = {0};
	uint64_t i;

	for (i = 0; i < 20; i++)
		histogram_count(&h, i);
	expect_int((long long)histogram_percentile(&h, 50, 19), 9);
	expect_int((long long)histogram_percentile(&h, 95, 19), 18);
	expect_int((long long)histogram_percentile(&h, 99, 19), 19);
	histogram_free(&h);
}

static void of_none_there_is_nothing(void)
{
	struct histogram h = {0}, other = {0};
	struct histogram_bucket b;
	size_t pos = 0;

	histogram_add(&h, &other);
	expect(!histogram_next(&h, &pos, &b));
	expect_int((long long)histogram_percentile(&h, 99, 7), 0);
	histogram_free(&h);
}

static void the_buckets_have_all(void)
{
	struct histogram h = {0};
	struct histogram_bucket b;
	uint64_t nr = 0, last = 0;
	size_t pos = 0, i;
	int wrong = 0;

	fill(NR);
	for (i = 0; i < NR; i++)
		histogram_count(&h, values[i]);
	while (histogram_next(&h, &pos, &b)) {
		uint64_t in = 0;

		for (i = 0; i < NR; i++)
			in += values[i] >= b.from && values[i] <= b.to;
		/* From a power of two up to the next, but for the first. */
		wrong += in != b.count || (b.from && b.to != 2 * b.from - 1) || b.from < last;
		last = b.to;
		nr += b.count;
	}
	expect_int(wrong, 0);
	expect_int((long long)nr, NR);
	histogram_free(&h);
}

static void the_greatest_number_fits(void)
{
	struct histogram h = {0};
	struct histogram_bucket b = {0};
	size_t pos = 0;

	histogram_count(&h, UINT64_MAX);
	expect(histogram_next(&h, &pos, &b) && b.to == UINT64_MAX && b.from == 1ull << 63);
	expect(histogram_percentile(&h, 50, UINT64_MAX) == UINT64_MAX);
	histogram_free(&h);
}

static void two_are_added_up(void)
{
	struct histogram one = {0}, all = {0}, parts[2] = {{0}, {0}};
	unsigned int percent;
	size_t i;
	int wrong = 0;

	fill(NR);
	for (i = 0; i < NR; i++) {
		histogram_count(&one, values[i]);
		histogram_count(&parts[values[i] % 1000 > 900], values[i]);
	}
	histogram_add(&all, &parts[0]);
	histogram_add(&all, &parts[1]);
	for (percent = 0; percent <= 100; percent++)
		wrong += histogram_percentile(&all, percent, UINT64_MAX) !=
			 histogram_percentile(&one, percent, UINT64_MAX);
	expect_int(wrong, 0);
	expect_int((long long)all.total, NR);
	histogram_free(&one);
	histogram_free(&all);
	histogram_free(&parts[0]);
	histogram_free(&parts[1]);
}

static const struct tap_test tests[] = {
	{"a percentile is never too little, and at most 1/16 too much",
	 a_percentile_is_at_most_a_sixteenth_too_much},
	{"small numbers are exact", small_numbers_are_exact},
	{"of none there is nothing", of_none_there_is_nothing},
	{"the buckets have all that was counted", the_buckets_have_all},
	{"the greatest number fits", the_greatest_number_fits},
	{"two are added up", two_are_added_up},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
