/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/cgroup-path.h"
#include "names-int.h"
#include "base/proc-stat.h"
#include "base/util.h"

/* An id that nothing else looks like. */
#define LONG_ID 32

uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* Reads proc/TID/NAME; NULL if the process is gone, or may not be seen, or the scan is to end. */
static char *read_proc(const struct names *n, pid_t tid, const char *name)
{
	char path[64], *text = NULL;
	size_t len = 0;
	FILE *f;
	int fd;

	snprintf(path, sizeof(path), "proc/%d/%s", (int)tid, name);
	fd = names_aborted(n) ? -1 : openat(n->root, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	f = fdopen(fd, "r");
	if (!f) {
		close(fd);
		return NULL;
	}
	if (getdelim(&text, &len, '\0', f) < 0) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

static bool read_stat(const struct names *n, pid_t tid, struct proc_stat *st)
{
	char *text = read_proc(n, tid, "stat");
	bool is_read = text && proc_stat_parse(st, text);

	free(text);
	return is_read;
}

uint64_t process_start(const struct names *n, pid_t tid)
{
	struct proc_stat st;

	if (!read_stat(n, tid, &st) || strchr("ZXx", st.state))
		return 0;
	/* A process has no start of 0: the first one begins after the clock. */
	return st.start ? st.start : 1;
}

static uint64_t read_pid_ns(const struct names *n, pid_t tid)
{
	char path[64], link[64];
	uint64_t inum = 0;
	ssize_t len;

	snprintf(path, sizeof(path), "proc/%d/ns/pid", (int)tid);
	len = readlinkat(n->root, path, link, sizeof(link) - 1);
	if (len < 0)
		return 0;
	link[len] = '\0';
	return sscanf(link, "pid:[%" SCNu64 "]", &inum) == 1 ? inum : 0;
}

uint64_t host_pid_ns(const struct names *n)
{
	return read_pid_ns(n, 1);
}

/*
 * With both versions, runtimes that use version 1 leave a container where they have started it.
 * That is root's service, not what a user or a container calls so.
 */
static bool says_something(const char *unified)
{
	return strcmp(unified, "/") && (!cgroup_is_runtimes(unified) || cgroup_maker(unified));
}

/*
 * The path in the unified hierarchy. Where that has no more to say than the
 * root, runtimes may use the hierarchies of version 1: then the first of these.
 */
static char *read_cgroup(const struct names *n, pid_t tid)
{
	char *text = read_proc(n, tid, "cgroup"), *line, *save = NULL;
	const char *unified = NULL, *other = NULL;
	char *path = NULL;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *at = strchr(line, ':');

		at = at ? strchr(at + 1, ':') : NULL;
		if (!at)
			continue;
		if (!strncmp(line, "0::", 3))
			unified = at + 1;
		else if (!other && strcmp(at + 1, "/"))
			other = at + 1;
	}
	if (unified && (says_something(unified) || !other))
		path = xstrdup(unified);
	else if (other || text)
		path = xstrdup(other ? other : "/");
	free(text);
	return path;
}

/* status escapes what a name could have of lines. */
static uid_t read_uid(const struct names *n, pid_t tid)
{
	char *text = read_proc(n, tid, "status");
	const char *line = text ? strstr(text, "\nUid:") : NULL;
	unsigned int uid;

	if (!line || sscanf(line, "\nUid: %u", &uid) != 1)
		uid = UID_UNKNOWN;
	free(text);
	return uid;
}

static uint64_t age_ms(uint64_t start)
{
	uint64_t per_second = (uint64_t)sysconf(_SC_CLK_TCK), now, begin;
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	now = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
	if (start > UINT64_MAX / 1000)
		return 0;
	begin = start * 1000 / per_second;
	return now > begin ? now - begin : 0;
}

int process_read(const struct names *n, pid_t tid, struct process *p)
{
	*p = (struct process){.tid = tid, .start = process_start(n, tid)};
	if (!p->start)
		return -1;
	p->age_ms = age_ms(p->start);
	p->pid_ns = read_pid_ns(n, tid);
	p->uid = read_uid(n, tid);
	p->cgroup = read_cgroup(n, tid);
	/* All of it is of one process only if that is still there. */
	if (!p->pid_ns || !p->cgroup || process_start(n, tid) != p->start) {
		process_free(p);
		return -1;
	}
	return 0;
}

void process_free(struct process *p)
{
	free(p->cgroup);
	p->cgroup = NULL;
}

static bool is_roots_on_host(const struct names *n, pid_t tid)
{
	struct process p;
	bool is;

	if (process_read(n, tid, &p))
		return false;
	is = !p.uid && p.pid_ns == host_pid_ns(n);
	process_free(&p);
	return is;
}

char *process_parent_args(const struct names *n, pid_t tid)
{
	struct proc_stat st;

	return read_stat(n, tid, &st) && st.parent > 0 && is_roots_on_host(n, st.parent)
		       ? read_proc(n, st.parent, "cmdline")
		       : NULL;
}

/*
 * Whether a cgroup's name is the id, or one that a runtime makes of it:
 * libpod-ID.scope, lxc.payload.ID. Short ids occur in other names, too
 * (session-1.scope), so for these it must be a known one.
 */
static bool names_it(const char *s, size_t len, const char *id)
{
	static const char *const ends[] = {".scope", ".service"};
	static const char *const begins[] = {"", "runc-", "crun-", "lxc.payload.", "machine-"};
	size_t id_len = strlen(id), i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t end = strlen(ends[i]);

		if (len > end && len != id_len && !memcmp(s + len - end, ends[i], end)) {
			len -= end;
			break;
		}
	}
	if (len < id_len || memcmp(s + len - id_len, id, id_len))
		return false;
	len -= id_len;
	if (id_len >= LONG_ID)
		return !len || strchr("-._:", s[len - 1]);
	for (i = 0; i < ARRAY_SIZE(begins); i++)
		if (len == strlen(begins[i]) && !memcmp(s, begins[i], len))
			return true;
	return false;
}

bool cgroup_cut(char *cgroup, const char *id)
{
	char *s, *next;
	bool shared;
	char end;

	if (!*id)
		return false;
	/* The first one: below it a container may give its cgroups any name. */
	for (s = cgroup; *s == '/'; s = next) {
		next = strchrnul(++s, '/');
		if (!names_it(s, (size_t)(next - s), id))
			continue;
		end = *next;
		*next = '\0';
		shared = cgroup_is_shared(cgroup);
		*next = end;
		if (shared)
			continue;
		/* Where crun and systemd-nspawn put what they run; besides is their own. */
		if (!strncmp(next, "/container", 10) && strchr("/", next[10]))
			next += 10;
		else if (!strncmp(next, "/payload", 8) && strchr("/", next[8]))
			next += 8;
		*next = '\0';
		return true;
	}
	return false;
}
