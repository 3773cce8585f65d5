/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "lock-wait.h"

/* The kernel's LCB_F_* (include/trace/events/lock.h). */
enum { SPIN = 1, READ = 2, WRITE = 4, RT = 8, PERCPU = 16, MUTEX = 32 };

static enum lock_kind kind_of(int64_t flags)
{
	if (flags & PERCPU)
		return LOCK_PERCPU;
	if (flags & (READ | WRITE))
		return flags & READ ? LOCK_READ : LOCK_WRITE;
	if (flags & RT)
		return LOCK_RT;
	return flags & MUTEX ? LOCK_MUTEX : LOCK_SEMAPHORE;
}

/* The place of a lock, or of the next. */
static size_t find(const struct lock_waits *l, int64_t address)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (l->list[i].address == address)
			break;
	return i;
}

void lock_waits_event(struct lock_waits *l, const struct event *ev)
{
	size_t i = find(l, ev->lock.address);

	if (ev->kind == EV_LOCK_END) {
		/* One of another lock, whose begin was none that counts, ends nothing. */
		l->nr = i < l->nr ? i : l->nr;
		return;
	}
	/* A mutex is told of once more after each time that its waiter has spun in between. */
	if (ev->lock.flags == ABSENT || ev->lock.flags & SPIN || i == LOCKS_MAX)
		return;
	l->list[i] = (struct lock_wait){ev->lock.address, kind_of(ev->lock.flags)};
	l->nr = i + 1;
}
