/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "names-helper.h"
#include "base/util.h"

/* Starts it with its output into a pipe, in a group of its own. Returns the pipe, or -1. */
static int start(const char *program, char *const argv[], pid_t *pid)
{
	static char *const envp[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C",
				     NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int fds[2], status;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, fds[1], 1);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	helper_attributes(&attr);
	status = posix_spawn(pid, program, &files, &attr, argv, envp);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	close(fds[1]);
	if (!status)
		return fds[0];
	close(fds[0]);
	return -1;
}

/* Reads to the end, @max bytes at most; false if that is too far, or too late. */
static bool read_in_time(struct names *n, int fd, char *text, size_t max, uint64_t until,
			 size_t *len)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	*len = 0;
	while (now_ms() < until && !names_aborted(n)) {
		ssize_t got;

		until += names_wait(n);
		if (poll(&p, 1, LOOK_MS) <= 0)
			continue;
		got = read(fd, text + *len, max + 1 - *len);
		if (!got)
			return true;
		if (got < 0 || (*len += (size_t)got) > max)
			return false;
	}
	return false;
}

char *program_read(struct names *n, const char *program, char *const argv[], unsigned int ms,
		   size_t *len)
{
	pid_t pid;
	int fd = start(program, argv, &pid);
	char *text;
	bool whole;

	if (fd < 0)
		return NULL;
	text = xcalloc(STATE_MAX + 2, 1);
	whole = read_in_time(n, fd, text, STATE_MAX, now_ms() + ms, len);
	close(fd);
	/* Who has said all may still not end. */
	if (!whole || !process_has_ended(pid, END_MS))
		process_kill(n, pid, pid);
	if (whole)
		return text;
	free(text);
	return NULL;
}

/* Returns a descriptor; -1: nobody is there, or *late, as too many wait for him. */
static int connect_to(const struct names *n, const char *path, bool *late)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct sockaddr_un to = {.sun_family = AF_UNIX};

	snprintf(to.sun_path, sizeof(to.sun_path), "/proc/self/fd/%d/%s", n->root, path);
	if (fd < 0 || !connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return fd;
	*late = errno == EAGAIN;
	close(fd);
	return -1;
}

char *socket_read(struct names *n, const char *path, const char *question, unsigned int ms,
		  struct socket_answer *answer)
{
	int fd = connect_to(n, path, &answer->late);
	size_t len = strlen(question);
	char *text;

	if (fd < 0)
		return NULL;
	text = xcalloc(answer->max + 1, 1);
	answer->late = send(fd, question, len, MSG_NOSIGNAL) != (ssize_t)len ||
		       !read_in_time(n, fd, text, answer->max, now_ms() + ms, &answer->len);
	close(fd);
	if (!answer->late)
		return text;
	free(text);
	return NULL;
}
