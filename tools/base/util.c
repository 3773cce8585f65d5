/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "util.h"

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		memory_exhausted();
	return p;
}

void *xrealloc(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n ? n : 1, size ? size : 1);
	if (!p)
		memory_exhausted();
	return p;
}

char *xstrdup(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		memory_exhausted();
	return copy;
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		memory_exhausted();
	return s;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

ssize_t xgetdelim(char **text, size_t *size, int delimiter, FILE *f)
{
	ssize_t len = getdelim(text, size, delimiter, f);

	/* Newer C libraries say of that, too, that it is an error of the file's. */
	if (len < 0 && !feof(f) && (!ferror(f) || errno == ENOMEM))
		memory_exhausted();
	return len;
}

void *grow_more(void *array, size_t *cap, size_t size)
{
	*cap = *cap ? *cap * 2 : 8;
	return xrealloc(array, *cap, size);
}

static void message(const char *fmt, va_list ap)
{
	fputs("lttng-containers: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

int error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(fmt, ap);
	va_end(ap);
	return -1;
}

int error_too_long(void)
{
	return error("The trace is longer than can be counted, nearly 300 years of all CPUs or"
		     " tasks: times in it are damaged; where there are --begin and --end, give"
		     " a part of it.");
}

void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(fmt, ap);
	va_end(ap);
}

int standard_files_open(void)
{
	int fd;

	/* The lowest that is free is taken. */
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			return error("A standard file is closed, and there is no other."
				     " file=/dev/null reason=%s",
				     strerror(errno));
	return 0;
}

static struct sigaction size_before;

void size_limit_ignore(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGXFSZ, &ignore, &size_before);
}

void size_limit_restore(void)
{
	sigaction(SIGXFSZ, &size_before, NULL);
}

void helper_attributes(posix_spawnattr_t *attr)
{
	sigset_t none, ignored;

	sigemptyset(&none);
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawnattr_init(attr);
	posix_spawnattr_setpgroup(attr, 0);
	posix_spawnattr_setsigmask(attr, &none);
	posix_spawnattr_setsigdefault(attr, &ignored);
	posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
					       POSIX_SPAWN_SETSIGDEF);
}
