/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdint.h>
#include <time.h>

#include "base/hash.h"
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

static void walk_is_in_order(void)
{
	struct hash h = {0};
	uint64_t i;
	size_t pos = 0;
	int *value, *last = NULL, wrong = 0;

	for (i = 0; i < 10000; i++) {
		hash_put(&h, i * 0x9e3779b97f4a7c15ull, &values[i]);
		if (i % 3)
			hash_del(&h, (i / 2) * 0x9e3779b97f4a7c15ull);
	}
	while ((value = hash_next(&h, &pos))) {
		wrong += last && value <= last;
		last = value;
	}
	expect_int(wrong, 0);
	expect(last == &values[9999]);
	hash_free(&h);
}

/* Many that come and go take no more room than those that are there. */
static void deletion_gives_room_back(void)
{
	struct hash h = {0};
	uint64_t i;

	for (i = 0; i < 100000; i++) {
		hash_put(&h, i, &values[i % 10000]);
		if (i >= 10)
			hash_del(&h, i - 10);
	}
	expect_int((long long)h.nr, 10);
	expect(h.cap_items < 100);
	hash_free(&h);
}

/* Multiplied by a known number and no seed, as once it was, these all lie in one place. */
static void chosen_keys_do_not_meet(void)
{
	/* The inverse of 0x9e3779b97f4a7c15 modulo 2^64 */
	const uint64_t inverse = 0xf1de83e19937733dull;
	struct hash h = {0};
	clock_t began = clock();
	uint64_t i;

	for (i = 0; i < 200000; i++) {
		uint64_t key = i * inverse;

		hash_put(&h, key ^ key >> 32, &values[0]);
	}
	expect((clock() - began) / CLOCKS_PER_SEC < 5);
	expect_int((long long)h.nr, 200000);
	hash_free(&h);
}

static void texts_differ(void)
{
	expect(hash_text("abc", 3) == hash_text("abcd", 3));
	expect(hash_text("abc", 3) != hash_text("abd", 3));
	expect(hash_text("", 0) != hash_text("\0", 1));
	expect(hash_text("\0\0\0\0\0\0\0\0", 8) != hash_text("\0\0\0\0\0\0\0\0\0", 9));
	expect(hash_text("abcdefgh12345678", 16) != hash_text("12345678abcdefgh", 16));
	expect(hash_numbers(1, 2) != hash_numbers(2, 1));
}

static const struct tap_test tests[] = {
	{"what was put is found", all_are_found},
	{"deletion keeps the others", deletion_keeps_the_others},
	{"putting again replaces", put_replaces},
	{"a walk meets each value once", walk_meets_each_once},
	{"a walk is in the order of putting", walk_is_in_order},
	{"deletion gives room back", deletion_gives_room_back},
	{"keys cannot be chosen to meet", chosen_keys_do_not_meet},
	{"keys of texts and numbers differ", texts_differ},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
