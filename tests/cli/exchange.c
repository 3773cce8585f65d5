/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * To be preloaded: runs the command in HOOK, once, when the program comes to what HOOK_AT says: it
 * has made its directory, says who may read its file, begins a process, opens a database, or makes
 * an index of one, which is told with how that ended. With NAMED its files have names: it is as on
 * a file system that makes no others.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static void hook(const char *when)
{
	const char *now = getenv("HOOK_AT");

	if (!now || strcmp(now, when) != 0)
		return;
	/* Not again, nor in the shell that runs the command. */
	unsetenv("HOOK_AT");
	if (system(getenv("HOOK")))
		abort();
}

int mkdirat(int dir, const char *name, mode_t mode)
{
	int (*real)(int, const char *, mode_t) =
		(int (*)(int, const char *, mode_t))dlsym(RTLD_NEXT, "mkdirat");
	int ret = real(dir, name, mode);

	hook("made");
	return ret;
}

int fchmod(int fd, mode_t mode)
{
	int (*real)(int, mode_t) = (int (*)(int, mode_t))dlsym(RTLD_NEXT, "fchmod");

	hook("mode");
	return real(fd, mode);
}

/* Each file is tried without a name first, then with one. */
static int is_full(int flags)
{
	static int nr;

	if (!getenv("FULL") || !(flags & (O_CREAT | O_TMPFILE) & ~O_DIRECTORY))
		return 0;
	nr++;
	return nr == 2 || nr == 3;
}

int openat(int dir, const char *name, int flags, ...)
{
	int (*real)(int, const char *, int, ...) =
		(int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	if (is_full(flags)) {
		errno = ENOSPC;
		return -1;
	}
	if ((flags & O_TMPFILE) != O_TMPFILE || !getenv("NAMED"))
		return real(dir, name, flags, mode);
	errno = EOPNOTSUPP;
	return -1;
}

pid_t fork(void)
{
	pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");

	hook("begun");
	return real();
}

int sqlite3_open_v2(const char *file, void *db, int flags, const char *vfs)
{
	int (*real)(const char *, void *, int, const char *) =
		(int (*)(const char *, void *, int, const char *))dlsym(RTLD_NEXT,
									"sqlite3_open_v2");

	hook("opened");
	return real(file, db, flags, vfs);
}

int sqlite3_exec(void *db, const char *sql, int (*call)(void *, int, char **, char **), void *ctx,
		 char **message)
{
	int (*real)(void *, const char *, int (*)(void *, int, char **, char **), void *, char **) =
		(int (*)(void *, const char *, int (*)(void *, int, char **, char **), void *,
			 char **))dlsym(RTLD_NEXT, "sqlite3_exec");
	int ret;

	if (strncmp(sql, "CREATE INDEX", strlen("CREATE INDEX")))
		return real(db, sql, call, ctx, message);
	hook("index");
	ret = real(db, sql, call, ctx, message);
	fprintf(stderr, "index %d\n", ret);
	return ret;
}
