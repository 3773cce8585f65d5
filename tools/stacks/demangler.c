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
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/symbols.h"
#include "base/util.h"
#include "demangler.h"
#include "demangle-here.h"

#define ANSWER_MS    1000
#define US_PER_SEC   1000000u
/* Of the processor, for all names, also where one process after another is asked. */
#define SECONDS_MAX  60
/* Of an owner of names. */
#define FAILURES_MAX 4
#define US_MAX	     (5 * US_PER_SEC)
/* Names with letters that are not ASCII take some memory. */
#define HEAP	     (1 << 20)

/* What one owner's names have taken. */
struct asker {
	unsigned int failures;
	uint64_t us; /* of the processor */
};

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
	if (d->is_over || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
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
	d->is_over = true;
	return -1;
}

static uint64_t us_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * US_PER_SEC + (uint64_t)t->tv_usec;
}

/* What the process that answers has had of the processor. */
static uint64_t us_now(const struct demangler *d)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(d->pid, &clock) || clock_gettime(clock, &t))
		return 0;
	return (uint64_t)t.tv_sec * US_PER_SEC + (uint64_t)t.tv_nsec / 1000;
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

static struct asker *asker_of(struct demangler *d, uint64_t owner)
{
	struct asker *a = hash_get(&d->owners, owner);

	if (a)
		return a;
	a = xcalloc(1, sizeof(*a));
	hash_put(&d->owners, owner, a);
	return a;
}

static bool is_spent(const struct asker *a)
{
	return a->failures >= FAILURES_MAX || a->us >= US_MAX;
}

bool demangler_answers(const struct demangler *d, uint64_t owner)
{
	const struct asker *a = hash_get(&d->owners, owner);

	return demangle_is_there && !d->is_over && !(a && is_spent(a));
}

/* What may come of it is said once. */
static void tell_limits(struct demangler *d, const struct asker *a)
{
	if (!d->pid && !d->is_over && !seconds_left(d)) {
		d->is_over = true;
		note("Further names of C++ and Rust stay as they are: some took too long.");
	} else if (!d->is_over && !d->has_refused && is_spent(a)) {
		d->has_refused = true;
		note("Further names of C++ and Rust of a container, a user or a service stay as"
		     " they are: some took too long, or broke what reads them.");
	}
}

/* The length of the answer; not above 0: there was none. */
static ssize_t ask(struct demangler *d, struct asker *a, const char *name, size_t len, char *answer)
{
	struct pollfd p = {.fd = d->fd, .events = POLLIN};
	uint64_t before = us_now(d), after;
	ssize_t got = -1;

	if (send(d->fd, name, len, MSG_NOSIGNAL) == (ssize_t)len && poll(&p, 1, ANSWER_MS) > 0)
		got = recv(d->fd, answer, DEMANGLED_MAX, MSG_DONTWAIT);
	after = us_now(d);
	a->us += after > before ? after - before : 0;
	if (got <= 0) {
		a->failures++;
		d->failures++;
		end(d);
	}
	tell_limits(d, a);
	return got;
}

char *demangler_ask(struct demangler *d, uint64_t owner, const char *name)
{
	char answer[DEMANGLED_MAX];
	size_t len = strlen(name);
	ssize_t got;

	/* What is as long was cut. */
	if (!is_mangled(name) || len >= FUNCTION_NAME_MAX || !demangler_answers(d, owner) ||
	    start(d))
		return NULL;
	got = ask(d, asker_of(d, owner), name, len, answer);
	/* A line of a file of names has neither. */
	if (got <= 0 || memchr(answer, '\0', (size_t)got) || memchr(answer, '\n', (size_t)got))
		return NULL;
	return xasprintf("%.*s", (int)got, answer);
}

void demangler_free(struct demangler *d)
{
	struct asker *a;
	size_t pos = 0;

	end(d);
	while ((a = hash_next(&d->owners, &pos)))
		free(a);
	hash_free(&d->owners);
}
