/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "names/names-helper.h"
#include "record-elf.h"
#include "record-map-file.h"
#include "record-mapped.h"

/* Of the processor: enough for the largest files that people have, on the slowest machines. */
#define SECONDS 30
#define MEMORY	(256ull << 20)

static _Noreturn void end_with(int to, char how)
{
	const char line[] = {how, '\n'};

	/* If nobody listens any more, nobody needs it. */
	_exit(write(to, line, sizeof(line)) == sizeof(line) ? 0 : 1);
}

static _Noreturn void read_confined(int file, int to, int (*functions)(int fd, FILE *out))
{
	const struct owner nobody = {
		.user = nobodys_id(), .group = nobodys_id(), .seconds = SECONDS, .memory = MEMORY};
	int keep[] = {file, to};
	FILE *out;

	if (confine(&nobody, keep, 2))
		_exit(1);
	/* A change of the user has undone what was asked for before. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Without them this is still nobody, whose memory and time are limited. */
	(void)confine_files(NULL, 0);
	(void)confine_calls(&nobody, false);
	out = fdopen(to, "w");
	if (!out || functions(file, out) || fflush(out))
		_exit(1);
	end_with(to, READER_DONE);
}

static _Noreturn void be_elf_reader(unsigned int pid, const struct mapping *told, int to)
{
	int file = mapped_open(pid, told);
	struct mapping m = *told;

	if (file < 0)
		end_with(to, READER_GONE);
	/* Nobody else has written here before. */
	if (!m.has_generation && mapped_ask(file, &m))
		dprintf(to, MAPPED_FILE, m.major, m.minor, m.inode, m.generation);
	dprintf(to, "\n");
	read_confined(file, to, elf_functions);
}

/* With its descriptors, if they may be needed. */
static void send_place(int to, const struct map_place *place, bool has_map)
{
	const int fds[] = {place->dir, place->file};
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(fds))];
	} control = {0};
	struct iovec part = {(void *)(uintptr_t)place, sizeof(*place)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	struct cmsghdr *c = &control.header;

	if (has_map) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(fds));
		memcpy(CMSG_DATA(c), fds, sizeof(fds));
	}
	if (sendmsg(to, &message, MSG_NOSIGNAL) != sizeof(*place))
		_exit(1);
}

static _Noreturn void be_map_reader(unsigned int pid, const struct map_place *known,
				    const struct map_stamp *last, int to)
{
	struct map_place place = *known;
	struct map_stamp stamp = {0};
	int file = -1;

	if (place.dir >= 0 || !map_place_open(pid, &place))
		file = map_file_open(&place, &stamp);
	send_place(to, &place, file >= 0);
	if (file < 0)
		end_with(to, READER_GONE);
	if (!memcmp(&stamp, last, sizeof(stamp)))
		end_with(to, READER_SAME);
	map_stamp_write(to, &stamp);
	read_confined(file, to, map_file_functions);
}

/* Either a file that is mapped, or, without @m, a map that the process has made. */
static pid_t start(unsigned int pid, const struct mapping *m, const struct map_place *place,
		   const struct map_stamp *last, int *from)
{
	int fds[2];
	pid_t reader;

	*from = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -1;
	reader = fork();
	if (!reader && m)
		be_elf_reader(pid, m, fds[1]);
	if (!reader)
		be_map_reader(pid, place, last, fds[1]);
	close(fds[1]);
	if (reader < 0)
		close(fds[0]);
	else
		*from = fds[0];
	return reader;
}

pid_t elf_start(unsigned int pid, const struct mapping *m, int *from)
{
	return start(pid, m, NULL, NULL, from);
}

pid_t map_file_start(unsigned int pid, const struct map_place *place, const struct map_stamp *last,
		     int *from)
{
	return start(pid, NULL, place, last, from);
}
