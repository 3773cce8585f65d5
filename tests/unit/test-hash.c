/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdint.h>

#include "hash.h"
#include "tap.h"

static int values[10000];

static void all_are_found(void)
{
	struct hash h = {0};
	uint64_t i;
	int wrong = 0;

	for (i = 0; i < 10000; i++)
		hash_put(&h, i << 32, &values[i]);
	for (i = 0; i < 10000; i++)
		wrong += hash_get(&h, i << 32) != &values[i];
	expect_int(wrong, 0);
	expect_int((long long)h.nr, 10000);
	expect(!hash_get(&h, 10000ull << 32));
	hash_free(&h);
}

static void deletion_keeps_the_others(void)
{
	struct hash h = {0};
	uint64_t i;
	int wrong = 0;

	for (i = 0; i < 10000; i++)
		hash_put(&h, i, &values[i]);
	for (i = 0; i < 10000; i += 3)
		hash_del(&h, i);
	hash_del(&h, 123456);
	for (i = 0; i < 10000; i++)
		wrong += hash_get(&h, i) != (i % 3 ? &values[i] : NULL);
	expect_int(wrong, 0);
	hash_free(&h);
}

static void put_replaces(void)
{
	struct hash h = {0};

	hash_put(&h, 7, &values[1]);
	hash_put(&h, 7, &values[2]);
	expect(hash_get(&h, 7) == &values[2]);
	expect_int((long long)h.nr, 1);
	hash_free(&h);
}

static void walk_meets_each_once(void)
{
	struct hash h = {0};
	uint64_t i;
	size_t pos = 0;
	int n = 0;

	expect(!hash_next(&h, &pos));
	for (i = 0; i < 1000; i++)
		hash_put(&h, i * 977, &values[i]);
	for (pos = 0; hash_next(&h, &pos);)
		n++;
	expect_int(n, 1000);
	hash_free(&h);
}

static const struct tap_test tests[] = {
	{"what was put is found", all_are_found},
	{"deletion keeps the others", deletion_keeps_the_others},
	{"putting again replaces", put_replaces},
	{"a walk meets each value once", walk_meets_each_once},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
