/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record.h"
#include "base/text.h"
#include "base/util.h"

#define DAEMON_LIMIT_NS	 (60 * NS_PER_SEC)
#define GROUP_LIMIT_NS	 (2 * NS_PER_SEC)
/* What the session daemon was told by the recorder it may do after the recorder's death. */
#define SESSION_LIMIT_NS (3 * NS_PER_SEC)

/* Returns whether the recorder has ended as it should. */
static bool await_end(int fd)
{
	ssize_t n;
	char c;

	do
		n = read(fd, &c, 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

/*
 * The daemon was told of the recorder's death by the kernel, and is nobody's child that we know. It
 * leads its group: once that has nobody the number may be another's, and is not asked for again.
 */
static void await_daemon(pid_t pid)
{
	uint64_t limit = now_ns() + DAEMON_LIMIT_NS;

	while (!kill(pid, 0) && daemon_group_lives(pid) && now_ns() < limit)
		sleep_ms(50);
	for (limit = now_ns() + GROUP_LIMIT_NS; daemon_group_lives(pid) && now_ns() < limit;)
		sleep_ms(50);
	/* The number is no other's while the group has somebody. */
	if (daemon_group_lives(pid))
		kill(-pid, SIGKILL);
}

static void remove_session(struct session *s)
{
	uint64_t limit = now_ns() + SESSION_LIMIT_NS;

	while (!session_remove(s) && now_ns() < limit)
		sleep_ms(100);
}

static _Noreturn void be_guard(struct recording *r, int fd)
{
	int null = open("/dev/null", O_RDWR);
	enum watched what;
	sigset_t all;

	/* What ends the recorder shall not end its guard. */
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (await_end(fd))
		_exit(0);
	for (what = 0; what < NR_WATCHED; what++)
		threshold_restore(&r->thresholds[what]);
	if (r->daemon.own) {
		await_daemon(r->daemon.own);
	} else if (*r->session.name) {
		for (what = 0; what < NR_WATCHED; what++)
			trigger_forget(&r->triggers[what]);
		remove_session(&r->session);
	}
	if (r->output.fd >= 0)
		repair_trace(r->output.fd);
	output_remove_empty(&r->output);
	modules_unload(&r->modules, r->daemon.own);
	_exit(0);
}

void *guard_share(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p != MAP_FAILED)
		return p;
	error("There is no memory. reason=%s", strerror(errno));
	return NULL;
}

int guard_start(struct guard *g, struct recording *r)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return error("The recording cannot be guarded. reason=%s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(fds[1]);
		be_guard(r, fds[0]);
	}
	close(fds[0]);
	g->fd = fds[1];
	g->pid = pid > 0 ? pid : 0;
	if (pid > 0)
		return 0;
	close(g->fd);
	return error("No process can be made. reason=%s", strerror(errno));
}

void guard_end(struct guard *g)
{
	if (!g->pid)
		return;
	/* If it was killed there is nobody to tell; SIGPIPE is ignored. */
	if (write(g->fd, "", 1) < 0)
		kill(g->pid, SIGKILL);
	close(g->fd);
	waitpid(g->pid, NULL, 0);
	g->pid = 0;
}
