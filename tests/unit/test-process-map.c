/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "stacks/process-map.h"
#include "tap.h"

/* What processes have mapped, beside a table of all addresses of all processes. */

#define ADDRESSES 64
#define PROCESSES 200
#define STEPS	  20000
/* As process-map.h has them. */
#define EACH_MAX  4096
#define LEVELS	  64

static struct process_maps maps;
static struct mapped table[PROCESSES][ADDRESSES];
static size_t nr_files;

static unsigned int any(unsigned int of)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(state >> 33) % of;
}

static bool put(unsigned int pid, uint64_t begin, uint64_t end)
{
	struct mapped m = {.begin = begin, .end = end, .offset = 1000 * begin, .file = ++nr_files};
	uint64_t i;

	if (!process_maps_put(&maps, pid, m))
		return false;
	for (i = begin; pid < PROCESSES && i < end; i++)
		table[pid][i] = m;
	return true;
}

static void starts(unsigned int pid, unsigned int parent)
{
	process_maps_fork(&maps, pid, parent);
	if (pid < PROCESSES)
		memcpy(table[pid], table[parent], sizeof(table[pid]));
}

static void ends(unsigned int pid)
{
	process_maps_clear(&maps, pid);
	if (pid < PROCESSES)
		memset(table[pid], 0, sizeof(table[pid]));
}

/* How many addresses of that process are not as the table has them. */
static unsigned int wrong(unsigned int pid)
{
	unsigned int i, nr = 0;

	for (i = 0; i < ADDRESSES; i++) {
		const struct mapped *saw = process_maps_at(&maps, pid, i), *is = &table[pid][i];

		if (!saw || !is->file)
			nr += saw || is->file;
		else
			nr += saw->file != is->file || saw->begin > i || saw->end <= i ||
			      i - saw->begin + saw->offset != i - is->begin + is->offset;
	}
	return nr;
}

static unsigned int all_wrong(void)
{
	unsigned int pid, nr = 0;

	for (pid = 0; pid < PROCESSES; pid++)
		nr += wrong(pid);
	return nr;
}

static void end(void)
{
	process_maps_free(&maps);
	expect_int((long long)maps.copied, 0);
	maps = (struct process_maps){0};
	memset(table, 0, sizeof(table));
}

static void put_any(unsigned int pid)
{
	unsigned int begin = any(ADDRESSES), len = 1 + any(ADDRESSES - begin);

	expect(put(pid, begin, begin + 1 + any(len)));
}

static void all_have_what_they_mapped(void)
{
	unsigned int i, pid;

	for (i = 0; i < STEPS; i++) {
		pid = any(PROCESSES);
		switch (any(4)) {
		case 0:
			starts(pid, any(PROCESSES));
			break;
		case 1:
			if (any(2))
				ends(pid);
			break;
		default:
			put_any(pid);
		}
		if (i % 100 == 0)
			expect_int(all_wrong(), 0);
	}
	end();
}

/* Each is the next one's parent, and all live on. */
static void a_long_row_of_forks_is_known(void)
{
	unsigned int pid;

	for (pid = 0; pid + 1 < PROCESSES; pid++) {
		put_any(pid);
		starts(pid + 1, pid);
	}
	expect_int(all_wrong(), 0);
	for (pid = 0; pid < PROCESSES; pid += 2)
		ends(pid);
	for (pid = 1; pid < PROCESSES; pid += 2)
		put_any(pid);
	expect_int(all_wrong(), 0);
	end();
}

/* It maps at the same places again and again, between forks that live on. */
static void what_is_hidden_takes_no_room(void)
{
	unsigned int pid, i;

	for (pid = 1; pid < PROCESSES; pid++) {
		for (i = 0; i < ADDRESSES; i++)
			expect(put(0, i, i + 1));
		starts(pid, 0);
	}
	expect_int(all_wrong(), 0);
	end();
}

static void no_more_is_kept_of_one_process(void)
{
	uint64_t i;

	for (i = 0; i < EACH_MAX - 1; i++)
		expect(put(PROCESSES, 2 * i, 2 * i + 1));
	expect(!put(PROCESSES, 2 * i, 2 * i + 1));
	starts(PROCESSES + 1, PROCESSES);
	expect(!put(PROCESSES + 1, 2 * i, 2 * i + 1));
	ends(PROCESSES + 1);
	expect(process_maps_at(&maps, PROCESSES, 0));
	end();
}

static void map_many(unsigned int pid)
{
	uint64_t i;

	for (i = 0; i < 4000; i++)
		expect(put(pid, 100 + 2 * i, 101 + 2 * i));
}

static void forks_of_one_with_many_mappings_have_room(void)
{
	unsigned int pid;

	map_many(PROCESSES);
	for (pid = PROCESSES + 1; pid < PROCESSES + 10000; pid++) {
		starts(pid, PROCESSES);
		expect(put(pid, 1, 2));
	}
	expect_int((long long)maps.copied, 0);
	expect(put(0, 1, 2));
	expect_int(wrong(0), 0);
	end();
}

/* Rows of forks that each map, until nothing more is copied. */
static void who_takes_all_room_for_copies_takes_it_from_nobody_else(void)
{
	unsigned int pid = PROCESSES, first = pid, row;
	bool had_room = true;

	map_many(first);
	for (row = 0; had_room && row < 10000; row++) {
		unsigned int parent = first, i;

		for (i = 0; had_room && i <= LEVELS; i++) {
			starts(++pid, parent);
			parent = pid;
			had_room = put(pid, 1, 2);
		}
	}
	expect(!had_room);
	expect(maps.copied > (4u << 20) - 8192 && maps.copied <= 4u << 20);
	starts(++pid, first);
	expect(put(pid, 1, 2));
	for (row = 0; row < ADDRESSES; row++)
		expect(put(0, row, row + 1));
	starts(1, 0);
	expect(put(1, 1, 2));
	expect_int(all_wrong(), 0);
	end();
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"all have what they mapped, or their parents", all_have_what_they_mapped},
		{"a long row of forks is known", a_long_row_of_forks_is_known},
		{"what is hidden takes no room", what_is_hidden_takes_no_room},
		{"no more is kept of one process", no_more_is_kept_of_one_process},
		{"forks of one with many mappings have room",
		 forks_of_one_with_many_mappings_have_room},
		{"who takes all room for copies takes it from nobody else",
		 who_takes_all_room_for_copies_takes_it_from_nobody_else},
		{0},
	};

	return tap_run(tests);
}
