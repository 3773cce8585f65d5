/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/util.h"
#include "record-groups.h"
#include "record.h"

/* The initial cgroup namespace, PROC_CGROUP_INIT_INO of the kernel's proc_ns.h: in another, paths
 * are others. */
#define FIRST_CGROUP_NS 0xEFFFFFFBu
/* Of each scan: who may make cgroups and change their quotas must not fill the channel of the
 * names. */
#define LINES_MAX	512
/* In bytes, as paths may be long: less than half of what a CPU's buffer has for names and quotas.
 */
#define BYTES_MAX	(80u << 10)
/* A longer line is worth more turns: who has long paths has no more of these bytes than others. */
#define TURN_BYTES	128
/* So many times as long as a scan took there is none: who makes cgroups takes no more time. */
#define REST_TIMES	9

/* What was told of a cgroup. */
struct told {
	char *path;
	int64_t us, period_us; /* of CPU time in each period; 0: nothing yet */
	uint64_t read_ns;      /* when its sums were these; 0: they were never read */
	int64_t throttled_us, throttles;
	bool is_wanted;	   /* once more, even if it is the same */
	unsigned int scan; /* which one has seen it last */
};

struct quota_scan {
	int root; /* of the hierarchy with the controller cpu */
	bool v1;
	bool with_sums;	  /* how long they were throttled, too */
	struct hash told; /* by path */
	unsigned int scans;
	unsigned int lines; /* that this scan has told */
	size_t bytes;	    /* of these */
	bool complained;
	uint64_t took; /* the last one, ns of CPU time */
	void (*write_line)(void *ctx, const char *line);
	void *ctx;
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

static int find_root(bool *v1)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;
	int root = -1;

	while (mounts && root < 0 && (mount = getmntent(mounts))) {
		root = open_root(mount);
		*v1 = !strcmp(mount->mnt_type, "cgroup");
	}
	if (mounts)
		endmntent(mounts);
	return root;
}

struct quota_scan *quota_scan_at(int root, bool v1, bool with_sums)
{
	struct quota_scan *q = xcalloc(1, sizeof(*q));

	q->root = root;
	q->v1 = v1;
	q->with_sums = with_sums;
	return q;
}

struct quota_scan *quota_scan_open(bool with_sums)
{
	struct stat st;
	bool v1;
	int root;

	if (!stat("/proc/self/ns/cgroup", &st) && st.st_ino != FIRST_CGROUP_NS) {
		note("The quotas of cgroups will not be in the trace. reason=this is not the first "
		     "cgroup namespace");
		return NULL;
	}
	root = find_root(&v1);
	if (root >= 0)
		return quota_scan_at(root, v1, with_sums);
	note("The quotas of cgroups will not be in the trace. reason=no hierarchy with the "
	     "controller cpu is mounted");
	return NULL;
}

static bool read_number(int dir, const char *file, int64_t *n)
{
	char text[32];

	return !read_text(dir, file, text, sizeof(text)) && sscanf(text, "%" SCNd64, n) == 1;
}

/* False: it has none, for which version 2 has a word and version 1 the number -1. */
static bool read_quota(const struct quota_scan *q, int dir, int64_t *us, int64_t *period_us)
{
	char text[64];

	if (!q->v1)
		return !read_text(dir, "cpu.max", text, sizeof(text)) &&
		       sscanf(text, "%" SCNd64 " %" SCNd64, us, period_us) == 2 && *us > 0;
	return read_number(dir, "cpu.cfs_quota_us", us) && *us > 0 &&
	       read_number(dir, "cpu.cfs_period_us", period_us);
}

/* Of cpu.stat, lines of a word and a number. */
static bool find_number(const char *text, const char *word, int64_t *n)
{
	size_t len = strlen(word);
	const char *at;

	for (at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, word, len) && at[len] == ' ')
			return sscanf(at + len, "%" SCNd64, n) == 1 && *n >= 0;
	}
	return false;
}

static void read_sums(const struct quota_scan *q, int dir, struct group *at)
{
	char text[4096];
	int64_t sum, nr;

	if (!q->with_sums || read_text(dir, "cpu.stat", text, sizeof(text)) ||
	    !find_number(text, "nr_throttled", &nr) ||
	    !find_number(text, q->v1 ? "throttled_time" : "throttled_usec", &sum))
		return;
	at->read_ns = now_ns();
	at->throttled_us = q->v1 ? sum / 1000 : sum;
	at->throttles = nr;
}

static void keep_sums(struct told *t, const struct group *at)
{
	t->read_ns = at->read_ns;
	t->throttled_us = at->throttled_us;
	t->throttles = at->throttles;
}

/*
 * Whether a quota took something since the sums were read last. One that is of the same name as
 * one before begins at 0; what was before the first look nobody asks for.
 */
static bool is_throttled(struct told *t, const struct group *at)
{
	if (!at->read_ns)
		return false;
	if (t->read_ns && at->throttled_us < t->throttled_us)
		t->throttled_us = t->throttles = 0;
	if (t->read_ns && at->throttled_us > t->throttled_us)
		return true;
	keep_sums(t, at);
	return false;
}

static void forget(struct quota_scan *q, struct told *t)
{
	hash_del(&q->told, hash_text(t->path, strlen(t->path)));
	free(t->path);
	free(t);
}

static struct told *told_of(struct quota_scan *q, const char *path)
{
	return hash_get(&q->told, hash_text(path, strlen(path)));
}

