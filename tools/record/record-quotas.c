/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/util.h"
#include "record.h"

/* The initial cgroup namespace, PROC_CGROUP_INIT_INO of the kernel's proc_ns.h: in another, paths
 * are others. */
#define FIRST_CGROUP_NS 0xEFFFFFFBu
/* More than this is not looked through. */
#define CGROUPS_MAX	20000
/* Of each scan: who may make cgroups and change their quotas must not fill the channel of the
 * names. */
#define LINES_MAX	512

struct quota {
	char *path;
	int64_t us, period_us; /* of CPU time in each period; us -1: none any more */
};

/* What was told of a cgroup. */
struct told {
	struct quota quota;
	unsigned int scan; /* which one has seen it last */
};

struct quota_scan {
	int root; /* of the hierarchy with the controller cpu */
	bool v1;
	struct hash told; /* by path */
	unsigned int scans;
	unsigned int lines; /* that this scan has told */
	bool complained;
	char **paths; /* that are to be looked at yet; without the slash they begin with */
	size_t nr, cap, seen;
};

/* The whole of a small file, as text. */
static int read_text(int dir, const char *path, char *buf, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return -1;
	buf[n] = '\0';
	return 0;
}

/* A word of a list with blanks between them. */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);
	const char *at;

	for (at = strstr(list, word); at; at = strstr(at + 1, word))
		if ((at == list || at[-1] == ' ') && (!at[len] || strchr(" \n", at[len])))
			return true;
	return false;
}

/* Opens the root of the hierarchy, if this mount is of it. */
static int open_root(const struct mntent *mount)
{
	char controllers[512];
	int fd;

	if (strcmp(mount->mnt_type, "cgroup2") &&
	    (strcmp(mount->mnt_type, "cgroup") || !hasmntopt(mount, "cpu")))
		return -1;
	fd = open(mount->mnt_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || !strcmp(mount->mnt_type, "cgroup"))
		return fd;
	/* What is mounted may be no root; the root itself has no quota. */
	if (!read_text(fd, "cgroup.controllers", controllers, sizeof(controllers)) &&
	    has_word(controllers, "cpu") && faccessat(fd, "cpu.max", F_OK, 0))
		return fd;
	close(fd);
	return -1;
}

static bool find_root(struct quota_scan *q)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;

	q->root = -1;
	while (mounts && q->root < 0 && (mount = getmntent(mounts))) {
		q->root = open_root(mount);
		q->v1 = !strcmp(mount->mnt_type, "cgroup");
	}
	if (mounts)
		endmntent(mounts);
	return q->root >= 0;
}

struct quota_scan *quota_scan_open(void)
{
	struct quota_scan *q;
	struct stat st;

	if (!stat("/proc/self/ns/cgroup", &st) && st.st_ino != FIRST_CGROUP_NS) {
		note("The quotas of cgroups will not be in the trace. reason=this is not the first "
		     "cgroup namespace");
		return NULL;
	}
	q = xcalloc(1, sizeof(*q));
	if (find_root(q))
		return q;
	note("The quotas of cgroups will not be in the trace. reason=no hierarchy with the "
	     "controller cpu is mounted");
	free(q);
	return NULL;
}

static bool read_number(int dir, const char *file, int64_t *n)
{
	char text[32];

	return !read_text(dir, file, text, sizeof(text)) && sscanf(text, "%" SCNd64, n) == 1;
}

/* False: it has none, for which version 2 has a word and version 1 the number -1. */
static bool read_quota(const struct quota_scan *q, int dir, struct quota *quota)
{
	char text[64];

	if (!q->v1)
		return !read_text(dir, "cpu.max", text, sizeof(text)) &&
		       sscanf(text, "%" SCNd64 " %" SCNd64, &quota->us, &quota->period_us) == 2;
	return read_number(dir, "cpu.cfs_quota_us", &quota->us) && quota->us > 0 &&
	       read_number(dir, "cpu.cfs_period_us", &quota->period_us);
}

static void tell(const struct quota *quota, void (*write_line)(void *ctx, const char *line),
		 void *ctx)
{
	char *path = percent_encode(quota->path, PATH_MAX), *line, *us;

	us = quota->us < 0 ? xstrdup("max") : xasprintf("%" PRId64, quota->us);
	line = xasprintf("quota v1 cpu_quota_us=%s cpu_period_us=%" PRId64 " cgroup=%s", us,
			 quota->period_us, path);
	/* A longer one would be two events. */
	if (strlen(line) <= RECORDED_LINE_MAX)
		write_line(ctx, line);
	free(us);
	free(line);
	free(path);
}

