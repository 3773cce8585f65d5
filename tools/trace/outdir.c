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
	d->parent = tree_open_above(d->path, &d->name);
	if (d->parent < 0)
		return path_error("The output directory cannot be made.", d->path, errno);
	d->temporary = xasprintf("%s.XXXXXX", d->name);
	d->fd = tree_make_dir(d->parent, d->temporary);
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

/* Somebody may have made one meanwhile. Not every file system can refuse by itself. */
static int give_name(const struct outdir *d)
{
	const char *from = d->temporary, *to = d->name;
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
	if (!tree_is_there(d->parent, d->temporary, d->fd))
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
	if (tree_is_there(d->parent, d->temporary, d->fd))
		unlinkat(d->parent, d->temporary, AT_REMOVEDIR);
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
