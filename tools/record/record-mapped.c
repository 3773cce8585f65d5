/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/symbols.h"
#include "record-mapped.h"

/* "BEGIN-END rwxp OFFSET MAJOR:MINOR INODE   PATH" */
bool mapped_parse(char *line, struct mapping *m, bool *may_run)
{
	char may[8];
	int path = 0;

	line[strcspn(line, "\n")] = '\0';
	m->has_generation = false;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %n", &m->begin,
		   &m->end, may, &m->offset, &m->major, &m->minor, &m->inode, &path) != 7 ||
	    m->begin >= m->end)
		return false;
	*may_run = may[1] && may[2] == 'x';
	m->path = path && line[path] ? line + path : SYMBOLS_ANON;
	return true;
}

/*
 * What is mapped is reached without any name: whatever the container puts in its place is not it.
 * It is opened only when it is known to be a regular file, as opening others does something.
 */
static int open_there(unsigned int pid, uint64_t begin, uint64_t end, struct stat *st)
{
	char path[128];
	int at, fd = -1;

	snprintf(path, sizeof(path), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, pid, begin, end);
	at = open(path, O_PATH | O_CLOEXEC);
	if (at < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", at);
	if (!fstat(at, st) && S_ISREG(st->st_mode))
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	close(at);
	return fd;
}

static bool is_same(const struct mapping *a, const struct mapping *b)
{
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor &&
	       (!a->has_generation || !b->has_generation || a->generation == b->generation);
}

struct search {
	const struct mapping *told;
	uint64_t begin; /* where it is mapped here */
	bool found;
	struct mapping perfs; /* what perf tells of it */
};

static void look_at(void *search, const struct change *c)
{
	struct search *s = search;

	if (c->kind != CHANGE_MAP || c->map.begin != s->begin)
		return;
	s->found = s->found || is_same(&c->map, s->told);
	s->perfs = c->map;
}

/* Whether /proc tells the same of what is mapped there. */
static bool is_so_in_maps(const struct search *s)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL;
	size_t cap = 0;
	bool same = false;

	while (maps && !same && getline(&line, &cap, maps) > 0) {
		struct mapping m;
		bool may_run;

		same = mapped_parse(line, &m, &may_run) && m.begin == s->begin &&
		       is_same(&m, s->told);
	}
	free(line);
	if (maps)
		fclose(maps);
	return same;
}

/*
 * Overlayfs and btrfs tell stat() other numbers than they tell who maps a file, and of overlayfs
 * perf and /proc may tell different ones: so it is mapped here, and both are asked what it is.
 */
static struct search map_here(int fd, const struct mapping *told)
{
	size_t len = (size_t)sysconf(_SC_PAGESIZE);
	struct perf perf;
	bool has_perf = !perf_open_own(&perf);
	void *at = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	struct search s = {.told = told, .begin = (uint64_t)(uintptr_t)at};

	if (at != MAP_FAILED) {
		s.found = is_so_in_maps(&s);
		if (has_perf)
			perf_take(&perf, UINT64_MAX, look_at, &s);
		munmap(at, len);
	}
	if (has_perf)
		perf_close(&perf);
	return s;
}

bool mapped_ask(int fd, struct mapping *m)
{
	struct mapping perfs = map_here(fd, m).perfs;

	if (!perfs.has_generation)
		return false;
	m->major = perfs.major;
	m->minor = perfs.minor;
	m->inode = perfs.inode;
	m->generation = perfs.generation;
	m->has_generation = true;
	return true;
}

int mapped_open(unsigned int pid, const struct mapping *m)
{
	struct stat st;
	int fd = open_there(pid, m->begin, m->end, &st);

	if (fd < 0 ||
	    (st.st_ino == m->inode && major(st.st_dev) == m->major && minor(st.st_dev) == m->minor))
		return fd;
	if (map_here(fd, m).found)
		return fd;
	close(fd);
	return -1;
}
