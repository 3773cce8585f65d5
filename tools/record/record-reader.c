/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "names/names-helper.h"
#include "record-elf.h"
#include "record-mapped.h"

/* Who has no files, and no processes that others than root may touch. */
#define NOBODY 65534

static _Noreturn void be_reader(int file, int to)
{
	const struct owner nobody = {.user = NOBODY, .group = NOBODY};
	int keep[] = {file, to};
	FILE *out;

	if (file < 0)
		_exit(ELF_GONE);
	if (confine(&nobody, keep, 2))
		_exit(ELF_BAD);
	/* A change of the user has undone what was asked for before. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Without it this is still nobody, whose memory and time are limited. */
	(void)confine_calls(&nobody, false);
	out = fdopen(to, "w");
	if (!out || elf_functions(file, out) || fclose(out))
		_exit(ELF_BAD);
	_exit(ELF_READ);
}

pid_t elf_start(unsigned int pid, const struct mapping *m, int *from)
{
	int fds[2];
	pid_t reader;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	reader = fork();
	if (!reader)
		be_reader(mapped_open(pid, m), fds[1]);
	close(fds[1]);
	*from = fds[0];
	if (reader < 0)
		close(fds[0]);
	return reader;
}
