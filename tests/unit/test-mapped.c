/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/record-mapped.h"
#include "tap.h"

/* What a process has mapped is opened as the file that was told of, or not at all. */

#define LEN 4096

static char *place;

static int new_file(const char *text)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/mapped.XXXXXX", dir ? dir : "/tmp");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0 || unlink(path) || write(fd, text, strlen(text)) < 0 || ftruncate(fd, LEN))
		exit(2);
	return fd;
}

static void map(int fd)
{
	if (mmap(place, LEN, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) != place)
		exit(2);
}

/* What /proc tells of the place. */
static struct mapping told_by_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	struct mapping m = {0};
	char line[8192];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*x %x:%x %" SCNu64, &m.begin, &m.end,
			   &m.major, &m.minor, &m.inode) == 5 &&
		    m.begin == (uint64_t)(uintptr_t)place)
			break;
	if (maps)
		fclose(maps);
	return m;
}

static void take_map(void *mapping, const struct change *c)
{
	struct mapping *m = mapping;

	if (c->kind == CHANGE_MAP && c->map.begin == (uint64_t)(uintptr_t)place)
		*m = c->map;
}

static bool opens(const struct mapping *m, const char *text)
{
	int fd = mapped_open((unsigned int)getpid(), m);
	char got[LEN] = "";
	bool same = fd >= 0 && read(fd, got, LEN - 1) > 0 && !strcmp(got, text);

	if (fd >= 0)
		close(fd);
	return same;
}

static void what_is_mapped_is_opened(void)
{
	struct mapping m;
	int fd = new_file("one");

	map(fd);
	m = told_by_maps();
	expect(opens(&m, "one"));
	close(fd);
}

static void what_perf_tells_of_is_opened(void)
{
	struct mapping m = {0};
	int fd = new_file("one"), code;
	struct perf perf;

	code = perf_open_own(&perf);
	map(fd);
	if (!code) {
		perf_take(&perf, UINT64_MAX, take_map, &m);
		perf_close(&perf);
		expect(opens(&m, "one"));
	}
	close(fd);
}

static void another_in_its_place_is_not(void)
{
	int one = new_file("one"), other = new_file("other");
	struct mapping m;

	map(one);
	m = told_by_maps();
	map(other);
	expect_int(mapped_open((unsigned int)getpid(), &m), -1);
	close(one);
	close(other);
}

static void one_of_another_device_is_not(void)
{
	struct mapping m;
	int fd = new_file("one");

	map(fd);
	m = told_by_maps();
	m.minor++;
	expect_int(mapped_open((unsigned int)getpid(), &m), -1);
	close(fd);
}

static void what_is_gone_is_not(void)
{
	struct mapping m;
	int fd = new_file("one");

	map(fd);
	m = told_by_maps();
	munmap(place, LEN);
	expect_int(mapped_open((unsigned int)getpid(), &m), -1);
	close(fd);
}

static bool parses(const char *text, struct mapping *m, bool *may_run)
{
	static char line[256];

	snprintf(line, sizeof(line), "%s", text);
	return mapped_parse(line, m, may_run);
}

static void lines_of_maps_are_understood(void)
{
	struct mapping m;
	bool may_run;

	expect(parses("7f00-8000 r-xp 1000 fd:1e 77     /a b (deleted)\n", &m, &may_run));
	expect(m.begin == 0x7f00 && m.end == 0x8000 && m.offset == 0x1000 && may_run);
	expect(m.major == 0xfd && m.minor == 0x1e && m.inode == 77);
	expect(!strcmp(m.path, "/a b (deleted)"));
	expect(parses("1-2 rw-s 0 0:0 0 \n", &m, &may_run) && !may_run);
	expect(!strcmp(m.path, "//anon"));
	expect(parses("1-2 rw-s 0 0:0 0", &m, &may_run) && !strcmp(m.path, "//anon"));
	expect(!parses("2-2 r-xp 0 0:0 0\n", &m, &may_run));
	expect(!parses("1-2 r-xp 0 0:0\n", &m, &may_run));
	expect(!parses("", &m, &may_run));
	expect(parses("1-2 r 0 0:0 0\n", &m, &may_run) && !may_run);
}

/* Only who may restore processes may follow these links. */
static bool may_open(void)
{
	struct mapping m;
	char link[128];
	int fd = new_file("one");

	map(fd);
	m = told_by_maps();
	close(fd);
	snprintf(link, sizeof(link), "/proc/self/map_files/%" PRIx64 "-%" PRIx64, m.begin, m.end);
	fd = open(link, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != EPERM;
}

int main(void)
{
	static const struct tap_test text[] = {
		{"lines of maps are understood", lines_of_maps_are_understood},
		{0},
	};
	static const struct tap_test tests[] = {
		{"lines of maps are understood", lines_of_maps_are_understood},
		{"what is mapped is opened", what_is_mapped_is_opened},
		{"what perf tells of is opened", what_perf_tells_of_is_opened},
		{"another file in its place is not", another_in_its_place_is_not},
		{"nor one of that number on another device", one_of_another_device_is_not},
		{"what is gone is not", what_is_gone_is_not},
		{0},
	};

	place = mmap(NULL, 3 * LEN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (place == MAP_FAILED)
		return 2;
	place += LEN;
	if (!may_open()) {
		puts("# Only root may open what is mapped.");
		return tap_run(text);
	}
	return tap_run(tests);
}
