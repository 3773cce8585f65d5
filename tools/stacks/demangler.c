/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/symbols.h"
#include "base/util.h"
#include "demangler.h"
#include "demangle-here.h"

#define ANSWER_MS    1000
#define FAILURES_MAX 4
/* Of the processor, for all names, also where one process after another is asked. */
#define SECONDS_MAX  60
#define US_PER_SEC   1000000u
/* Names with letters that are not ASCII take some memory. */
#define HEAP	     (1 << 20)

bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* ---- the process that does it ---------------------------------------------- */

static void close_from(int first)
{
	int fd;

#ifdef SYS_close_range
	if (!syscall(SYS_close_range, first, ~0u, 0))
		return;
#endif
	for (fd = first; fd < 1 << 16; fd++)
		close(fd);
}

/* From here on it may read, write and end. What it needs besides it has by now. */
static void give_up_all(rlim_t seconds)
{
	/* Else the compiler sees that nobody uses it. */
	void *volatile heap;
	const struct rlimit time = {seconds, seconds}, none = {0, 0};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CPU, &time);
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_NPROC, &none);
	setrlimit(RLIMIT_FSIZE, &none);
	/* A checker of memory needs more calls. */
	if (memory_is_checked)
		return;
#ifdef __GLIBC__
	mallopt(M_TOP_PAD, HEAP);
	mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	mallopt(M_MMAP_MAX, 0);
#endif
	heap = malloc(HEAP);
	free(heap);
	/* Where the kernel has none it still has nothing open but this. */
	(void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}

static _Noreturn void be_demangler(int fd, rlim_t seconds)
{
	static char name[FUNCTION_NAME_MAX + 1];
	static char text[DEMANGLED_MAX];
	ssize_t len;
	size_t told;

	dup2(fd, STDIN_FILENO);
	/* What a checker finds must be seen. */
	close_from(memory_is_checked ? STDERR_FILENO + 1 : STDIN_FILENO + 1);
	give_up_all(seconds);
	while ((len = read(STDIN_FILENO, name, sizeof(name) - 1)) > 0) {
		name[len] = '\0';
		told = demangle_here(name, text, sizeof(text));
		/* A message has a byte at least. */
		if (write(STDIN_FILENO, told ? text : "", told ? told : 1) < 0)
			break;
	}
	for (;;)
		syscall(SYS_exit, 0);
}

/* ---- who asks it ----------------------------------------------------------- */

/* 0: all is used up. */
static rlim_t seconds_left(const struct demangler *d)
{
	uint64_t max = (uint64_t)SECONDS_MAX * US_PER_SEC;

	return d->used_us < max ? (max - d->used_us + US_PER_SEC - 1) / US_PER_SEC : 0;
}

static int start(struct demangler *d)
{
	int fds[2];

	if (d->pid)
		return 0;
	if (d->failures >= FAILURES_MAX ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -1;
	d->pid = fork();
	if (!d->pid)
		be_demangler(fds[1], seconds_left(d));
	close(fds[1]);
	d->fd = fds[0];
	if (d->pid > 0)
		return 0;
	close(d->fd);
	d->pid = 0;
	d->failures = FAILURES_MAX;
	return -1;
}

static uint64_t us_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * US_PER_SEC + (uint64_t)t->tv_usec;
}

static void end(struct demangler *d)
{
	struct rusage used = {0};

	if (!d->pid)
		return;
	close(d->fd);
	kill(d->pid, SIGKILL);
	while (wait4(d->pid, NULL, 0, &used) < 0 && errno == EINTR)
		;
	d->used_us += us_of(&used.ru_utime) + us_of(&used.ru_stime);
	d->pid = 0;
}

static void fail(struct demangler *d)
{
	end(d);
	d->failures = seconds_left(d) ? d->failures + 1 : FAILURES_MAX;
	if (d->failures == FAILURES_MAX)
		note("Further names of C++ and Rust stay as they are: some took too long, or"
		     " broke what reads them.");
}

char *demangler_ask(struct demangler *d, const char *name)
{
	struct pollfd p = {.events = POLLIN};
	char answer[DEMANGLED_MAX];
	size_t len = strlen(name);
	ssize_t got = -1;

	/* What is as long was cut. */
	if (!demangle_is_there || !is_mangled(name) || len >= FUNCTION_NAME_MAX || start(d))
		return NULL;
	p.fd = d->fd;
	if (send(d->fd, name, len, MSG_NOSIGNAL) == (ssize_t)len && poll(&p, 1, ANSWER_MS) > 0)
		got = recv(d->fd, answer, sizeof(answer), MSG_DONTWAIT);
	if (got <= 0) {
		fail(d);
		return NULL;
	}
	/* A line of a file of names has neither. */
	if (memchr(answer, '\0', (size_t)got) || memchr(answer, '\n', (size_t)got))
		return NULL;
	return xasprintf("%.*s", (int)got, answer);
}

void demangler_free(struct demangler *d)
{
	end(d);
}
