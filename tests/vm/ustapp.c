/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * ustapp THREADS EVENTS: an application with LTTng-UST: each of its threads, the first
 * one too, writes that many events, and then sleeps.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <lttng/tracef.h>

static long nr_events;

static void *work(void *name)
{
	const struct timespec pause_time = {.tv_nsec = 1000000};
	long i;

	prctl(PR_SET_NAME, name);
	for (i = 0; i < nr_events; i++) {
		tracef("event %ld", i);
		nanosleep(&pause_time, NULL);
	}
	prctl(PR_SET_NAME, "ust-done");
	for (;;)
		pause();
	return NULL;
}

int main(int argc, char **argv)
{
	long i, threads;
	pthread_t id;

	if (argc != 3)
		return 2;
	threads = atol(argv[1]);
	nr_events = atol(argv[2]);
	for (i = 1; i < threads; i++)
		if (pthread_create(&id, NULL, work, "ust-thread"))
			return 1;
	work("ust-app");
	return 0;
}
