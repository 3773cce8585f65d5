/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/tree.h"
#include "base/util.h"
#include "export-dir.h"

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

/* Whoever owns the directory above may have put another one there. */
static bool is_ours(int fd)
{
	struct stat st;
	DIR *dir = tree_list(fd);
	bool empty = dir && !tree_next(dir);

	if (dir)
		closedir(dir);
	return empty && !fstat(fd, &st) && st.st_uid == geteuid() && (st.st_mode & 0777) == 0700;
}

int outdir_open(struct outdir *d, const char *path)
{
	struct stat st;

	*d = (struct outdir){.path = without_slashes(path), .fd = -1};
	if (!lstat(d->path, &st))
		return path_error("The output directory exists already; give another one.", d->path,
				  0);
	d->temporary = xasprintf("%s.XXXXXX", d->path);
	if (!mkdtemp(d->temporary)) {
		path_error("The output directory cannot be made.", d->path, errno);
		free(d->temporary);
		d->temporary = NULL;
		return -1;
	}
	d->fd = open(d->temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (d->fd < 0)
		return path_error("The output directory cannot be made.", d->path, errno);
	if (!is_ours(d->fd)) {
		/* What is in it is not ours to remove. */
		close(d->fd);
		d->fd = -1;
		return path_error("The output directory was exchanged meanwhile.", d->path, 0);
	}
	return 0;
}

int outdir_mode(const struct outdir *d, const struct access *readers)
{
	struct stat st;

	return fstat(d->fd, &st) ? 0600 : (int)access_mode(readers, st.st_gid);
}

/* Who may read the files may look into it. */
static mode_t mode_of_directory(int mode)
{
	return (mode_t)(mode | 0700 | (mode & 0040 ? 0010 : 0) | (mode & 0004 ? 0001 : 0));
}

/* Somebody may have made one meanwhile. Not every file system can refuse by itself. */
static int give_name(const struct outdir *d)
{
	struct stat st;

	if (!renameat2(AT_FDCWD, d->temporary, AT_FDCWD, d->path, RENAME_NOREPLACE))
		return 0;
	if (errno == EEXIST || ((errno == EINVAL || errno == ENOSYS) && !lstat(d->path, &st)))
		return path_error("The output directory came into being meanwhile.", d->path, 0);
	if ((errno != EINVAL && errno != ENOSYS) || rename(d->temporary, d->path))
		return path_error("The output directory cannot be made.", d->path, errno);
	return 0;
}

int outdir_finish(struct outdir *d, const struct access *readers)
{
	if (fchmod(d->fd, mode_of_directory(outdir_mode(d, readers))))
		return path_error("The output directory cannot be made.", d->path, errno);
	if (give_name(d))
		return -1;
	free(d->temporary);
	d->temporary = NULL;
	return 0;
}

/* There are only files in it. */
static void remove_files(int fd)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
}

void outdir_drop(struct outdir *d)
{
	if (d->temporary && d->fd >= 0) {
		remove_files(d->fd);
		d->fd = -1;
	}
	if (d->temporary)
		rmdir(d->temporary);
	if (d->fd >= 0)
		close(d->fd);
	free(d->temporary);
	free(d->path);
	*d = (struct outdir){.fd = -1};
}