static struct told *new_told(struct quota_scan *q, const char *path)
{
	struct told *t = xcalloc(1, sizeof(*t));

	t->path = xstrdup(path);
	hash_put(&q->told, hash_text(path, strlen(path)), t);
	return t;
}

/* Whether it is to be told of. */
static void look_at(void *ctx, struct group *at, int dir)
{
	struct quota_scan *q = ctx;
	char *path = group_path(at);
	struct told *t = told_of(q, path);

	if (read_quota(q, dir, &at->quota_us, &at->period_us)) {
		if (!t)
			t = new_told(q, path);
		at->is_new_quota =
			t->is_wanted || t->us != at->quota_us || t->period_us != at->period_us;
	} else {
		/* None any more; but who was never told that it had one need not know. */
		at->quota_us = -1;
		at->is_new_quota = t && t->us;
	}
	if (t)
		read_sums(q, dir, at);
	at->is_changed = (t && is_throttled(t, at)) || at->is_new_quota;
	if (at->quota_us > 0 || at->is_changed)
		t->scan = q->scans;
	free(path);
}

/* Takes @line. A longer one would be two events. */
static void tell_line(struct quota_scan *q, char *line)
{
	if (strlen(line) <= RECORDED_LINE_MAX) {
		q->write_line(q->ctx, line);
		q->bytes += strlen(line);
	}
	q->lines++;
	free(line);
}

static void write_quota(struct quota_scan *q, const char *name, const struct group *at)
{
	char *us = at->quota_us < 0 ? xstrdup("max") : xasprintf("%" PRId64, at->quota_us);

	tell_line(q, xasprintf("quota v1 cpu_quota_us=%s cpu_period_us=%" PRId64 " cgroup=%s", us,
			       at->period_us, name));
	free(us);
}

static void write_sums(struct quota_scan *q, const char *name, const struct group *at,
		       const struct told *t)
{
	tell_line(q, xasprintf("throttled v1 throttled_us=%" PRId64 " nr_throttled=%" PRId64
			       " interval_us=%" PRIu64 " cgroup=%s",
			       at->throttled_us - t->throttled_us, at->throttles - t->throttles,
			       (at->read_ns - t->read_ns) / 1000, name));
}

static void tell_changes(struct quota_scan *q, const char *path, struct group *at, struct told *t)
{
	char *name = percent_encode(path, PATH_MAX);

	/* First what it was for which this is told. */
	if (is_throttled(t, at)) {
		write_sums(q, name, at, t);
		keep_sums(t, at);
	}
	if (at->quota_us < 0)
		at->period_us = t->period_us;
	if (at->is_new_quota)
		write_quota(q, name, at);
	t->us = at->quota_us;
	t->period_us = at->period_us;
	t->is_wanted = false;
	if (at->quota_us < 0)
		forget(q, t);
	free(name);
}

/* What there is no room for is told by a later scan. */
static bool tell(void *ctx, struct group *at)
{
	struct quota_scan *q = ctx;
	char *path = group_path(at);
	struct told *t = told_of(q, path);
	size_t before = q->bytes;

	/* A directory that changes while it is read may have one twice, which is forgotten then. */
	if (t)
		tell_changes(q, path, at, t);
	at->turns = (unsigned int)((q->bytes - before) / TURN_BYTES);
	free(path);
	return q->lines < LINES_MAX && q->bytes < BYTES_MAX;
}

/*
 * Those that were not seen: of cgroups that are gone nothing is left to be told; those that there
 * was no time for are told of once more when there is.
 */
static void forget_others(struct quota_scan *q)
{
	struct told **gone = NULL, *t;
	size_t nr = 0, cap = 0, pos = 0;

	while ((t = hash_next(&q->told, &pos)))
		if (t->scan != q->scans) {
			gone = grow(gone, nr, &cap, sizeof(*gone));
			gone[nr++] = t;
		}
	while (nr)
		forget(q, gone[--nr]);
	free(gone);
}

/* How long it waited for a CPU is nobody's doing. */
static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

void quota_scan_run(struct quota_scan *q, void (*write_line)(void *ctx, const char *line),
		    void *ctx)
{
	struct groups groups;
	uint64_t began = cpu_ns();

	q->scans++;
	q->lines = 0;
	q->bytes = 0;
	q->write_line = write_line;
	q->ctx = ctx;
	groups_read(&groups, q->root, q->scans, look_at, q);
	if (groups.is_cut && !q->complained) {
		q->complained = true;
		note("Not all quotas of cgroups will be in the trace: there are too many cgroups, "
		     "or they are too deep. most=%d deepest=%d",
		     GROUPS_MAX, GROUPS_DEPTH_MAX);
	}
	groups_take(&groups, tell, q);
	groups_free(&groups);
	forget_others(q);
	q->took = cpu_ns() - began;
}

uint64_t quota_scan_pause(const struct quota_scan *q, uint64_t least)
{
	return q->took > least / REST_TIMES ? REST_TIMES * q->took : least;
}

void quota_scan_repeat(struct quota_scan *q)
{
	struct told *t;
	size_t pos = 0;

	while ((t = hash_next(&q->told, &pos)))
		t->is_wanted = true;
}

void quota_scan_close(struct quota_scan *q)
{
	struct told *t;
	size_t pos = 0;

	if (!q)
		return;
	while ((t = hash_next(&q->told, &pos))) {
		free(t->path);
		free(t);
	}
	hash_free(&q->told);
	close(q->root);
	free(q);
}
