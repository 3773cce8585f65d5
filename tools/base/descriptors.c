/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "descriptors.h"
#include "util.h"

/* How many files could be opened now, @nr at most. */
static unsigned int count_free(unsigned int nr)
{
	int fds[DESCRIPTORS_OF_RECORDING], fd = 0;
	unsigned int got = 0, i;

	while (got < nr && got < ARRAY_SIZE(fds) &&
	       (fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		fds[got++] = fd;
	for (i = 0; i < got; i++)
		close(fds[i]);
	return got;
}

int descriptors_need(unsigned int nr)
{
	unsigned int got = count_free(nr);
	struct rlimit files;

	/* By what is missing; some of that may be open, of before the limit was lowered. */
	while (got < nr && !getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur += nr - got;
		if (files.rlim_cur > files.rlim_max || setrlimit(RLIMIT_NOFILE, &files))
			break;
		got = count_free(nr);
	}
	return got == nr ? 0
			 : error("More file descriptors are needed than are left; raise the limit:"
				 " ulimit -n 1024. left=%u needed=%u",
				 got, nr);
}
