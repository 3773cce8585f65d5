/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"
#include "base/text.h"
#include "base/tree.h"
#include "base/util.h"
#include "outdir.h"

static int path_error(const char *what, const char *path, int why)
{
	char *safe = text_escape(path);

	error("%s path=%s%s%s", what, safe, why ? " reason=" : "", why ? strerror(why) : "");
	free(safe);
	return -1;
}

/* A trailing slash would put what is made beside it inside of it. */
static char *without_slashes(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return xasprintf("%.*s", (int)len, path);
}

/* The name in what holds it. */
static const char *name_in(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int open_parent(const char *path)
{
	int len = (int)(name_in(path) - path);
	char *holder = len ? xasprintf("%.*s", len, path) : xstrdup(".");
	int fd = open(holder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	free(holder);
	return fd;
}

/* Who may rename in the directory above may have put another one there. */
static bool is_ours(int fd)
{
	struct stat st;
	DIR *dir = tree_list(fd);
	bool empty = dir && !tree_next(dir);

	if (dir)
		closedir(dir);
	return empty && !fstat(fd, &st) && owner_is_trusted(st.st_uid) && !owner_others_write(&st);
}

int outdir_open(struct outdir *d, const char *path)
{
	struct stat st;

	*d = (struct outdir)OUTDIR_NONE;
	d->path = without_slashes(path);
	if (!lstat(d->path, &st))
		return path_error("The output directory exists already; give another one.", d->path,
				  0);
	d->parent = open_parent(d->path);
	d->temporary = xasprintf("%s.XXXXXX", d->path);
	if (d->parent < 0 || !mkdtemp(d->temporary))
		return path_error("The output directory cannot be made.", d->path, errno);
	d->fd = openat(d->parent, name_in(d->temporary), O_RDONLY | TREE_DIR_FLAGS);
	if (d->fd < 0)
		return path_error("The output directory cannot be made.", d->path, errno);
	if (is_ours(d->fd))
		return 0;
	/* What is in it is not ours to remove. */
	close(d->fd);
	d->fd = -1;
	return path_error("The output directory was exchanged meanwhile, or its file system lets"
			  " others write to it; give one elsewhere.",
			  d->path, 0);
}

char *outdir_way(const struct outdir *d)
{
	return xasprintf("/proc/self/fd/%d", d->fd);
}

int outdir_mode(const struct outdir *d, const struct access *readers)
{
	struct stat st;

	return fstat(d->fd, &st) ? 0600 : (int)access_mode(readers, st.st_gid);
}

int outdir_share(const struct outdir *d, const struct access *readers)
{
	int mode = outdir_mode(d, readers);

	mode |= 0700 | (mode & 0040 ? 0010 : 0) | (mode & 0004 ? 0001 : 0);
	return fchmod(d->fd, (mode_t)mode)
		       ? path_error("The output directory cannot be made.", d->path, errno)
		       : 0;
}

/* Whether it still has the name that it was given. */
static bool is_there(const struct outdir *d)
{
	struct stat ours, there;

	return !fstat(d->fd, &ours) &&
	       !fstatat(d->parent, name_in(d->temporary), &there, AT_SYMLINK_NOFOLLOW) &&
	       ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/* Somebody may have made one meanwhile. Not every file system can refuse by itself. */
static int give_name(const struct outdir *d)
{
	const char *from = name_in(d->temporary), *to = name_in(d->path);
	struct stat st;

	if (!renameat2(d->parent, from, d->parent, to, RENAME_NOREPLACE))
		return 0;
	if (errno == EEXIST || ((errno == EINVAL || errno == ENOSYS) &&
				!fstatat(d->parent, to, &st, AT_SYMLINK_NOFOLLOW)))
		return path_error("The output directory came into being meanwhile.", d->path, 0);
	if ((errno != EINVAL && errno != ENOSYS) || renameat(d->parent, from, d->parent, to))
		return path_error("The output directory cannot be made.", d->path, errno);
	return 0;
}

int outdir_finish(struct outdir *d)
{
	if (!is_there(d))
		return path_error("The output directory was exchanged meanwhile.", d->path, 0);
	if (give_name(d))
		return -1;
	free(d->temporary);
	d->temporary = NULL;
	return 0;
}

static void remove_all(const struct outdir *d)
{
	DIR *dir = tree_list(d->fd);
	const struct dirent *e;

	while (dir && (e = tree_next(dir)))
		tree_remove(d->fd, e->d_name);
	if (dir)
		closedir(dir);
	if (is_there(d))
		unlinkat(d->parent, name_in(d->temporary), AT_REMOVEDIR);
}

void outdir_drop(struct outdir *d)
{
	if (d->temporary && d->fd >= 0)
		remove_all(d);
	if (d->fd >= 0)
		close(d->fd);
	if (d->parent >= 0)
		close(d->parent);
	free(d->temporary);
	free(d->path);
	*d = (struct outdir)OUTDIR_NONE;
}