static void forget(struct quota_scan *q, struct told *t)
{
	hash_del(&q->told, hash_text(t->quota.path, strlen(t->quota.path)));
	free(t->quota.path);
	free(t);
}

/* One that has a quota, if that is new. */
static void look_at(struct quota_scan *q, const struct quota *quota,
		    void (*write_line)(void *ctx, const char *line), void *ctx)
{
	uint64_t key = hash_text(quota->path, strlen(quota->path));
	struct told *t = hash_get(&q->told, key);

	if (!t) {
		t = xcalloc(1, sizeof(*t));
		t->quota.path = xstrdup(quota->path);
		hash_put(&q->told, key, t);
	}
	t->scan = q->scans;
	/* What there is no room for is told by a later scan. */
	if ((t->quota.us == quota->us && t->quota.period_us == quota->period_us) ||
	    q->lines == LINES_MAX)
		return;
	q->lines++;
	t->quota.us = quota->us;
	t->quota.period_us = quota->period_us;
	tell(&t->quota, write_line, ctx);
}

static void push(struct quota_scan *q, const char *above, const char *name)
{
	q->paths = grow(q->paths, q->nr, &q->cap, sizeof(*q->paths));
	q->paths[q->nr++] = *above ? xasprintf("%s/%s", above, name) : xstrdup(name);
}

/* Adds the cgroups below. Takes @fd. */
static void push_children(struct quota_scan *q, int fd, const char *path)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *e;

	if (!dir) {
		close(fd);
		return;
	}
	while ((e = readdir(dir)) && q->seen < CGROUPS_MAX)
		if (e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
			push(q, path, e->d_name);
			q->seen++;
		}
	closedir(dir);
	if (e && !q->complained) {
		q->complained = true;
		note("Not all quotas of cgroups will be in the trace: there are too many cgroups. "
		     "looked_at=%d",
		     CGROUPS_MAX);
	}
}

/* What has none any more; of cgroups that are gone nothing is left to be told. */
static void forget_others(struct quota_scan *q, void (*write_line)(void *ctx, const char *line),
			  void *ctx)
{
	struct told **gone = NULL, *t;
	size_t nr = 0, cap = 0, pos = 0, i;

	while ((t = hash_next(&q->told, &pos)))
		if (t->scan != q->scans) {
			gone = grow(gone, nr, &cap, sizeof(*gone));
			gone[nr++] = t;
		}
	for (i = 0; i < nr; i++) {
		t = gone[i];
		if (q->lines < LINES_MAX && !faccessat(q->root, t->quota.path + 1, F_OK, 0)) {
			q->lines++;
			t->quota.us = -1;
			tell(&t->quota, write_line, ctx);
		}
		forget(q, t);
	}
	free(gone);
}

void quota_scan_run(struct quota_scan *q, void (*write_line)(void *ctx, const char *line),
		    void *ctx)
{
	q->scans++;
	q->seen = 0;
	q->lines = 0;
	push(q, "", ".");
	while (q->nr) {
		char *path = q->paths[--q->nr];
		int fd = openat(q->root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		bool is_root = !strcmp(path, ".");
		struct quota quota = {0};

		if (fd >= 0 && !is_root && read_quota(q, fd, &quota)) {
			quota.path = xasprintf("/%s", path);
			look_at(q, &quota, write_line, ctx);
			free(quota.path);
		}
		if (fd >= 0)
			push_children(q, fd, is_root ? "" : path);
		free(path);
	}
	forget_others(q, write_line, ctx);
}

void quota_scan_repeat(struct quota_scan *q)
{
	struct told *t;
	size_t pos = 0;

	while ((t = hash_next(&q->told, &pos)))
		t->quota.us = 0;
}

void quota_scan_close(struct quota_scan *q)
{
	struct told *t;
	size_t pos = 0;

	if (!q)
		return;
	while ((t = hash_next(&q->told, &pos))) {
		free(t->quota.path);
		free(t);
	}
	hash_free(&q->told);
	free(q->paths);
	close(q->root);
	free(q);
}
