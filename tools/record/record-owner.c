/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "record-owner.h"

/* The kernel nests no deeper. */
#define DEPTH_MAX 33

struct share {
	uint64_t nr;
	uint64_t turn; /* its last */
};

static uint64_t inode_of(int fd)
{
	struct stat st;

	return fd < 0 || fstat(fd, &st) ? 0 : st.st_ino;
}

static int open_namespace(const char *pid, const char *kind)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/ns/%s", pid, kind);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/*
 * The outermost namespace around the process's that is not the recorder's, its own if a kernel
 * before 4.9 does not say; *is_ours: there is none. Returns -1 for that, and if the process is
 * gone.
 */
static int open_outermost(const char *pid, const char *kind, bool *is_ours)
{
	int own = open_namespace("self", kind), fd = open_namespace(pid, kind), parent, i;
	uint64_t ours = inode_of(own);

	if (own >= 0)
		close(own);
	*is_ours = fd >= 0 && inode_of(fd) == ours;
	for (i = 0; fd >= 0 && !*is_ours && i < DEPTH_MAX; i++) {
		parent = ioctl(fd, NS_GET_PARENT);
		if (parent < 0 || inode_of(parent) == ours) {
			if (parent >= 0)
				close(parent);
			return fd;
		}
		close(fd);
		fd = parent;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

static uint32_t real_user(const char *pid)
{
	char path[64], line[256];
	uint32_t user = UINT32_MAX;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "Uid: %u", &user) == 1)
			break;
	if (status)
		fclose(status);
	return user;
}

struct owner owner_of(uint32_t pid)
{
	struct owner o = {.user = UINT32_MAX};
	bool is_our_user_ns, is_our_pid_ns;
	int user_ns, pid_ns;
	char name[16];
	uid_t uid;

	snprintf(name, sizeof(name), "%u", pid);
	user_ns = open_outermost(name, "user", &is_our_user_ns);
	pid_ns = open_outermost(name, "pid", &is_our_pid_ns);
	o.pid_ns = inode_of(pid_ns);
	if (is_our_user_ns)
		o.user = is_our_pid_ns ? real_user(name) : 0;
	else if (user_ns >= 0)
		o.user = ioctl(user_ns, NS_GET_OWNER_UID, &uid) ? real_user(name) : uid;
	if (user_ns >= 0)
		close(user_ns);
	if (pid_ns >= 0)
		close(pid_ns);
	return o;
}

static uint64_t group_key(const struct owner *o)
{
	return hash_numbers(o->user, o->pid_ns);
}

static uint64_t nr_of(const struct hash *h, uint64_t key)
{
	const struct share *share = hash_get(h, key);

	return share ? share->nr : 0;
}

static void add(struct hash *h, uint64_t key, uint64_t nr, uint64_t turn)
{
	struct share *share = hash_get(h, key);

	if (!share) {
		share = xcalloc(1, sizeof(*share));
		share->turn = turn;
		hash_put(h, key, share);
	}
	share->nr += nr;
}

static void take_off(struct hash *h, uint64_t key, uint64_t nr)
{
	struct share *share = hash_get(h, key);

	share->nr -= nr;
	if (share->nr)
		return;
	hash_del(h, key);
	free(share);
}

bool shares_take(struct shares *s, const struct owner *o, uint64_t nr, uint64_t max)
{
	uint64_t users = nr_of(&s->users, o->user), groups = nr_of(&s->groups, group_key(o));
	uint64_t user_max = (max - (s->nr - users)) / 2;

	if (users + nr > user_max || groups + nr > (user_max - (users - groups)) / 2)
		return false;
	add(&s->users, o->user, nr, s->nr_turns);
	add(&s->groups, group_key(o), nr, s->nr_turns);
	s->nr += nr;
	return true;
}

void shares_give(struct shares *s, const struct owner *o, uint64_t nr)
{
	take_off(&s->users, o->user, nr);
	take_off(&s->groups, group_key(o), nr);
	s->nr -= nr;
}

void shares_turn(struct shares *s, const struct owner *o)
{
	struct share *user = hash_get(&s->users, o->user);
	struct share *group = hash_get(&s->groups, group_key(o));

	user->turn = group->turn = ++s->nr_turns;
}

bool shares_is_before(const struct shares *s, const struct owner *a, const struct owner *b)
{
	const struct share *x = hash_get(&s->users, a->user), *y = hash_get(&s->users, b->user);

	if (x == y) {
		x = hash_get(&s->groups, group_key(a));
		y = hash_get(&s->groups, group_key(b));
	}
	return x->turn < y->turn;
}
