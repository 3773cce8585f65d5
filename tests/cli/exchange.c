/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * To be preloaded: runs the command in HOOK, once, when the program comes to what HOOK_AT says: it
 * has made its directory, begins a process, or opens a database.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
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

char *mkdtemp(char *name)
{
	char *(*real)(char *) = (char *(*)(char *))dlsym(RTLD_NEXT, "mkdtemp");
	char *made = real(name);

	hook("made");
	return made;
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
