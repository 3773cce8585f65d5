/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names-int.h"
#include "base/util.h"

/*
 * LXC, LXD and Incus name a container in its cgroup, and nowhere else in a
 * file: at the top of the hierarchy, as NAME behind or below one of these.
 */
static const char *const hierarchies[] = {
	"sys/fs/cgroup",
	"sys/fs/cgroup/unified",
	"sys/fs/cgroup/systemd",
};
#define PREFIX	"lxc.payload."
#define MONITOR "[lxc monitor] "
/* Older versions. */
static const char *const parents[] = {"lxc.payload", "lxc"};

#define DEPTH_MAX 8

/* Not watched: what a container makes inside does not matter. */
static int open_cgroup(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Finds the process that began first, in a cgroup and those below. */
struct first {
	struct names *names;
	pid_t tid;
	uint64_t start;
	size_t tried; /* processes and cgroups: a container decides how many there are */
};

static void try_all(struct first *first, int dir)
{
	char *text = state_read(first->names, dir, "cgroup.procs", NULL, NULL), *line, *save = NULL;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line && first->tried < ENTRIES_MAX;
	     line = strtok_r(NULL, "\n", &save)) {
		pid_t tid = (pid_t)strtol(line, NULL, 10);
		uint64_t start = process_start(first->names, tid);

		first->tried++;
		if (!start || (first->tid && (start > first->start ||
					      (start == first->start && tid > first->tid))))
			continue;
		first->tid = tid;
		first->start = start;
	}
	free(text);
}

static void search(struct first *first, int dir, int depth)
{
	struct list below;
	size_t i;

	first->tried++;
	try_all(first, dir);
	if (depth == DEPTH_MAX)
		return;
	state_list_dirs(dir, &below);
	for (i = 0; i < below.nr && first->tried < ENTRIES_MAX; i++) {
		int sub = open_cgroup(dir, below.names[i]);

		if (sub < 0)
			continue;
		search(first, sub, depth + 1);
		close(sub);
	}
	list_free(&below);
}

/*
 * Where a cgroup of the name is left over, LXC puts a number behind the new
 * one. The monitor, init's parent, has the name alone: "[lxc monitor] PATH NAME".
 */
static char *real_name(const struct names *n, pid_t init, const char *cgroup)
{
	char *args = process_parent_args(n, init);
	const char *name = args ? strrchr(args, ' ') : NULL;
	size_t len = name ? strlen(++name) : 0;
	char *real;

	if (!len || strncmp(args, MONITOR, strlen(MONITOR)) || strncmp(cgroup, name, len) ||
	    cgroup[len] != '-')
		name = cgroup;
	real = xstrdup(name);
	free(args);
	return real;
}

static void probe(struct scan *s, int dir, const char *cgroup, const char *name)
{
	struct first first = {.names = s->names};
	struct found f = {.runtime = "lxc", .unit = cgroup};
	char *real;
	int fd;

	fd = open_cgroup(dir, cgroup);
	if (fd < 0)
		return;
	search(&first, fd, 0);
	close(fd);
	if (!*name || !first.tid)
		return;
	real = real_name(s->names, first.tid, name);
	f.id = real;
	f.name = real;
	f.init = first.tid;
	f.start = first.start;
	if (!scan_still(s, "lxc", real, real, first.tid))
		scan_found(s, &f);
	free(real);
}

static void probe_hierarchy(struct scan *s, const char *path)
{
	int dir = state_dir(s->names, path);
	struct list entries;
	size_t i, k;

	if (dir < 0)
		return;
	state_list_dirs(dir, &entries);
	for (i = 0; i < entries.nr; i++)
		if (!strncmp(entries.names[i], PREFIX, strlen(PREFIX)))
			probe(s, dir, entries.names[i], entries.names[i] + strlen(PREFIX));
	list_free(&entries);
	for (k = 0; k < ARRAY_SIZE(parents); k++) {
		int parent = state_dir_beneath(s->names, dir, parents[k]);

		if (parent < 0)
			continue;
		state_list_dirs(parent, &entries);
		for (i = 0; i < entries.nr; i++)
			probe(s, parent, entries.names[i], entries.names[i]);
		list_free(&entries);
		close(parent);
	}
	close(dir);
}

void names_lxc(struct scan *s)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hierarchies); i++)
		probe_hierarchy(s, hierarchies[i]);
}
