/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/command.h"
#include "base/owner.h"
#include "base/symbols.h"
#include "base/tree.h"
#include "record.h"
#include "base/text.h"
#include "base/util.h"

/* What lttng-sessiond makes in the directory of a recording that has not begun. */
#define MADE "kernel"

static char *default_name(void)
{
	char buf[64];
	time_t t = time(NULL);
	struct tm tm = {0};

	localtime_r(&t, &tm);
	strftime(buf, sizeof(buf), "lttng-containers-%Y%m%d-%H%M%S", &tm);
	return xstrdup(buf);
}

static int refused(const char *what, const char *dir, const struct stat *st)
{
	char *safe = text_escape(dir);

	error("%s owner=%u mode=%04o directory=%s", what, (unsigned int)st->st_uid,
	      (unsigned int)st->st_mode & 07777, safe);
	free(safe);
	return -1;
}

static int failed(const char *dir, int why)
{
	char *safe = text_escape(dir);

	error("The output directory cannot be made or used. reason=%s directory=%s", strerror(why),
	      safe);
	free(safe);
	return -1;
}

/* What stays behind, and nobody would look for. */
static void tell_left(const char *what, const char *why, const struct output *o)
{
	char *safe = text_escape(o->path);

	note("%s reason=%s directory=%s", what, why, safe);
	free(safe);
}

