/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "names/names-helper.h"
#include "record-elf.h"
#include "record-map-file.h"
#include "record-mapped.h"

/* Who has no files, and no processes that others than root may touch. */
#define NOBODY 65534

static _Noreturn void read_confined(int file, int to, int (*functions)(int fd, FILE *out))
{
	const struct owner nobody = {.user = NOBODY, .group = NOBODY};
	int keep[] = {file, to};
	FILE *out;

	if (confine(&nobody, keep, 2))
		_exit(ELF_BAD);
	/* A change of the user has undone what was asked for before. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Without them this is still nobody, whose memory and time are limited. */
	(void)confine_files(NULL, 0);
	(void)confine_calls(&nobody, false);
	out = fdopen(to, "w");
	if (!out || functions(file, out) || fclose(out))
		_exit(ELF_BAD);
	_exit(ELF_READ);
}

static _Noreturn void be_elf_reader(unsigned int pid, const struct mapping *m, int to)
{
	int file = mapped_open(pid, m);

	if (file < 0)
		_exit(ELF_GONE);
	read_confined(file, to, elf_functions);
}

static _Noreturn void be_map_reader(unsigned int pid, const struct map_stamp *last, int to)
{
	struct map_stamp stamp = {0};
	int file = map_file_open(pid, &stamp);

	if (file < 0)
		_exit(ELF_GONE);
	if (!memcmp(&stamp, last, sizeof(stamp)))
		_exit(ELF_SAME);
	/* What is said from here on is of the file. */
	map_stamp_write(to, &stamp);
	read_confined(file, to, map_file_functions);
}

/* Either a file that is mapped, or, without @m, a map that the process has made. */
static pid_t start(unsigned int pid, const struct mapping *m, const struct map_stamp *last,
		   int *from)
{
	int fds[2];
	pid_t reader;

	*from = -1;
	if (pipe2(fds, O_CLOEXEC))
		return -1;
	reader = fork();
	if (!reader && m)
		be_elf_reader(pid, m, fds[1]);
	if (!reader)
		be_map_reader(pid, last, fds[1]);
	close(fds[1]);
	if (reader < 0)
		close(fds[0]);
	else
		*from = fds[0];
	return reader;
}

pid_t elf_start(unsigned int pid, const struct mapping *m, int *from)
{
	return start(pid, m, NULL, from);
}

pid_t map_file_start(unsigned int pid, const struct map_stamp *last, int *from)
{
	return start(pid, NULL, last, from);
}
