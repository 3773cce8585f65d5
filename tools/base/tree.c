/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree.h"
#include "util.h"

#define DEPTH_MAX  8
#define CHANCE_LEN 6
#define TRIES	   1000

int tree_open_above(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char *holder;
	int fd, why;

	*name = slash ? slash + 1 : path;
	holder = slash ? xasprintf("%.*s", (int)(*name - path), path) : xstrdup(".");
	fd = open(holder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	why = errno;
	free(holder);
	errno = why;
	return fd;
}

bool tree_walk_up(const char *path, bool (*take)(void *ctx, const struct stat *st, bool is_above),
		  void *ctx)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), up;
	struct stat below, st = {0};
	bool goes_on = fd >= 0 && !fstat(fd, &st) && take(ctx, &st, false), is_root = false;

	while (goes_on && !is_root) {
		below = st;
		up = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = up;
		goes_on = fd >= 0 && !fstat(fd, &st);
		is_root = goes_on && st.st_dev == below.st_dev && st.st_ino == below.st_ino;
		goes_on = goes_on && (is_root || take(ctx, &st, true));
	}
	if (fd >= 0)
		close(fd);
	return goes_on;
}

static int choose_letters(char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	char *to = name + strlen(name) - CHANCE_LEN;
	uint64_t chance;

	if (getrandom(&chance, sizeof(chance), 0) != (ssize_t)sizeof(chance))
		return -1;
	for (; *to; to++, chance /= sizeof(letters) - 1)
		*to = letters[chance % (sizeof(letters) - 1)];
	return 0;
}

int tree_make_file(int dir, char *name)
{
	int i, fd = -1;

	errno = EEXIST;
	for (i = 0; i < TRIES && fd < 0 && errno == EEXIST && !choose_letters(name); i++)
		fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd;
}

int tree_make_dir(int dir, char *name)
{
	int i, ret = -1;

	errno = EEXIST;
	for (i = 0; i < TRIES && ret && errno == EEXIST && !choose_letters(name); i++)
		ret = mkdirat(dir, name, 0700);
	return ret ? -1 : openat(dir, name, O_RDONLY | TREE_DIR_FLAGS);
}

int tree_name_file(int fd, int dir, const char *name)
{
	/* Who has the descriptor alone may not do it by that. */
	char *way = xasprintf("/proc/self/fd/%d", fd);
	int ret = linkat(AT_FDCWD, way, dir, name, AT_SYMLINK_FOLLOW), why = errno;

	free(way);
	errno = why;
	return ret;
}

int tree_name_file_anyhow(int fd, int dir, char *name)
{
	int i, ret = -1;

	errno = EEXIST;
	for (i = 0; i < TRIES && ret && errno == EEXIST && !choose_letters(name); i++)
		ret = tree_name_file(fd, dir, name);
	return ret;
}

bool tree_is_there(int dir, const char *name, int fd)
{
	struct stat is, there;

	return !fstat(fd, &is) && !fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) &&
	       is.st_dev == there.st_dev && is.st_ino == there.st_ino;
}

DIR *tree_list(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | TREE_DIR_FLAGS);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

struct dirent *tree_next(DIR *d)
{
	struct dirent *e;

	while ((e = readdir(d)) && (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")))
		;
	return e;
}

static bool is_mounted(int dir, const char *name)
{
#ifdef STATX_ATTR_MOUNT_ROOT
	struct statx sx;

	return statx(dir, name, AT_SYMLINK_NOFOLLOW, 0, &sx) ||
	       sx.stx_attributes & STATX_ATTR_MOUNT_ROOT;
#else
	struct stat in, at;

	return fstat(dir, &at) || fstatat(dir, name, &in, AT_SYMLINK_NOFOLLOW) ||
	       in.st_dev != at.st_dev;
#endif
}

static int remove_below(int dir, const char *name, unsigned int depth);

/* All that is in it. Takes @fd. */
static int empty(int fd, unsigned int depth)
{
	DIR *d = tree_list(fd);
	int why = d ? 0 : errno, code;
	struct dirent *e;

	while (d && (e = tree_next(d))) {
		code = remove_below(fd, e->d_name, depth);
		why = why ? why : code;
	}
	if (d)
		closedir(d);
	close(fd);
	return why;
}

static int remove_below(int dir, const char *name, unsigned int depth)
{
	int first, why = 0, fd = -1;

	if (!unlinkat(dir, name, 0))
		return 0;
	first = errno;
	if (depth && !is_mounted(dir, name))
		fd = openat(dir, name, O_RDONLY | TREE_DIR_FLAGS);
	if (fd >= 0)
		why = empty(fd, depth - 1);
	if (!unlinkat(dir, name, AT_REMOVEDIR) || errno == ENOENT)
		return 0;
	/* A file, which has told already why it stays. */
	if (errno == ENOTDIR)
		return first;
	return why ? why : errno;
}

int tree_remove(int dir, const char *name)
{
	return remove_below(dir, name, DEPTH_MAX);
}

static uint64_t bytes_below(int dir, unsigned int depth)
{
	DIR *d = tree_list(dir);
	struct dirent *e;
	struct stat st;
	uint64_t bytes = 0;

	while (d && (e = tree_next(d))) {
		if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (S_ISREG(st.st_mode))
			bytes += (uint64_t)st.st_size;
		if (S_ISDIR(st.st_mode) && depth) {
			int fd = openat(dir, e->d_name, O_RDONLY | TREE_DIR_FLAGS);

			if (fd < 0)
				continue;
			bytes += bytes_below(fd, depth - 1);
			close(fd);
		}
	}
	if (d)
		closedir(d);
	return bytes;
}

uint64_t tree_bytes(int dir)
{
	return bytes_below(dir, DEPTH_MAX);
}

static int sync_below(int dir, unsigned int depth);

static int sync_entry(int dir, const char *name, unsigned int depth)
{
	struct stat st;
	int fd, why;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : errno;
	if (!S_ISREG(st.st_mode) && !(S_ISDIR(st.st_mode) && depth))
		return 0;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == EACCES ? 0 : errno;
	if (S_ISDIR(st.st_mode))
		why = sync_below(fd, depth - 1);
	else
		why = fsync(fd) ? errno : 0;
	close(fd);
	return why;
}

static int sync_below(int dir, unsigned int depth)
{
	DIR *d = tree_list(dir);
	int why = d ? 0 : errno, code;
	struct dirent *e;

	while (d && (e = tree_next(d))) {
		code = sync_entry(dir, e->d_name, depth);
		why = why ? why : code;
	}
	if (d)
		closedir(d);
	/* Not every file system has something to do for a directory. */
	if (fsync(dir) && errno != EINVAL)
		why = why ? why : errno;
	return why;
}

int tree_sync(int dir)
{
	return sync_below(dir, DEPTH_MAX);
}