static int check_empty(const struct output *o)
{
	DIR *d = tree_list(o->fd);
	bool empty;

	if (!d)
		return failed(o->path, errno);
	empty = !tree_next(d);
	closedir(d);
	return empty ? 0
		     : argument_error("The output directory is not empty; give another, or a"
				      " directory that does not exist yet.",
				      "directory", o->path);
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* One step of the walk below; @at is closed, whatever happens. */
static int step(int at, const char *name, const char *path)
{
	int fd = openat(at, name, O_PATH | TREE_DIR_FLAGS), why = errno;
	struct stat st;

	close(at);
	if (fd < 0)
		return failed(path, why);
	if (fstat(fd, &st)) {
		failed(path, errno);
	} else if (!owner_is_trusted(st.st_uid) ||
		   (!(st.st_mode & S_ISVTX) && owner_others_write(&st))) {
		refused("Somebody else can put another directory in the place of the trace's;"
			" record below directories that only root or you can change.",
			path, &st);
	} else {
		return fd;
	}
	close(fd);
	return -1;
}

/*
 * Opens a directory whose path, which has no links in it, only root and the
 * caller can change: lttng-sessiond and its consumer write by path, as root.
 * Whose name in a sticky directory it is, is looked at one step later.
 */
static int open_safely(const char *path)
{
	char *copy = xstrdup(path), *rest = copy, *name;
	int fd = step(open("/", O_PATH | TREE_DIR_FLAGS), ".", "/");

	while (fd >= 0 && (name = strsep(&rest, "/")))
		if (*name) {
			char *so_far =
				xasprintf("%.*s", (int)(name - copy + (int)strlen(name)), path);

			fd = step(fd, name, so_far);
			free(so_far);
		}
	free(copy);
	return fd;
}

/* Splits what the user gave into the real path of what holds it, and its name there. */
static int find_place(struct output *o, const char *dir)
{
	char *copy = xstrdup(dir), *slash, *holder;
	size_t len = strlen(copy);
	int result = 0;

	while (len > 1 && copy[len - 1] == '/')
		copy[--len] = '\0';
	slash = strrchr(copy, '/');
	o->name = xstrdup(slash ? slash + 1 : copy);
	if (slash)
		slash[slash == copy] = '\0';
	/* A directory that has no name of its own was there before, at its real path. */
	if (!*o->name || !strcmp(o->name, ".") || !strcmp(o->name, "..")) {
		free(o->name);
		o->name = xstrdup(".");
		holder = realpath(dir, NULL);
		o->path = holder ? xstrdup(holder) : NULL;
	} else {
		holder = realpath(slash ? copy : ".", NULL);
		o->path = holder ? xasprintf("%s/%s", strcmp(holder, "/") ? holder : "", o->name)
				 : NULL;
	}
	if (!holder)
		result = failed(dir, errno);
	else if ((o->parent = open_safely(holder)) < 0)
		result = -1;
	free(holder);
	free(copy);
	return result;
}

static int open_it(struct output *o, bool filled)
{
	struct stat st;

	if (!mkdirat(o->parent, o->name, 0755))
		o->made = true;
	else if (errno != EEXIST)
		return failed(o->path, errno);
	o->fd = openat(o->parent, o->name, O_RDONLY | TREE_DIR_FLAGS);
	if (o->fd < 0) {
		int why = errno;

		if (!fstatat(o->parent, o->name, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode))
			return refused("The output directory is a symbolic link; give the directory"
				       " itself.",
				       o->path, &st);
		return failed(o->path, why);
	}
	if (fstat(o->fd, &st))
		return failed(o->path, errno);
	if (!owner_is_trusted(st.st_uid) || owner_others_write(&st))
		return refused("The output directory is somebody else's, or others may write to"
			       " it; give a directory that does not exist yet.",
			       o->path, &st);
	if (faccessat(o->fd, ".", W_OK, AT_EACCESS))
		return failed(o->path, errno);
	return filled ? 0 : check_empty(o);
}

int output_prepare(struct output *o, const char *dir, bool filled)
{
	char *name = dir ? xstrdup(dir) : default_name();
	int result = find_place(o, name);

	free(name);
	if (!result)
		result = open_it(o, filled);
	if (!result)
		return 0;
	/* What is in it is not ours to remove. */
	if (o->made && unlinkat(o->parent, o->name, AT_REMOVEDIR))
		tell_left("The directory could not be removed.", strerror(errno), o);
	output_close(o);
	return -1;
}

int output_check(const struct output *o)
{
	struct stat ours, there;

	if (!o->path)
		return 0;
	if (!fstat(o->fd, &ours) && !lstat(o->path, &there) && same_file(&ours, &there))
		return 0;
	return argument_error("The output directory is no longer where it was; it was moved,"
			      " removed or replaced.",
			      "directory", o->path);
}

static int remove_names(const struct output *o)
{
	if (!o->has_symbols)
		return 0;
	if (unlinkat(o->fd, PROGRAMS_FILE, 0) && errno != ENOENT)
		return errno;
	return unlinkat(o->fd, SYMBOLS_FILE, 0) && errno != ENOENT ? errno : 0;
}

void output_remove(struct output *o)
{
	const char *left;
	int why;

	if (o->fd < 0)
		return;
	/* It was empty, or not there, before; what others have put there is theirs. */
	why = tree_remove(o->fd, MADE);
	if (!why)
		why = remove_names(o);
	left = output_remove_empty(o);
	if (left && why)
		left = strerror(why);
	if (left)
		tell_left("The directory could not be removed.", left, o);
	else if (why && !o->made)
		tell_left("What was made in the directory could not be removed.", strerror(why), o);
}

const char *output_remove_empty(struct output *o)
{
	struct stat ours, there;

	if (o->fd < 0)
		return NULL;
	if (!trace_has_metadata(o->fd))
		remove_names(o);
	if (!o->made)
		return NULL;
	if (fstat(o->fd, &ours))
		return strerror(errno);
	/* Somebody has removed it already. */
	if (!ours.st_nlink)
		return NULL;
	if (fstatat(o->parent, o->name, &there, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? "it is no longer there" : strerror(errno);
	if (!same_file(&ours, &there))
		return "another is in its place";
	return unlinkat(o->parent, o->name, AT_REMOVEDIR) ? strerror(errno) : NULL;
}

uint64_t output_bytes(const struct output *o)
{
	return o->fd < 0 ? 0 : tree_bytes(o->fd);
}

int output_sync(const struct output *o)
{
	return o->fd < 0 ? 0 : tree_sync(o->fd);
}

uint64_t output_free(const struct output *o)
{
	struct statvfs v;

	if (o->fd < 0 || fstatvfs(o->fd, &v))
		return UINT64_MAX;
	return (uint64_t)(geteuid() ? v.f_bavail : v.f_bfree) * v.f_frsize;
}

void output_close(struct output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	if (o->parent >= 0)
		close(o->parent);
	free(o->path);
	free(o->name);
	*o = (struct output)OUTPUT_NONE;
}
