// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Loads or unloads a kernel module while one allocation of memory in the kernel fails, the first,
 * then the second, and so on: each time it is one system call in which the Nth allocation fails.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FAIL_NTH "/proc/thread-self/fail-nth"

static void usage(void)
{
	fputs("Usage: faulty load FILE N: loads the module while the Nth allocation fails\n"
	      "       faulty unload NAME N: unloads it\n"
	      "Prints what came out: \"yes\" or \"no\", whether an allocation failed, and the "
	      "error.\n"
	      "Exit status: 0; 1 the fault could not be set up; 2 bad usage\n",
	      stderr);
	exit(2);
}

static int die(const char *what)
{
	fprintf(stderr, "faulty: The system refused. call=%s error=%s\n", what, strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	int fail, file = -1, load;
	char left[16] = "";
	long result;

	if (argc != 4 || (strcmp(argv[1], "load") && strcmp(argv[1], "unload")))
		usage();
	load = strcmp(argv[1], "load") == 0;
	fail = open(FAIL_NTH, O_RDWR);
	if (fail < 0)
		return die(FAIL_NTH);
	if (load) {
		file = open(argv[2], O_RDONLY);
		if (file < 0)
			return die(argv[2]);
	}
	/* Nothing of this program's own between these two. */
	if (write(fail, argv[3], strlen(argv[3])) < 0)
		return die(FAIL_NTH);
	result = load ? syscall(SYS_finit_module, file, "", 0)
		      : syscall(SYS_delete_module, argv[2], O_NONBLOCK);
	if (result)
		result = errno;
	if (pread(fail, left, sizeof(left) - 1, 0) < 1)
		return die(FAIL_NTH);
	if (write(fail, "0", 1) < 0)
		return die(FAIL_NTH);
	printf("%s %s\n", atoi(left) == 0 ? "yes" : "no", result ? strerror(result) : "done");
	return 0;
}
