/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "wakers.h"
#include "base/util.h"

/* A wait has as many pieces as its waker's time, mostly of a few causes: so many are looked at. */
#define CAUSES_NEAR 16
/* Room for more is not kept. */
#define TIMES_KEPT  64

/* A task's last wait. */
struct woken {
	uint64_t wait;
	const struct profile_stack *waker; /* NULL: not told yet */
	/* What it went by for, while the waker is not told; near ones are of different causes. */
	struct why_time *times;
	size_t nr, cap;
};

static struct woken *woken_of(struct wakers *w, struct task *t)
{
	struct woken *of = hash_get(&w->by_task, (uintptr_t)t);

	if (!of) {
		of = xcalloc(1, sizeof(*of));
		hash_put(&w->by_task, (uintptr_t)t, of);
	}
	return of;
}

static void pass(struct wakers *w, const struct why_time *t, const struct profile_stack *waker)
{
	profile_woken(w->profile, waker, t->task, &t->place, t->cause, t->ns);
}

static void pass_all(struct wakers *w, struct woken *of)
{
	size_t i;

	for (i = 0; i < of->nr; i++)
		pass(w, &of->times[i], of->waker);
	of->nr = 0;
	if (of->cap <= TIMES_KEPT)
		return;
	free(of->times);
	of->times = NULL;
	of->cap = 0;
}

/* Whether it is added to what is there. */
static bool goes_with(struct woken *of, const struct why_time *time)
{
	size_t i;

	for (i = of->nr; i && of->nr - i < CAUSES_NEAR; i--) {
		struct why_time *t = &of->times[i - 1];

		if (t->cause == time->cause && cpus_same_place(&t->place, &time->place)) {
			time_add(&t->ns, time->ns);
			return true;
		}
	}
	return false;
}

static void turn_to(struct wakers *w, struct woken *of, uint64_t wait)
{
	if (of->wait == wait)
		return;
	pass_all(w, of);
	of->wait = wait;
	of->waker = NULL;
}

void wakers_wait(struct wakers *w, const struct why_time *time)
{
	struct woken *of = woken_of(w, time->task);

	turn_to(w, of, time->wait);
	if (of->waker) {
		pass(w, time, of->waker);
		return;
	}
	if (goes_with(of, time))
		return;
	of->times = grow(of->times, of->nr, &of->cap, sizeof(*of->times));
	of->times[of->nr++] = *time;
}

void wakers_event(struct wakers *w, struct why *why, const struct event *ev)
{
	uint64_t wait;
	struct task *t = why_woken(why, ev->sample.woken_tid, &wait);
	struct woken *of;

	if (!t)
		return;
	of = woken_of(w, t);
	turn_to(w, of, wait);
	/* Of two, the first one was it. */
	if (!of->waker)
		of->waker = profile_waking(w->profile, ev);
	pass_all(w, of);
}

void wakers_finish(struct wakers *w)
{
	struct woken *of;
	size_t pos = 0;

	while ((of = hash_next(&w->by_task, &pos)))
		pass_all(w, of);
}

void wakers_free(struct wakers *w)
{
	struct woken *of;
	size_t pos = 0;

	while ((of = hash_next(&w->by_task, &pos))) {
		free(of->times);
		free(of);
	}
	hash_free(&w->by_task);
}
