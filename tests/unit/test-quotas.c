/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/record-groups.h"
#include "record/record.h"
#include "tap.h"

/*
 * Quotas of cgroups for the trace: a container that makes many, deep, or ever other ones keeps
 * nobody else's away. The hierarchy is one of directories and files, as cgroupfs shows it.
 */

#define LINES_MAX 512

static char top[PATH_MAX];
static struct quota_scan *scan;

/* What a scan has told of: how many lines, and what a group's last one was. */
static size_t nr_lines;
static char lines[LINES_MAX + 1][256];

static void take_line(void *ctx, const char *line)
{
	(void)ctx;
	if (nr_lines <= LINES_MAX)
		snprintf(lines[nr_lines], sizeof(lines[0]), "%s", line);
	nr_lines++;
}

static bool is_of(const char *line, const char *group)
{
	char end[128];
	const char *at;

	snprintf(end, sizeof(end), " cgroup=%s", group);
	at = strstr(line, end);
	return at && !at[strlen(end)];
}

static const char *told(const char *group)
{
	static char found[64];
	size_t i;

	snprintf(found, sizeof(found), "nothing");
	for (i = 0; i < nr_lines && i <= LINES_MAX; i++)
		if (is_of(lines[i], group))
			sscanf(lines[i], "quota v1 cpu_quota_us=%63s", found);
	return found;
}

static void look(void)
{
	nr_lines = 0;
	quota_scan_run(scan, take_line, NULL);
}

static void make(const char *group)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", top, group);
	if (mkdir(path, 0755))
		exit(2);
}

