/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Does things whose number is known, for what counts them, and says on standard error what it did.
 *
 * peers ask N: N times, sleeps, writes a byte to its output, and waits for one on its input.
 *
 * peers answer N: N times, waits for a byte, sleeps, and writes one.
 *
 * peers calls FILE: 300 fsync of FILE, 150 fdatasync that fail; then it pauses.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Long enough that the other one has gone to sleep meanwhile. */
#define NAP_NS 10000000

static void die(const char *what)
{
	fprintf(stderr, "peers: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void nap(void)
{
	const struct timespec t = {.tv_nsec = NAP_NS};

	nanosleep(&t, NULL);
}

static void hear(void)
{
	char c;

	if (read(0, &c, 1) != 1)
		die("read");
}

static void say(void)
{
	if (write(1, "", 1) != 1)
		die("write");
}

static long times_slept(void)
{
	struct rusage u;

	if (getrusage(RUSAGE_THREAD, &u))
		die("getrusage");
	return u.ru_nvcsw;
}

static void talk(long n, int asks)
{
	long i, begin;

	prctl(PR_SET_NAME, asks ? "asker" : "answerer");
	/* Else it may sleep for its pages, too. */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		die("mlockall");
	begin = times_slept();
	for (i = 0; i < n; i++) {
		if (!asks)
			hear();
		nap();
		say();
		if (asks)
			hear();
	}
	/* The others were naps. */
	fprintf(stderr, "woken=%ld\n", times_slept() - begin - n);
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void calls(const char *name)
{
	int i, fd = open(name, O_WRONLY | O_CREAT, 0600);
	long long begin, total = 0;

	prctl(PR_SET_NAME, "caller");
	if (fd < 0)
		die("open");
	for (i = 0; i < 300; i++) {
		begin = now();
		if (fsync(fd))
			die("fsync");
		total += now() - begin;
	}
	for (i = 0; i < 150; i++)
		if (!fdatasync(-1))
			die("nothing, but fdatasync should have");
	fprintf(stderr, "fsync_ns=%lld\n", total);
	pause();
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "ask"))
		talk(atol(argv[2]), 1);
	else if (argc == 3 && !strcmp(argv[1], "answer"))
		talk(atol(argv[2]), 0);
	else if (argc == 3 && !strcmp(argv[1], "calls"))
		calls(argv[2]);
	else
		return 2;
	return 0;
}
