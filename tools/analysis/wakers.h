/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WAKERS_H
#define LC_WAKERS_H

#include "profile.h"
#include "why.h"

/*
 * By which stack each wait was ended. That a wait ended, and by which stack (profile_waking), are
 * two events of one moment, and either may come first. So what has been told of a task's last wait
 * is kept until the other half comes, or that task's next wait.
 */
struct wakers {
	struct profile *profile; /* what is known whole goes there */
	struct hash by_task;
};

/* Of why_options.on_block. */
void wakers_wait(struct wakers *w, const struct why_time *time);
/* A profile_waking; @why knows of it what the scheduler told. */
void wakers_event(struct wakers *w, struct why *why, const struct event *ev);
/* When all is read: of what is left no stack will come. */
void wakers_finish(struct wakers *w);
void wakers_free(struct wakers *w);

#endif
