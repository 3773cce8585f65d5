/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * shares ROUNDS FILE: uses the CPU in two functions, three times as long in one of them as in the
 * other, by this thread's own clock, and in a third that reads. FILE then has a line for each: its
 * name, the addresses where its code begins and ends, and the us of CPU time that it took; then one
 * for their caller, and `all`, the us that the kernel says of the process. Then it sleeps. The
 * functions keep a frame pointer, unless it is built with FRAMES=0, and each has a section of its
 * own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifndef FRAMES
#define FRAMES 1
#endif
#if FRAMES
#define IN_SECTION(name)                                                                           \
	__attribute__((noinline, noclone, section(#name), optimize("no-omit-frame-pointer")))
#else
#define IN_SECTION(name) __attribute__((noinline, noclone, section(#name)))
#endif
#define CODE(name) extern const char __start_##name[], __stop_##name[]

CODE(light_code);
CODE(heavy_code);
CODE(reads_code);
CODE(caller_code);

static volatile unsigned long sink;
static int zeros;

static long long cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* Long enough between readings of the clock that these do not count. */
static inline __attribute__((always_inline)) long long burn(long long us)
{
	long long begin = cpu_us(), now;

	do {
		for (unsigned long i = 0; i < 200000; i++)
			sink += i;
		now = cpu_us();
	} while (now < begin + us);
	return now - begin;
}

IN_SECTION(light_code) static long long light(void)
{
	return burn(10000);
}

IN_SECTION(heavy_code) static long long heavy(void)
{
	return burn(30000);
}

/* The kernel's time nearly all of it: nothing is done with what is read. */
IN_SECTION(reads_code) static long long reads(void)
{
	static char buffer[1 << 20];
	long long begin = cpu_us(), now;

	do {
		if (read(zeros, buffer, sizeof(buffer)) != sizeof(buffer))
			exit(1);
		now = cpu_us();
	} while (now < begin + 20000);
	return now - begin;
}

IN_SECTION(caller_code)
static void take_turns(long rounds, long long *light_us, long long *heavy_us, long long *reads_us)
{
	while (rounds--) {
		*light_us += light();
		*heavy_us += heavy();
		*reads_us += reads();
	}
}

static void tell(FILE *f, const char *name, const char *begin, const char *end, long long us)
{
	fprintf(f, "%s %p %p %lld\n", name, (const void *)begin, (const void *)end, us);
}

int main(int argc, char **argv)
{
	long long light_us = 0, heavy_us = 0, reads_us = 0;
	struct rusage all;
	char name[4096];
	FILE *f;

	if (argc != 3)
		return 2;
	zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	take_turns(strtol(argv[1], NULL, 10), &light_us, &heavy_us, &reads_us);
	getrusage(RUSAGE_SELF, &all);
	snprintf(name, sizeof(name), "%s.new", argv[2]);
	f = fopen(name, "w");
	if (!f)
		return 1;
	tell(f, "light", __start_light_code, __stop_light_code, light_us);
	tell(f, "heavy", __start_heavy_code, __stop_heavy_code, heavy_us);
	tell(f, "reads", __start_reads_code, __stop_reads_code, reads_us);
	tell(f, "caller", __start_caller_code, __stop_caller_code, light_us + heavy_us + reads_us);
	tell(f, "all", NULL, NULL,
	     (all.ru_utime.tv_sec + all.ru_stime.tv_sec) * 1000000LL + all.ru_utime.tv_usec +
		     all.ru_stime.tv_usec);
	if (fclose(f) || rename(name, argv[2]))
		return 1;
	for (;;)
		pause();
}
