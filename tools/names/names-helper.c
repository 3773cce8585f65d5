/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "names-helper.h"
#include "base/util.h"

static bool is_reaped(pid_t pid)
{
	pid_t got;

	do
		got = waitpid(pid, NULL, WNOHANG);
	while (got < 0 && errno == EINTR);
	return got != 0;
}

static void sleep_for(unsigned int ms)
{
	poll(NULL, 0, (int)ms);
}

bool process_has_ended(pid_t pid, unsigned int ms)
{
	uint64_t until = now_ms() + ms;

	while (!is_reaped(pid)) {
		if (now_ms() >= until)
			return false;
		sleep_for(1);
	}
	return true;
}

void process_kill(struct names *n, pid_t pid, pid_t group)
{
	kill(group ? -group : pid, SIGKILL);
	if (process_has_ended(pid, END_MS))
		return;
	n->left = grow(n->left, n->nr_left, &n->cap_left, sizeof(*n->left));
	n->left[n->nr_left++] = pid;
}

bool names_is_left(const struct names *n, pid_t pid)
{
	size_t i;

	for (i = 0; i < n->nr_left; i++)
		if (n->left[i] == pid)
			return true;
	return false;
}

void names_reap(struct names *n)
{
	size_t i, kept = 0;

	for (i = 0; i < n->nr_left; i++)
		if (!is_reaped(n->left[i]))
			n->left[kept++] = n->left[i];
	n->nr_left = kept;
}

/* Where the kernel has no Landlock the rest holds. */
static void confine_places(struct names *n, const struct owner *o)
{
	int dirs[HELPER_PLACES];
	size_t nr = o->places ? o->places(n, o, dirs) : 0, i;

	(void)confine_files(dirs, nr);
	for (i = 0; i < nr; i++)
		close(dirs[i]);
}

static void be_helper(struct names *n, const struct owner *o, int fd, pid_t parent,
		      void (*work)(struct names *n, const struct owner *o))
{
	int keep[] = {fd, n->root, watch_inotify(n->watch)};

	n->helper = fd;
	if (confine(o, keep, o->opens_nothing ? 1 : ARRAY_SIZE(keep)))
		_exit(1);
	/* A change of the user has undone what was asked for before. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (!o->opens_nothing)
		watch_move(n->watch, HELPER_INOTIFY);
	confine_places(n, o);
	if (confine_calls(o, !o->opens_nothing))
		names_note(n, NOTE_NO_SECCOMP, "missing", "seccomp");
	work(n, o);
	_exit(0);
}

int helper_start(struct names *n, struct helper *h, const struct owner *o, unsigned int ms,
		 void (*work)(struct names *n, const struct owner *o))
{
	pid_t parent = getpid();
	int fds[2];

	*h = (struct helper){.fd = -1, .until = now_ms() + ms};
	/* A helper could not open where its random numbers are. */
	json_object_seed(0);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -1;
	h->pid = fork();
	if (!h->pid)
		be_helper(n, o, fds[1], parent, work);
	close(fds[1]);
	h->fd = fds[0];
	if (h->pid > 0)
		return 0;
	close(fds[0]);
	return -1;
}

uint64_t names_wait(const struct names *n)
{
	uint64_t began = now_ms();

	if (n->look)
		n->look(n->look_ctx);
	return now_ms() - began;
}

size_t helper_receive(struct names *n, struct helper *h, void *message, size_t size)
{
	struct pollfd p = {.fd = h->fd, .events = POLLIN};
	uint64_t now;

	while (!names_aborted(n) && (now = now_ms()) < h->until) {
		uint64_t left = h->until - now;
		ssize_t got;

		h->until += names_wait(n);
		if (poll(&p, 1, (int)(left < LOOK_MS ? left : LOOK_MS)) <= 0)
			continue;
		got = recv(h->fd, message, size, MSG_DONTWAIT);
		if (got >= 0)
			return (size_t)got;
		if (errno != EINTR && errno != EAGAIN)
			return 0;
	}
	h->late = true;
	return 0;
}

void helper_send(struct helper *h, const void *message, size_t size)
{
	/* Who is not there to take it is found to be gone by the next look at him. */
	(void)send(h->fd, message, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void helper_end(struct names *n, struct helper *h, bool done)
{
	close(h->fd);
	if (!done || !process_has_ended(h->pid, END_MS))
		process_kill(n, h->pid, 0);
}

void helper_dismiss(struct names *n, struct helper *h)
{
	helper_end(n, h, false);
}
