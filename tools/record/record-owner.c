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

/* As the kernel's headers have it from 6.11 on. */
#define MOUNTS_NUMBER _IOR(NSIO, 0x5, uint64_t)

struct share {
	uint64_t nr;
	uint64_t turn; /* its last */
};

static uint64_t inode_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : st.st_ino;
}

/* The recorder's. */
static uint64_t own_inode(const char *kind)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	return stat(path, &st) ? 0 : st.st_ino;
}

/*
 * The outermost namespace around the process's that is not the recorder's, its own if a kernel
 * before 4.9 does not say; the recorder's if it is in that. Returns -1 if it is gone.
 */
static int open_outermost(uint32_t pid, const char *kind, uint64_t own)
{
	char path[64];
	int fd, parent;

	snprintf(path, sizeof(path), "/proc/%u/ns/%s", pid, kind);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	/* Above the recorder's own the kernel tells it of none. */
	while (fd >= 0 && (parent = ioctl(fd, NS_GET_PARENT)) >= 0) {
		if (inode_of(parent) == own) {
			close(parent);
			break;
		}
		close(fd);
		fd = parent;
	}
	return fd;
}

static uint32_t real_user(uint32_t pid)
{
	char path[64], line[256];
	uint32_t user = UINT32_MAX;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "Uid: %u", &user) == 1)
			break;
	if (status)
		fclose(status);
	return user;
}

/* The user who made the namespace; before Linux 4.11 that is not told. */
static uint32_t maker_of(int user_ns, uint32_t pid)
{
	uid_t uid;

	return ioctl(user_ns, NS_GET_OWNER_UID, &uid) ? real_user(pid) : uid;
}

static uint64_t mounts_of(uint32_t pid)
{
	char path[64];
	uint64_t number = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/ns/mnt", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (ioctl(fd, MOUNTS_NUMBER, &number))
		number = inode_of(fd);
	close(fd);
	return number;
}

struct owner owner_of(uint32_t pid)
{
	struct owner o = {.user = UINT32_MAX, .mounts = mounts_of(pid)};
	uint64_t own_user_ns = own_inode("user"), own_pid_ns = own_inode("pid");
	int user_ns = open_outermost(pid, "user", own_user_ns);
	int pid_ns = open_outermost(pid, "pid", own_pid_ns);

	if (user_ns >= 0 && pid_ns >= 0) {
		if (inode_of(pid_ns) != own_pid_ns)
			o.pid_ns = inode_of(pid_ns);
		if (inode_of(user_ns) != own_user_ns)
			o.user = maker_of(user_ns, pid);
		else
			o.user = o.pid_ns ? 0 : real_user(pid);
	}
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

int shares_order(const struct shares *s, const struct owner *a, const struct owner *b)
{
	const struct share *x = hash_get(&s->users, a->user), *y = hash_get(&s->users, b->user);

	if (x == y) {
		x = hash_get(&s->groups, group_key(a));
		y = hash_get(&s->groups, group_key(b));
	}
	return x->turn < y->turn ? -1 : x->turn > y->turn;
}
