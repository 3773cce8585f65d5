/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "outfile.h"
#include "base/text.h"
#include "base/tree.h"
#include "base/util.h"

static int path_error(const char *what, const char *path, int why)
{
	char *safe = text_escape(path);

	error("%s file=%s%s%s", what, safe, why ? " reason=" : "", why ? strerror(why) : "");
	free(safe);
	return -1;
}

static int refuse(const char *path)
{
	return path_error("The file is there already; name another, or give --force to replace it.",
			  path, 0);
}

static int check(int dir, const char *name, const char *path, bool replace)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0
				       : path_error("The output cannot be written.", path, errno);
	if (!replace)
		return refuse(path);
	if (!S_ISREG(st.st_mode))
		return path_error("Only a regular file can be replaced; name another.", path, 0);
	return 0;
}

int outfile_check(const char *path, bool replace)
{
	return check(AT_FDCWD, path, path, replace);
}

static void make_readable(int fd, const struct access *readers)
{
	struct stat st;

	if (!fstat(fd, &st))
		fchmod(fd, access_mode(readers, st.st_gid));
}

/* -1 where the file system makes none, or it could not be given a name later. */
static int open_unnamed(int dir)
{
	if (access("/proc/self/fd", X_OK))
		return -1;
	return openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
}

static void forget(struct outfile *f)
{
	if (f->out)
		fclose(f->out);
	if (f->dir >= 0)
		close(f->dir);
	free(f->temporary);
	*f = (struct outfile){.dir = -1};
}

/* A file of another's in its place is not ours to remove. */
static void drop(struct outfile *f)
{
	if (f->temporary && tree_is_there(f->dir, f->temporary, fileno(f->out)))
		unlinkat(f->dir, f->temporary, 0);
	forget(f);
}

static int open_file(struct outfile *f)
{
	int fd = open_unnamed(f->dir);

	if (fd >= 0)
		return fd;
	f->temporary = xasprintf("%s.XXXXXX", f->name);
	return tree_make_file(f->dir, f->temporary);
}

int outfile_place(const char *path)
{
	const char *name;
	int dir = tree_open_above(path, &name);

	return dir < 0 ? path_error("The output cannot be made.", path, errno) : dir;
}

int outfile_open_in(struct outfile *f, int place, const char *path, bool replace,
		    const struct access *readers)
{
	const char *slash = strrchr(path, '/');
	int fd = -1;

	*f = (struct outfile){.path = path, .replace = replace, .dir = -1};
	f->name = slash ? slash + 1 : path;
	if (check(place, f->name, path, replace))
		return -1;
	f->dir = fcntl(place, F_DUPFD_CLOEXEC, 0);
	if (f->dir >= 0)
		fd = open_file(f);
	if (fd >= 0) {
		make_readable(fd, readers);
		f->out = fdopen(fd, "w");
	}
	if (f->out)
		return 0;
	path_error("The output cannot be made.", path, errno);
	if (fd >= 0) {
		close(fd);
		if (f->temporary)
			unlinkat(f->dir, f->temporary, 0);
	}
	forget(f);
	return -1;
}

int outfile_open(struct outfile *f, const char *path, bool replace, const struct access *readers)
{
	int place = outfile_check(path, replace) ? -1 : outfile_place(path), ret;

	*f = (struct outfile){.dir = -1};
	if (place < 0)
		return -1;
	ret = outfile_open_in(f, place, path, replace, readers);
	close(place);
	return ret;
}

/* If it is to take the place of another it has to have one already. */
static int give_name(struct outfile *f)
{
	int fd = fileno(f->out), ret;

	if (!f->replace) {
		ret = tree_name_file(fd, f->dir, f->name);
	} else {
		f->temporary = xasprintf("%s.XXXXXX", f->name);
		ret = tree_name_file_anyhow(fd, f->dir, f->temporary);
	}
	if (!ret)
		return 0;
	return !f->replace && errno == EEXIST
		       ? refuse(f->path)
		       : path_error("The output cannot be put in place.", f->path, errno);
}

/* Somebody may have made the file meanwhile. Not every file system can refuse by itself. */
static int rename_it(struct outfile *f)
{
	if (!tree_is_there(f->dir, f->temporary, fileno(f->out)))
		return path_error("The output was exchanged meanwhile.", f->path, 0);
	if (!f->replace) {
		if (!renameat2(f->dir, f->temporary, f->dir, f->name, RENAME_NOREPLACE))
			return 0;
		if (errno == EEXIST)
			return refuse(f->path);
		if (errno != EINVAL && errno != ENOSYS)
			return path_error("The output cannot be put in place.", f->path, errno);
	}
	if (check(f->dir, f->name, f->path, f->replace))
		return -1;
	if (renameat(f->dir, f->temporary, f->dir, f->name))
		return path_error("The output cannot be put in place.", f->path, errno);
	return 0;
}

static int put_in_place(struct outfile *f)
{
	if (!f->temporary && give_name(f))
		return -1;
	return f->temporary ? rename_it(f) : 0;
}

int outfile_finish(struct outfile *f)
{
	/* What finds no room may be told only when it is closed, as by NFS. */
	int again = dup(fileno(f->out)), ret = 0;

	if (fflush(f->out) || ferror(f->out) || again < 0 || close(again))
		ret = path_error("The output cannot be written.", f->path, errno);
	if (!ret)
		ret = put_in_place(f);
	if (ret)
		drop(f);
	else
		forget(f);
	return ret;
}

void outfile_drop(struct outfile *f)
{
	if (f->out)
		drop(f);
}