static void set(const char *group, const char *quota)
{
	char path[2 * PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/cpu.max", top, group);
	f = fopen(path, "we");
	if (!f || fprintf(f, "%s 100000\n", quota) < 0 || fclose(f))
		exit(2);
}

/* Good until it was called four times more. */
static const char *name(const char *above, const char *word, unsigned int n)
{
	static char all[4][256];
	static unsigned int next;
	char *path = all[next++ % 4];

	snprintf(path, sizeof(all[0]), "%s/%s%u", above, word, n);
	return path;
}

static int drop(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void begin(void)
{
	/* Tens of thousands of directories are much for a disk. */
	const char *dir = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";

	snprintf(top, sizeof(top), "%s/quotas.XXXXXX", dir);
	if (!mkdtemp(top))
		exit(2);
	scan = quota_scan_at(open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC), false, true);
}

static void end(void)
{
	quota_scan_close(scan);
	nftw(top, drop, 16, FTW_DEPTH | FTW_PHYS);
}

/* Others, some older than the attacker and some younger, as the order of a directory is anybody's.
 */
static void make_others(unsigned int from, unsigned int to)
{
	for (; from < to; from++) {
		make(name("box", "other", from));
		make(name(name("box", "other", from), "in", 1));
	}
}

static void set_others(const char *quota)
{
	unsigned int i;

	for (i = 0; i < 20; i++)
		set(name(name("box", "other", i), "in", 1), quota);
}

static unsigned int others_told(const char *quota)
{
	unsigned int i, nr = 0;

	for (i = 0; i < 20; i++)
		nr += !strcmp(told(name(name("/box", "other", i), "in", 1)), quota);
	return nr;
}

static void set_attackers(unsigned int nr, const char *quota)
{
	while (nr-- > 0)
		set(name("box/bad", "g", nr), quota);
}

static void test_many_changes(void)
{
	unsigned int i;

	begin();
	make("box");
	make_others(0, 10);
	make("box/bad");
	make_others(10, 20);
	for (i = 0; i < 2000; i++)
		make(name("box/bad", "g", i));
	set_attackers(2000, "1000");
	set_others("5000");
	look();
	expect_int(nr_lines, LINES_MAX);
	expect_int(others_told("5000"), 20);
	set_attackers(2000, "2000");
	set_others("6000");
	look();
	expect_int(nr_lines, LINES_MAX);
	expect_int(others_told("6000"), 20);
	/* Quotas that are taken away, too. */
	set_attackers(2000, "max");
	set_others("max");
	look();
	expect_int(nr_lines, LINES_MAX);
	expect_int(others_told("max"), 20);
	end();
}

/* Returns how many lines were told in all. */
static unsigned int look_often(unsigned int times)
{
	unsigned int all = 0;

	while (times-- > 0) {
		look();
		all += nr_lines;
	}
	return all;
}

/* A buffer has room for so many bytes, of which others have theirs. */
static void test_long_names(void)
{
	char group[512], word[201];
	size_t sum = 0;
	unsigned int i;

	begin();
	memset(word, 'w', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	make(word);
	for (i = 0; i < 400; i++) {
		snprintf(group, sizeof(group), "%s/%s%u", word, word, i);
		make(group);
		set(group, "1000");
	}
	for (i = 0; i < 3; i++) {
		look();
		expect(nr_lines > 20 && nr_lines < 80 * 1024 / 400 + 2);
		sum += nr_lines;
	}
	expect_int(sum, 400);
	end();
}

/* So many groups that are so deep, with a name of blanks at each level: a blank is %20 in a line.
 */
static void make_deep(unsigned int depth, unsigned int nr)
{
	char above[PATH_MAX] = "bad", group[PATH_MAX + 16];
	size_t len = strlen(above);
	unsigned int i;

	make(above);
	while (depth-- > 0) {
		snprintf(above + len, sizeof(above) - len, "/%*s", 250, " ");
		len += 251;
		make(above);
	}
	for (i = 0; i < nr; i++) {
		snprintf(group, sizeof(group), "%s/%u", above, i);
		make(group);
		set(group, "1000");
	}
}

/* Whether others' quotas are told beside such ones, in the same scan. */
static void check_beside_deep(unsigned int depth)
{
	unsigned int i, nr = 0;

	begin();
	make_deep(depth, 200);
	make("box");
	for (i = 0; i < 200; i++) {
		make(name("box", "g", i));
		set(name("box", "g", i), "1000");
	}
	look();
	for (i = 0; i < 200; i++)
		nr += !strcmp(told(name("/box", "g", i)), "1000");
	expect_int(nr, 200);
	end();
}

static void test_long_paths_of_one(void)
{
	check_beside_deep(1);
}

/* No line has room for these. */
static void test_paths_that_are_too_long(void)
{
	check_beside_deep(14);
}

static void test_who_waits(void)
{
	unsigned int i;

	begin();
	make("box");
	make("box/bad");
	for (i = 0; i < 1200; i++)
		make(name("box/bad", "g", i));
	set_attackers(1200, "1000");
	expect_int(look_often(4), 1200);
	expect_int(nr_lines, 0);
	set_attackers(1200, "max");
	expect_int(look_often(4), 1200);
	end();
}

static void test_many_groups(void)
{
	unsigned int i;

	begin();
	make("box");
	make_others(0, 10);
	make("box/bad");
	make_others(10, 20);
	/* In one directory, and in many. */
	for (i = 0; i < 10000; i++)
		make(name("box/bad", "g", i));
	for (i = 0; i < 11000; i++)
		make(name("box/bad/g1", "h", i));
	set_others("5000");
	look();
	expect_int(others_told("5000"), 20);
	expect_int(nr_lines, 20);
	end();
}

/* What was not looked at has its quota still. */
static void test_no_time(void)
{
	unsigned int i;

	begin();
	make("bad");
	for (i = 0; i < 30; i++) {
		make(name("bad", "old", i));
		make(name(name("bad", "old", i), "in", 1));
		set(name(name("bad", "old", i), "in", 1), "1000");
	}
	look();
	expect_int(nr_lines, 30);
	for (i = 0; i < 20000; i++)
		make(name("bad", "new", i));
	look();
	expect_int(nr_lines, 0);
	end();
}

static void test_deep(void)
{
	char path[PATH_MAX] = "bad";
	unsigned int i;
	size_t len = 3;

	begin();
	make("other");
	make("bad");
	for (i = 0; i < 1000; i++) {
		len += (size_t)snprintf(path + len, sizeof(path) - len, "/d");
		make(path);
	}
	set("bad", "1000");
	set("bad/d/d/d", "1000");
	set("other", "5000");
	look();
	expect_text(told("/bad/d/d/d"), "1000");
	expect_text(told("/other"), "5000");
	expect_int(nr_lines, 3);
	end();
}

static void test_life(void)
{
	begin();
	make("a");
	set("a", "1000");
	look();
	expect_text(told("/a"), "1000");
	look();
	expect_int(nr_lines, 0);
	quota_scan_repeat(scan);
	look();
	expect_text(told("/a"), "1000");
	/* It goes, while a snapshot wants all once more. */
	quota_scan_repeat(scan);
	set("a", "max");
	look();
	expect_text(told("/a"), "max");
	quota_scan_repeat(scan);
	look();
	expect_int(nr_lines, 0);
	end();
}

static void set_stat(const char *group, unsigned int nr, unsigned long us)
{
	char path[2 * PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/cpu.stat", top, group);
	f = fopen(path, "we");
	if (!f ||
	    fprintf(f, "usage_usec 1\nnr_periods 9\nnr_throttled %u\nthrottled_usec %lu\n", nr,
		    us) < 0 ||
	    fclose(f))
		exit(2);
}

/* "throttled_us nr_throttled" of a group; the interval is in @us. */
static const char *taken(const char *group, unsigned long *us)
{
	static char found[64];
	size_t i;

	snprintf(found, sizeof(found), "nothing");
	*us = 0;
	for (i = 0; i < nr_lines && i <= LINES_MAX; i++) {
		unsigned long sum, nr;

		if (is_of(lines[i], group) &&
		    sscanf(lines[i],
			   "throttled v1 throttled_us=%lu nr_throttled=%lu interval_us=%lu", &sum,
			   &nr, us) == 3)
			snprintf(found, sizeof(found), "%lu %lu", sum, nr);
	}
	return found;
}

static void test_sums(void)
{
	unsigned long us, all;

	begin();
	make("a");
	make("free");
	set("a", "1000");
	set_stat("a", 3, 7000);
	set_stat("free", 3, 7000);
	/* What was before is nobody's. */
	look();
	expect_int(nr_lines, 1);
	usleep(20000);
	look();
	expect_int(nr_lines, 0);
	set_stat("a", 5, 7900);
	set_stat("free", 5, 7900);
	usleep(10000);
	look();
	expect_int(nr_lines, 1);
	expect_text(taken("/a", &us), "900 2");
	/* Since the look before, not since the last time that something was told. */
	expect(us >= 10000);
	all = us;
	look();
	expect_int(nr_lines, 0);
	/* Another one of the same name. */
	set_stat("a", 1, 400);
	look();
	expect_text(taken("/a", &us), "400 1");
	expect(us <= all);
	/* The last of one that may use all again. */
	set_stat("a", 2, 500);
	set("a", "max");
	look();
	expect_text(told("/a"), "max");
	expect_text(taken("/a", &us), "100 1");
	set_stat("a", 3, 900);
	look();
	expect_int(nr_lines, 0);
	end();
}

static void test_no_sums(void)
{
	unsigned long us;

	begin();
	quota_scan_close(scan);
	scan = quota_scan_at(open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC), false, false);
	make("a");
	set("a", "1000");
	set_stat("a", 3, 7000);
	look();
	set_stat("a", 4, 8000);
	look();
	expect_text(taken("/a", &us), "nothing");
	end();
}

static void write_file(const char *path, const char *text)
{
	char whole[2 * PATH_MAX];
	FILE *f;

	snprintf(whole, sizeof(whole), "%s/%s", top, path);
	f = fopen(whole, "we");
	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(2);
}

/* Nanoseconds, whose rounding adds up to nothing. */
static void test_sums_of_version_1(void)
{
	unsigned long us;

	begin();
	quota_scan_close(scan);
	scan = quota_scan_at(open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC), true, true);
	make("a");
	write_file("a/cpu.cfs_quota_us", "1000\n");
	write_file("a/cpu.cfs_period_us", "100000\n");
	write_file("a/cpu.stat", "nr_periods 1\nnr_throttled 1\nthrottled_time 1999\n");
	look();
	write_file("a/cpu.stat", "nr_periods 1\nnr_throttled 2\nthrottled_time 3998\n");
	look();
	expect_text(taken("/a", &us), "2 1");
	write_file("a/cpu.stat", "nr_periods 1\nnr_throttled 3\nthrottled_time 6000\n");
	look();
	expect_text(taken("/a", &us), "3 1");
	end();
}

/* As one of many cgroups does. */
static void take_long(void *ctx, const char *line)
{
	struct timespec ts;

	(void)ctx;
	(void)line;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	while (!ts.tv_sec && ts.tv_nsec < 300000000);
}

static void test_pause(void)
{
	const uint64_t least = 500000000;

	begin();
	make("box");
	look();
	expect_int((long long)quota_scan_pause(scan, least), least);
	set("box", "1000");
	quota_scan_run(scan, take_long, NULL);
	expect(quota_scan_pause(scan, least) > 3 * least);
	end();
}

/* How often each entry of a directory is read; 0: as it is. */
static unsigned int copies;

struct dirent *__real_readdir(DIR *dir);
struct dirent *__wrap_readdir(DIR *dir);
struct dirent *__wrap_readdir(DIR *dir)
{
	static struct dirent *last;
	static unsigned int given;

	if (copies && last && given < copies) {
		given++;
		return last;
	}
	last = __real_readdir(dir);
	given = 1;
	return last;
}

/* As the kernel may have it where a directory changes while it is read. */
static void test_read_twice(void)
{
	begin();
	make("box");
	make("box/a");
	set("box/a", "1000");
	copies = 2;
	look();
	expect_text(told("/box/a"), "1000");
	set("box/a", "max");
	look();
	expect_text(told("/box/a"), "max");
	look();
	expect_int(nr_lines, 0);
	copies = 0;
	end();
}

/* Where cgroups are mounted and may be made; "": nowhere. */
static void find_cgroups(char *path, size_t size)
{
	static const char *const all[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified",
					  "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/pids"};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct stat st;

		snprintf(path, size, "%s/cgroup.procs", all[i]);
		if (stat(path, &st))
			continue;
		snprintf(path, size, "%s/lttng-containers-quotas-%d", all[i], (int)getpid());
		if (!mkdir(path, 0755))
			return;
	}
	*path = '\0';
}

