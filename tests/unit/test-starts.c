/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/symbols.h"
#include "base/util.h"
#include "record/record-starts.h"
#include "tap.h"

/* What is kept of processes that begin and end, of which users start without end. */

#define GREEDY	   1
#define OTHER	   2
/* Processes that live on; what each user starts has numbers from these on. */
#define GREEDYS	   100000
#define OTHERS	   200000
#define MANY_TIMES 400000

static struct kept kept;
static struct starts starts;
static uint64_t now;

static struct owner by_number(uint32_t pid)
{
	return (struct owner){.user = pid / GREEDYS};
}

static struct owner gone(uint32_t pid)
{
	(void)pid;
	return (struct owner){.user = UINT32_MAX};
}

/* Which program each process has, of those from its user's first on; 0: it is gone. */
static uint64_t programs[4];

static bool by_program(uint32_t pid, struct stamp *stamp)
{
	uint64_t program = programs[pid % ARRAY_SIZE(programs)];

	*stamp = (struct stamp){.ns = ++now, .began = 1, .code = 0x400000, .stack = program};
	return program;
}

/* Those of the one lose their ends. */
static bool is_others(uint32_t pid)
{
	return pid / GREEDYS == OTHER;
}

static void begin(void)
{
	int fd = memfd_create("programs", MFD_CLOEXEC);

	if (fd < 0 || kept_open(&kept, fd))
		exit(2);
	starts_open(&starts, &kept);
	starts.owner_of = by_number;
	starts.stamp_of = by_program;
	starts.is_there = is_others;
	now = 1000000000;
}

static struct change change(uint32_t pid)
{
	return (struct change){.ns = ++now, .pid = pid};
}

static bool maps(uint32_t pid)
{
	struct change c = change(pid);

	c.map = (struct mapping){.begin = 0x7f0000001000, .end = 0x7f0000002000};
	return starts_owner(&starts, &c) && starts_map(&starts, &c, 7);
}

static void forks(uint32_t pid, uint32_t parent)
{
	struct change c = change(pid);

	c.parent = parent;
	starts_fork(&starts, &c);
}

static void executes(uint32_t pid)
{
	struct change c = change(pid);

	starts_exec(&starts, &c);
}

static void ends(uint32_t pid)
{
	struct change c = change(pid);

	starts_exit(&starts, &c);
}

static bool starts_one(uint32_t pid, uint32_t parent)
{
	bool told;

	forks(pid, parent);
	executes(pid);
	told = maps(pid);
	ends(pid);
	return told;
}

/* All that was kept; the caller frees it. */
static char *text(void)
{
	char *all;
	off_t size;

	kept_flush(&kept);
	size = kept_place(&kept);
	all = xcalloc((size_t)size + 1, 1);
	if (pread(kept.fd, all, (size_t)size, 0) != size)
		exit(2);
	return all;
}

static void end(void)
{
	struct hash *shares[] = {&kept.shares.users, &kept.shares.groups, &starts.by_pid};
	size_t i, pos;
	void *each;

	for (i = 0; i < ARRAY_SIZE(shares); i++) {
		for (pos = 0; (each = hash_next(shares[i], &pos));)
			free(each);
		hash_free(shares[i]);
	}
	kept_close(&kept);
}

/* What the last line of that process is, or 0. */
static char last_of(const char *all, uint32_t pid)
{
	char last = 0, *end;
	const char *line;

	for (line = all; *line; line = strchr(line, '\n') + 1)
		if (strchr("pmxe", *line) && strtoul(line + 2, &end, 10) &&
		    strtoul(end, NULL, 10) == pid)
			last = *line;
	return last;
}

static void who_starts_without_end_leaves_others_room(void)
{
	uint32_t pid = GREEDYS;
	size_t nr = 0;

	begin();
	expect(maps(OTHERS));
	expect(maps(pid));
	while (nr < 4 * MANY_TIMES && starts_one(pid + 1 + nr % 1000, pid))
		nr++;
	/* A quarter of what there is, if nobody else has much. */
	expect(nr < 4 * MANY_TIMES);
	expect(kept.written > PROGRAMS_MAX / 5 && kept.written < PROGRAMS_MAX / 4);
	expect(!starts_one(pid + 1, pid));
	expect(starts_one(OTHERS + 1, OTHERS));
	expect(kept.written < PROGRAMS_MAX / 4);
	end();
}

