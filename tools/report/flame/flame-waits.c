/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "stacks/stack-profile.h"
#include "flame-waits.h"
#include "analysis/wakers.h"
#include "report/query.h"
#include "base/util.h"

/* What the host's struct why tells of waits to. */
struct waits {
	struct profile *profile;
	struct wakers wakers;
};

static struct waits *waits_of(const struct host *h)
{
	return why_block_ctx(h->user);
}

const struct profile *waits_profile(const struct host *h)
{
	return waits_of(h)->profile;
}

struct why *waits_why(const struct host *h)
{
	return h->user;
}

static int begin(struct host *h, void (*on_block)(void *ctx, const struct why_time *time))
{
	struct why_options opt = {.on_block = on_block};
	struct waits *w;

	if (query_check_sched(h))
		return -1;
	w = xcalloc(1, sizeof(*w));
	w->profile = stack_profile_new(h);
	w->wakers.profile = w->profile;
	opt.block_ctx = w;
	h->user = why_new(h, &opt);
	return 0;
}

static void on_wait(void *ctx, const struct why_time *time)
{
	const struct waits *w = ctx;

	profile_wait(w->profile, time->stack, time->task, &time->place, time->cause, time->ns);
}

int waits_on_host(void *ctx, struct host *h)
{
	(void)ctx;
	if (!h->offers[EV_PROFILE_SWITCH])
		return query_missing_event(h,
					   "The trace has no stacks of tasks that wait; record"
					   " them.",
					   "profile_switch", "lttng-containers record --off-cpu");
	return begin(h, on_wait);
}

static void on_woken(void *ctx, const struct why_time *time)
{
	struct waits *w = ctx;

	wakers_wait(&w->wakers, time);
}

int wakeups_on_host(void *ctx, struct host *h)
{
	(void)ctx;
	if (!h->offers[EV_PROFILE_WAKING])
		return query_missing_event(h,
					   "The trace has no stacks of tasks that wake others;"
					   " record them.",
					   "profile_waking", "lttng-containers record --wakeup");
	return begin(h, on_woken);
}

void waits_limit(struct host *h, uint64_t from, uint64_t to)
{
	why_limit(h->user, from, to);
}

int waits_after_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)ctx;
	why_event(h->user, ev);
	if (ev->kind == EV_PROFILE_SWITCH && !ev->sample.runnable)
		why_stack(h->user, ev->sample.tid, profile_switch(waits_of(h)->profile, ev));
	return 0;
}

int wakeups_after_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)ctx;
	/* It is no event of its own, but the other half of sched_waking. */
	if (ev->kind == EV_PROFILE_WAKING)
		wakers_event(&waits_of(h)->wakers, h->user, ev);
	else
		why_event(h->user, ev);
	return 0;
}

void waits_on_loss(void *ctx, struct host *h, const struct loss *loss)
{
	(void)ctx;
	why_loss(h->user, loss);
}

int waits_finish(struct host *h)
{
	why_finish(h->user, h->last);
	wakers_finish(&waits_of(h)->wakers);
	profile_finish(waits_of(h)->profile);
	return why_is_too_long(h->user) ? error_too_long() : 0;
}

void waits_drop(struct host *h)
{
	struct waits *w;

	if (!h->user)
		return;
	w = waits_of(h);
	wakers_free(&w->wakers);
	stack_profile_free(w->profile);
	free(w);
	why_free(h->user);
}
