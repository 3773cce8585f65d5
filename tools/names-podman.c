/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "names-podman.h"
#include "util.h"

#define PROGRAM	   "usr/bin/podman"
#define TIMEOUT_MS 20000
#define REST_MS	   60000

bool podman_in_pod(const char *cgroup)
{
	const char *s = strstr(cgroup, "/libpod_parent/"), *next;

	if (strstr(cgroup, "libpod_pod_"))
		return true;
	/* /libpod_parent/POD/libpod-ID */
	if (!s)
		return false;
	s += strlen("/libpod_parent/");
	next = strchr(s, '/');
	return next && strncmp(s, "libpod-", 7);
}

/* Starts podman with its output into a pipe, in a group of its own. Returns the pipe, or -1. */
static int start(const char *program, pid_t *pid)
{
	static char *const argv[] = {"podman",	 "ps",	 "--pod", "--no-trunc",
				     "--format", "json", NULL};
	static char *const envp[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C",
				     NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int fds[2], status;
	sigset_t none;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, fds[1], 1);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	status = posix_spawn(pid, program, &files, &attr, argv, envp);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	close(fds[1]);
	if (!status)
		return fds[0];
	close(fds[0]);
	return -1;
}

/* Reads to the end; -1 if that is too far, or too late. */
static ssize_t read_in_time(int fd, char *text)
{
	uint64_t until = now_ms() + TIMEOUT_MS, now;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	size_t len = 0;

	while ((now = now_ms()) < until) {
		int ready = poll(&p, 1, (int)(until - now));
		ssize_t got;

		if (ready <= 0)
			continue;
		got = read(fd, text + len, STATE_MAX + 1 - len);
		if (!got)
			return (ssize_t)len;
		if (got < 0 || (len += (size_t)got) > STATE_MAX)
			return -1;
	}
	return -1;
}

static json_t *ask(struct names *n)
{
	char *program = xasprintf("%s/" PROGRAM, n->root_path);
	char *text = NULL;
	json_t *list = NULL;
	ssize_t len;
	pid_t pid;
	int fd = start(program, &pid);

	free(program);
	if (fd < 0)
		return NULL;
	text = xcalloc(STATE_MAX + 2, 1);
	len = read_in_time(fd, text);
	close(fd);
	if (len < 0)
		kill(-pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (len >= 0)
		list = state_parse(n, text, (size_t)len, "podman ps");
	free(text);
	return list;
}

const char *podman_pod_of(struct scan *s, struct podman *p, const char *id)
{
	struct names *n = s->names;
	const json_t *entry;
	size_t i;

	if (!p->asked && now_ms() >= n->podman_rests) {
		p->list = ask(n);
		if (!p->list) {
			names_note(n, "Podman does not tell the names of its pods.", "command",
				   "podman ps");
			n->podman_rests = now_ms() + REST_MS;
		}
	}
	p->asked = true;
	json_array_foreach(p->list, i, entry)
	{
		const char *entry_id = json_str(entry, "Id"), *pod = json_str(entry, "PodName");

		if (entry_id && !strcmp(entry_id, id))
			return pod && *pod ? pod : NULL;
	}
	return NULL;
}

void podman_forget(struct podman *p)
{
	json_decref(p->list);
	*p = (struct podman){0};
}
