/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * waits ROUNDS FILE: waits in two functions: in naps() for a timer, and in asks() for a process of
 * its own, which answers in replies() after a nap. FILE then has a line for each: its name, the us
 * that the thread was neither on a CPU nor waited for one, by its own clocks, how often it waited,
 * and the us that it waited for a CPU. Then it sleeps.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define IN_FUNCTION __attribute__((noinline, noclone, optimize("no-omit-frame-pointer")))

struct blocked {
	long long us, queued;
	long times;
};

static int schedstat;

static long long now_us(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* How long this thread has waited for a CPU, as the kernel says. */
static long long queued_us(void)
{
	unsigned long long ran, queued;
	char text[128] = "";

	if (pread(schedstat, text, sizeof(text) - 1, 0) <= 0 ||
	    sscanf(text, "%llu %llu", &ran, &queued) != 2)
		exit(1);
	return (long long)(queued / 1000);
}

static long long off_us(void)
{
	long long now = now_us(CLOCK_MONOTONIC);

	return now - now_us(CLOCK_THREAD_CPUTIME_ID);
}

/*
 * Adds, or takes away where @sign is -1, what the clocks say, between which it ran: the time that
 * is neither running nor waiting for a CPU, and the latter.
 */
static void count(struct blocked *b, int sign)
{
	long long off, queued;

	do {
		off = off_us();
		queued = queued_us();
	} while (off_us() - off > 20);
	b->us += sign * (off - queued);
	b->queued += sign * queued;
}

/*
 * The C library is built without frame pointers: who calls into it is missing in stacks, so that
 * these two do it for the functions that are looked for.
 */
IN_FUNCTION static void sleep_us(long us)
{
	const struct timespec nap = {.tv_nsec = us * 1000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
}

IN_FUNCTION static void await(int answer)
{
	char c;

	if (read(answer, &c, 1) != 1)
		exit(1);
}

IN_FUNCTION static void naps(struct blocked *b)
{
	count(b, -1);
	sleep_us(20000);
	count(b, 1);
	b->times++;
}

IN_FUNCTION static void asks(struct blocked *b, int question, int answer)
{
	char c = 'q';

	count(b, -1);
	if (write(question, &c, 1) != 1)
		exit(1);
	await(answer);
	count(b, 1);
	b->times++;
}

IN_FUNCTION static void tell(int answer)
{
	char c = 'a';

	if (write(answer, &c, 1) != 1)
		_exit(1);
}

IN_FUNCTION static void replies(int answer)
{
	tell(answer);
	/* Not the last call, which would be a jump. */
	__asm__ volatile("");
}

static void answer_all(int question, int answer)
{
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(question, &c, 1) == 1) {
		sleep_us(30000);
		replies(answer);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	struct blocked nap = {0}, asked = {0};
	int question[2], answer[2];
	char name[4096];
	long rounds;
	FILE *f;

	if (argc != 3 || pipe(question) || pipe(answer))
		return 2;
	schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (!fork())
		answer_all(question[0], answer[1]);
	for (rounds = strtol(argv[1], NULL, 10); rounds > 0; rounds--) {
		naps(&nap);
		asks(&asked, question[1], answer[0]);
	}
	snprintf(name, sizeof(name), "%s.new", argv[2]);
	f = fopen(name, "w");
	if (!f)
		return 1;
	fprintf(f, "naps %lld %ld %lld\nasks %lld %ld %lld\n", nap.us, nap.times, nap.queued,
		asked.us, asked.times, asked.queued);
	if (fclose(f) || rename(name, argv[2]))
		return 1;
	for (;;)
		pause();
}