/* Whoever reads it must not take what it had for what it has. */
static void what_has_no_room_has_nothing(void)
{
	uint32_t pid = GREEDYS, other = GREEDYS + 1, child = GREEDYS + 2;
	uint64_t left;
	char *all;

	begin();
	expect(maps(pid));
	expect(maps(other));
	while (maps(pid))
		;
	expect(maps(OTHERS));
	left = kept.written;
	forks(child, other);
	executes(child);
	expect(!maps(child));
	ends(child);
	expect(!maps(other));
	forks(child, other);
	expect(!maps(child));
	ends(child);
	ends(other);
	all = text();
	/* Nothing but the last of the other. */
	expect(kept.written < left + 40);
	expect_int(last_of(all, pid), 'x');
	expect_int(last_of(all, other), 'x');
	expect_int(last_of(all, OTHERS), 'm');
	expect_int((int64_t)kept.lost, 5);
	free(all);
	end();
}

/* Some of it would be half of it. */
static void what_had_no_room_has_nothing_though_there_is_some(void)
{
	uint32_t pid = GREEDYS, i;

	begin();
	expect(maps(pid));
	for (i = 1; i <= 1000; i++)
		forks(pid + i, pid);
	while (maps(pid))
		;
	for (i = 1; i <= 1000; i++)
		ends(pid + i);
	expect(!maps(pid));
	executes(pid);
	expect(maps(pid));
	end();
}

static void who_is_gone_is_his_who_started_it(void)
{
	uint32_t pid = GREEDYS;
	uint64_t before;

	begin();
	expect(maps(pid));
	starts.owner_of = gone;
	forks(pid + 1, pid);
	executes(pid + 1);
	before = kept.shares.nr;
	while (maps(pid + 1))
		;
	expect(kept.shares.nr > before + PROGRAMS_MAX / 8);
	expect(!maps(pid));
	end();
}

/* What was taken for ends that came is no longer, but for their lines. */
static void what_is_taken_is_written(void)
{
	size_t i;
	uint64_t before;

	begin();
	before = kept.written;
	expect(maps(OTHERS));
	for (i = 0; i < 1000; i++)
		starts_one(OTHERS + 1, OTHERS);
	/* Ends that were lost. */
	for (i = 0; i < 1000; i++)
		forks(OTHERS + 1, OTHERS);
	ends(OTHERS + 1);
	ends(OTHERS);
	expect_int((int64_t)kept.shares.nr, (int64_t)(kept.written - before));
	expect_int((int64_t)starts.by_pid.nr, 0);
	end();
}

/* How many lines of that kind that process has. */
static unsigned int count(const char *all, char kind, uint32_t pid)
{
	const char *line;
	unsigned int nr = 0;
	char *end;

	for (line = all; *line; line = strchr(line, '\n') + 1)
		if (*line == kind && strtoul(line + 2, &end, 10) && strtoul(end, NULL, 10) == pid)
			nr++;
	return nr;
}

static void set_programs(uint64_t program)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(programs); i++)
		programs[i] = program;
}

static void whose_program_was_lost_has_nothing_from_then_on(void)
{
	uint32_t same = OTHERS, another = OTHERS + 1, none = OTHERS + 2, child = OTHERS + 3;
	uint64_t since;
	char *all, *line;

	begin();
	set_programs(1);
	expect(maps(same) && maps(another) && maps(none));
	forks(child, same);
	since = ++now;
	programs[another % 4] = 2;
	programs[none % 4] = 0;
	expect(!starts_doubt(&starts, same, since, ++now));
	expect(starts_doubt(&starts, another, since, now));
	expect(!starts_doubt(&starts, none, since, now));
	expect(!starts_doubt(&starts, child, since, now));
	/* Once is enough. */
	expect(maps(another));
	expect(!starts_doubt(&starts, another, now + 1, now + 10));
	all = text();
	line = xasprintf("\nx %llu %u\n", (unsigned long long)since, another);
	expect(strstr(all, line));
	expect_int(count(all, 'x', another), 1);
	expect_int(count(all, 'x', same) + count(all, 'x', none) + count(all, 'x', child), 0);
	free(line);
	free(all);
	end();
}