/*
 * Each of 256 names that have one hash: the kernel's is linear in a name's characters, of which a
 * and b, and m and b, are as many apart as makes these two pairs equal.
 */
static void name_of_one_hash(char text[17], unsigned int n)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		memcpy(text + 2 * i, n >> i & 1 ? "am" : "bb", 3);
}

static void count_group(void *ctx, struct group *at, int dir)
{
	unsigned int *nr = ctx;

	(void)at;
	(void)dir;
	(*nr)++;
}

/* Where there are no cgroups that may be made this is tried nowhere. */
static void test_one_hash(void)
{
	unsigned int i, nr = 0;
	struct groups groups;
	char path[128], of_one[17];
	int fd;

	find_cgroups(path, sizeof(path));
	if (!*path)
		return;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (i = 0; i < 256; i++) {
		name_of_one_hash(of_one, i);
		expect(!mkdirat(fd, of_one, 0755));
	}
	groups_read(&groups, fd, 0, count_group, &nr);
	expect_int(nr, 256);
	expect_int(groups.nr, 256);
	expect(!groups.is_cut);
	groups_free(&groups);
	for (i = 0; i < 256; i++) {
		name_of_one_hash(of_one, i);
		unlinkat(fd, of_one, AT_REMOVEDIR);
	}
	close(fd);
	rmdir(path);
}

static const struct tap_test tests[] = {
	{"a scan that takes long is followed by a long pause", test_pause},
	{"a quota is told, once, again if that is wanted, and when it goes", test_life},
	{"what a quota took is told, of each interval", test_sums},
	{"but not where events tell of it", test_no_sums},
	{"by version 1 of cgroups, too", test_sums_of_version_1},
	{"who changes many quotas keeps nobody else's away", test_many_changes},
	{"who has long names fills no buffer", test_long_names},
	{"who has long paths has no more bytes than others", test_long_paths_of_one},
	{"nor any for paths that are too long for a line", test_paths_that_are_too_long},
	{"what there is no room for is told later", test_who_waits},
	{"who has many cgroups keeps nobody else's away", test_many_groups},
	{"of what there is no time for nothing is told", test_no_time},
	{"nor does who has deep ones", test_deep},
	{"a group that is read twice is told once when its quota goes", test_read_twice},
	{"cgroups whose names have one hash are looked at once each", test_one_hash},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
