/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_LOCK_WAIT_H
#define LC_LOCK_WAIT_H

#include <stddef.h>

#include "model/event.h"

/*
 * For which lock of the kernel a thread waits: between lock_contention_begin and
 * lock_contention_end. Who spins for a lock runs, so that those begins do not count.
 */

enum lock_kind {
	LOCK_MUTEX,
	LOCK_READ, /* a lock that several may have for reading: for that */
	LOCK_WRITE,
	LOCK_PERCPU,
	LOCK_RT,
	LOCK_SEMAPHORE, /* the kernel tells nothing of its kind */
	LOCK_KINDS
};

/* To get a lock it may need another one. */
#define LOCKS_MAX 4

/* Of a thread; all zero: for none. */
struct lock_waits {
	size_t nr;
	struct lock_wait {
		int64_t address;
		enum lock_kind kind;
	} list[LOCKS_MAX]; /* the last is what it waits for */
};

/* EV_LOCK_BEGIN and EV_LOCK_END */
void lock_waits_event(struct lock_waits *l, const struct event *ev);

#endif
