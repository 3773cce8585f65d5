// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
// crowd NUMBER: a process of that many threads, which do nothing. Says "ready" when all are there.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STACK ((size_t)32 * 1024)

static void *rest(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int main(int argc, char **argv)
{
	int number = argc == 2 ? atoi(argv[1]) : 0;
	pthread_attr_t attributes;
	pthread_t thread;
	char *stacks;

	if (number < 1) {
		fputs("Usage: crowd NUMBER\n", stderr);
		return 2;
	}
	/* One mapping for all stacks: a process may have 65,530. */
	stacks = mmap(NULL, STACK * number, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stacks == MAP_FAILED) {
		perror("crowd: mmap");
		return 1;
	}
	madvise(stacks, STACK * number, MADV_NOHUGEPAGE);
	pthread_attr_init(&attributes);
	for (int i = 0; i < number - 1; i++) {
		int error;

		pthread_attr_setstack(&attributes, stacks + STACK * i, STACK);
		error = pthread_create(&thread, &attributes, rest, NULL);
		if (error) {
			fprintf(stderr, "crowd: A thread cannot be made. number=%d error=%s\n", i,
				strerror(error));
			return 1;
		}
	}
	puts("ready");
	fflush(stdout);
	rest(NULL);
	return 0;
}
