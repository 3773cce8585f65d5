/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "record.h"
#include "base/util.h"

static sigset_t before;
static struct sigaction pipe_before, child_before;

static void wanted(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGUSR1);
	sigaddset(set, SIGCHLD);
}

int signals_open(struct signals *s)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, heed = {.sa_handler = SIG_DFL};
	sigset_t set;

	*s = (struct signals){.fd = -1};
	wanted(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	/* A session daemon that dies in the middle of a call is an error, not our end. */
	sigaction(SIGPIPE, &ignore, &pipe_before);
	/* Whoever started us may ignore its children's end; we are to know how ours ended. */
	sigaction(SIGCHLD, &heed, &child_before);
	s->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return s->fd < 0 ? error("Signals cannot be awaited. reason=%s", strerror(errno)) : 0;
}

bool signals_take(struct signals *s)
{
	struct signalfd_siginfo info;

	while (read(s->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		switch (info.ssi_signo) {
		case SIGUSR1:
			s->snapshots++;
			break;
		case SIGCHLD:
			break;
		default:
			if (!s->stop)
				s->stop = (int)info.ssi_signo;
		}
	return s->stop;
}

void signals_restore(const struct signals *s)
{
	(void)s;
	sigaction(SIGPIPE, &pipe_before, NULL);
	sigaction(SIGCHLD, &child_before, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void signals_close(struct signals *s)
{
	/* What came too late must not end the program before it has told how it went. */
	if (s->fd >= 0) {
		signals_take(s);
		close(s->fd);
	}
	s->fd = -1;
	signals_restore(s);
}
