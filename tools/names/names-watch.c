/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "names-int.h"
#include "base/util.h"

/*
 * Runtimes make a directory first and fill it later. So a change makes a scan
 * worthwhile at once, and again after each of these pauses (ms). During the
 * first one further changes wait: many at once are one. A machine that has much
 * to do takes seconds from the directory to what fills it.
 */
static const unsigned int pauses[] = {250, 750, 2000, 5000, 10000};

/*
 * More than the kernel keeps of changes (16384, of 272 bytes at most). Who makes them faster than
 * they are read must not keep this from going on: what is left is there the next time.
 */
#define READ_SIZE 65536
#define READS_MAX 128

/*
 * A user may make his directories anew, in each scan, and keep the old ones. What is watched is
 * root's, who may watch no more than so many (fs.inotify.max_user_watches). So all are let go now
 * and then, and the scan that follows watches those that are still in their places.
 */
#define WATCHED_MAX 2048
#define RENEW_MS    60000

struct watch {
	int epoll, inotify, timer;
	size_t step;	  /* the next pause; the first scan, too, may see half a container */
	uint64_t renewed; /* ms; 0: never */
};

void watch_free(struct watch *w)
{
	if (!w)
		return;
	if (w->epoll >= 0)
		close(w->epoll);
	if (w->inotify >= 0)
		close(w->inotify);
	if (w->timer >= 0)
		close(w->timer);
	free(w);
}

static int listen_to(struct watch *w, int op, int fd, bool yes)
{
	struct epoll_event event = {.events = yes ? EPOLLIN : 0, .data.fd = fd};

	return epoll_ctl(w->epoll, op, fd, &event);
}

struct watch *watch_new(void)
{
	struct watch *w = xcalloc(1, sizeof(*w));

	w->epoll = epoll_create1(EPOLL_CLOEXEC);
	w->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	w->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (w->epoll < 0 || w->inotify < 0 || w->timer < 0 ||
	    listen_to(w, EPOLL_CTL_ADD, w->inotify, true) ||
	    listen_to(w, EPOLL_CTL_ADD, w->timer, true)) {
		watch_free(w);
		return NULL;
	}
	return w;
}

int watch_fd(const struct watch *w)
{
	return w ? w->epoll : -1;
}

int watch_inotify(const struct watch *w)
{
	return w ? w->inotify : -1;
}

void watch_move(struct watch *w, int to)
{
	int from = watch_inotify(w);

	if (from < 0 || from == to || dup3(from, to, O_CLOEXEC) < 0)
		return;
	close(from);
	w->inotify = to;
}

/* Watched by its number: no path, nobody can put something else in its place. */
void watch_dir(struct watch *w, int dir)
{
	char path[32];

	if (!w)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", dir);
	/* Failing costs promptness only. */
	(void)inotify_add_watch(w->inotify, path, WATCH_MASK);
}

static bool drain(struct watch *w)
{
	char events[READ_SIZE];
	unsigned int nr = 0;

	while (nr < READS_MAX && read(w->inotify, events, sizeof(events)) > 0)
		nr++;
	return nr;
}

/* As the kernel has it: helpers add to it, too. */
static bool watches_too_many(const struct watch *w)
{
	char path[64], line[256];
	size_t nr = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", w->inotify);
	f = fopen(path, "re");
	while (f && nr <= WATCHED_MAX && fgets(line, sizeof(line), f))
		nr += !strncmp(line, "inotify ", strlen("inotify "));
	if (f)
		fclose(f);
	return nr > WATCHED_MAX;
}

/* Returns whether nothing is watched any more. */
static bool renew(struct watch *w)
{
	uint64_t now = now_ms();
	int fresh;

	if ((w->renewed && now < w->renewed + RENEW_MS) || !watches_too_many(w))
		return false;
	fresh = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (fresh < 0)
		return false;
	listen_to(w, EPOLL_CTL_DEL, w->inotify, false);
	close(w->inotify);
	w->inotify = fresh;
	listen_to(w, EPOLL_CTL_ADD, w->inotify, true);
	w->renewed = now;
	return true;
}

void watch_begin(struct watch *w)
{
	uint64_t times;

	if (!w)
		return;
	/* Of what changes meanwhile the scan hears by itself. */
	if (renew(w) || drain(w))
		w->step = 0;
	else if (read(w->timer, &times, sizeof(times)) > 0 && w->step < ARRAY_SIZE(pauses))
		w->step++;
}

bool watch_changed(const struct watch *w)
{
	return !w || !w->step;
}

void watch_end(struct watch *w, bool pending)
{
	struct itimerspec when = {0};

	if (!w)
		return;
	if (pending && w->step >= ARRAY_SIZE(pauses))
		w->step = 1;
	if (w->step < ARRAY_SIZE(pauses)) {
		when.it_value.tv_sec = pauses[w->step] / 1000;
		when.it_value.tv_nsec = pauses[w->step] % 1000 * 1000000;
	}
	timerfd_settime(w->timer, 0, &when, NULL);
	listen_to(w, EPOLL_CTL_MOD, w->inotify, w->step != 0);
}