/* Where its program was asked for only when the other one may have begun already. */
static void whose_program_was_asked_late_is_doubted(void)
{
	uint32_t pid = OTHERS;
	uint64_t since, until;
	char *all;

	begin();
	set_programs(1);
	since = ++now;
	expect(maps(pid));
	until = ++now;
	expect(starts_doubt(&starts, pid, since, until));
	/* All of which is known to be older. */
	executes(pid);
	expect(maps(pid));
	expect(!starts_doubt(&starts, pid, since, until));
	all = text();
	expect_int(count(all, 'x', pid), 1);
	free(all);
	end();
}

static void who_is_not_known_is_to_be_told(void)
{
	begin();
	set_programs(1);
	expect(starts_doubt(&starts, OTHERS, now, now + 1));
	expect_int((int64_t)starts.by_pid.nr, 0);
	end();
}

/* Whether the file, of which @fd is a copy, says that all is there. */
static bool has_end(int fd)
{
	char last[3] = "";
	off_t size = lseek(fd, 0, SEEK_END);

	return pread(fd, last, sizeof(last), size - (off_t)sizeof(last)) == sizeof(last) &&
	       !memcmp(last, "\n.\n", sizeof(last));
}

/* As on a disk that was full for a moment. */
static void what_found_no_room_is_not_all(void)
{
	const struct rlimit none = {4096, RLIM_INFINITY};
	struct rlimit before;
	unsigned int i;
	int fd;

	begin();
	fd = dup(kept.fd);
	expect(maps(OTHERS));
	end();
	expect(has_end(fd));
	close(fd);
	begin();
	fd = dup(kept.fd);
	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &none);
	for (i = 0; i < 1000; i++)
		expect(maps(OTHERS));
	setrlimit(RLIMIT_FSIZE, &before);
	expect(maps(OTHERS));
	end();
	expect(lseek(fd, 0, SEEK_END) > 0 && !has_end(fd));
	close(fd);
}

static struct owner of_one(uint32_t pid)
{
	return (struct owner){.user = pid < MANY_TIMES ? OTHER : GREEDY};
}

/* Whoever makes the kernel lose changes makes it lose ends, too, of as many as there are ids. */
static void whose_end_was_lost_is_forgotten(void)
{
	uint32_t i, nr = 4 * MANY_TIMES, most = 0;
	char *all;

	begin();
	starts.owner_of = of_one;
	expect(maps(OTHERS));
	forks(OTHERS + 1, OTHERS);
	expect(maps(MANY_TIMES));
	for (i = 1; i <= nr; i++) {
		forks(MANY_TIMES + i, MANY_TIMES + i - 1);
		if (starts.by_pid.nr > most)
			most = (uint32_t)starts.by_pid.nr;
	}
	if (most > nr / 4)
		tap_expect_int(most, 1, "of those that lost their end", __FILE__, __LINE__);
	/* Who lives is still known. */
	expect(maps(OTHERS) && maps(OTHERS + 1));
	all = text();
	expect_int(last_of(all, MANY_TIMES), 'e');
	expect_int(last_of(all, OTHERS), 'm');
	expect_int(last_of(all, OTHERS + 1), 'm');
	free(all);
	end();
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"who starts without end leaves others room",
		 who_starts_without_end_leaves_others_room},
		{"what has no room has nothing", what_has_no_room_has_nothing},
		{"what had no room has nothing, though there is some",
		 what_had_no_room_has_nothing_though_there_is_some},
		{"who is gone is his who started it", who_is_gone_is_his_who_started_it},
		{"what is taken is written", what_is_taken_is_written},
		{"whose program was lost has nothing from then on",
		 whose_program_was_lost_has_nothing_from_then_on},
		{"whose program was asked late is doubted",
		 whose_program_was_asked_late_is_doubted},
		{"who is not known is to be told", who_is_not_known_is_to_be_told},
		{"what found no room is not all", what_found_no_room_is_not_all},
		{"whose end was lost is forgotten", whose_end_was_lost_is_forgotten},
		{0},
	};

	return tap_run(tests);
}
