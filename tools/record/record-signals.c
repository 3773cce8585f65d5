/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/command.h"
#include "record.h"
#include "base/text.h"
#include "base/util.h"

/* How long who asks to stop need wait at most. */
#define PATIENCE_NS (10 * NS_PER_SEC)
#define LOOK_MS	    500

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

/* One that asks to stop, and that nobody has taken yet; or 0. */
static int waiting(const struct signals *s)
{
	static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
	sigset_t set;
	size_t i;

	sigpending(&set);
	for (i = 0; i < ARRAY_SIZE(stops); i++)
		if (sigismember(&set, stops[i]) == 1 && !(s->rereads && stops[i] == SIGHUP))
			return stops[i];
	return 0;
}

/* Nothing is put away: what the guard undoes is what there is. */
static _Noreturn void give_up(const char *why, const char *name, unsigned int value)
{
	error("%s, and lttng-sessiond does not answer; what was written is kept. %s=%u", why, name,
	      value);
	_exit(EXIT_TROUBLE);
}

/*
 * Looks are counted, not time: who was stopped, as by Ctrl-Z, has not waited meanwhile. Returns
 * whether the last one is over.
 */
static bool was_last_look(struct signals *s)
{
	unsigned int left = atomic_load(&s->looks);

	return left && atomic_compare_exchange_strong(&s->looks, &left, left - 1) && left == 1;
}

static void *watch(void *arg)
{
	struct signals *s = arg;
	struct pollfd end = {.fd = s->end, .events = POLLIN};
	uint64_t since = 0;
	int stop;

	while (!poll(&end, 1, LOOK_MS)) {
		stop = waiting(s);
		if (was_last_look(s))
			give_up("The recorder has waited for long", "seconds", s->patience);
		if (!stop) {
			since = 0;
		} else if (!since) {
			since = now_ns();
		} else if (now_ns() - since > PATIENCE_NS) {
			give_up("The recorder is asked to stop", "signal", (unsigned int)stop);
		}
	}
	return NULL;
}

/* Without it all else is as it should be. */
static void start_watcher(struct signals *s)
{
	s->end = eventfd(0, EFD_CLOEXEC);
	if (s->end < 0 || !pthread_create(&s->watcher, NULL, watch, s))
		return;
	close(s->end);
	s->end = -1;
}

static void stop_watcher(struct signals *s)
{
	uint64_t one = 1;

	if (s->end < 0)
		return;
	if (write(s->end, &one, sizeof(one)) == (ssize_t)sizeof(one))
		pthread_join(s->watcher, NULL);
	close(s->end);
	s->end = -1;
}

int signals_open(struct signals *s)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, heed = {.sa_handler = SIG_DFL};
	sigset_t set;

	*s = (struct signals){.fd = -1, .end = -1, .rereads = s->rereads};
	wanted(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	/* A session daemon that dies in the middle of a call is an error, not our end. */
	sigaction(SIGPIPE, &ignore, &pipe_before);
	/* Whoever started us may ignore its children's end; we are to know how ours ended. */
	sigaction(SIGCHLD, &heed, &child_before);
	s->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (s->fd < 0)
		return error("Signals cannot be awaited. reason=%s", strerror(errno));
	start_watcher(s);
	return 0;
}

void signals_expect(struct signals *s, unsigned int seconds)
{
	s->patience = seconds;
	atomic_store(&s->looks, seconds * (1000 / LOOK_MS));
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
			if (s->rereads && info.ssi_signo == SIGHUP)
				s->rereads_asked = true;
			else if (!s->stop)
				s->stop = (int)info.ssi_signo;
		}
	return s->stop;
}

static void restore(void)
{
	sigaction(SIGPIPE, &pipe_before, NULL);
	sigaction(SIGCHLD, &child_before, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void signals_restore(const struct signals *s)
{
	(void)s;
	size_limit_restore();
	restore();
}

void signals_close(struct signals *s)
{
	stop_watcher(s);
	/* What came too late must not end the program before it has told how it went. */
	if (s->fd >= 0) {
		signals_take(s);
		close(s->fd);
	}
	s->fd = -1;
	restore();
}
