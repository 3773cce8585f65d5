/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "model/container.h"
#include "early-tasks.h"
#include "base/util.h"
#include "wakeups.h"

struct wakeups *wakeups_new(struct host *h)
{
	struct wakeups *w = xcalloc(1, sizeof(*w));

	w->model = h->model;
	w->has_waking = h->offers[EV_WAKING];
	return w;
}

static uint64_t hash_of(const struct actor *a)
{
	uint64_t h = hash_text(a->comm, strlen(a->comm));

	return hash_numbers(h, hash_numbers((uintptr_t)a->container,
					    hash_numbers((uint64_t)a->unplaced, a->kind)));
}

static bool is_same(const struct actor *a, const struct actor *b)
{
	return a->kind == b->kind && a->container == b->container && a->unplaced == b->unplaced &&
	       !strcmp(a->comm, b->comm);
}

static struct actor *intern(struct wakeups *w, const struct actor *like)
{
	uint64_t key = hash_of(like);
	struct actor *a, *first = hash_get(&w->actors, key);

	for (a = first; a; a = a->next)
		if (is_same(a, like))
			return a;
	a = xcalloc(1, sizeof(*a));
	*a = *like;
	a->next = first;
	a->number = w->nr_actors++;
	hash_put(&w->actors, key, a);
	return a;
}

/* @t: NULL if no more is known than the tid. */
static struct actor *task_actor(struct wakeups *w, struct task *t, int64_t tid, const char *comm)
{
	struct actor a = {.kind = ACTOR_TASK};

	if (comm)
		strncpy(a.comm, comm, COMM_MAX);
	a.container = t ? task_container(w->model, t) : NULL;
	if (!a.container && (!t || !t->ns)) {
		a.kind = ACTOR_UNKNOWN;
		a.unplaced = tid;
	}
	return intern(w, &a);
}

/* One of which it is known that it ran, and no more, is known by its tid. */
static struct task *told_task(struct task *t)
{
	return t && t->only_ran ? NULL : t;
}

static struct actor *waker_of(struct wakeups *w, const struct on_cpu *waker)
{
	struct task *t = told_task(waker->task);

	switch (waker->kind) {
	case RUN_INTERRUPT:
		return intern(w, &(struct actor){.kind = ACTOR_INTERRUPT});
	case RUN_IDLE:
		return intern(w, &(struct actor){.kind = ACTOR_IDLE});
	case RUN_TASK:
		/* It may have changed its name since it was switched in. */
		return task_actor(w, t, waker->tid, t && *t->comm ? t->comm : waker->comm);
	default:
		return intern(w, &(struct actor){.kind = ACTOR_UNKNOWN});
	}
}

static struct wakeup_pair *pair_of(struct hash *pairs, struct actor *waker, struct actor *wakee)
{
	uint64_t key = (uint64_t)waker->number << 32 | wakee->number;
	struct wakeup_pair *p = hash_get(pairs, key);

	if (!p) {
		p = xcalloc(1, sizeof(*p));
		p->waker = waker;
		p->wakee = wakee;
		hash_put(pairs, key, p);
	}
	return p;
}

/* Whether lost events may have changed who wakes whom: what runs, and where both are. */
static bool is_sure(struct model *m, const struct wakeup *wakeup)
{
	const struct on_cpu *waker = &wakeup->waker;

	if (!m->nr_losses)
		return true;
	if (!waker->is_sure || !cpus_place_is_sure(m, told_task(wakeup->task)))
		return false;
	return waker->kind != RUN_TASK || cpus_place_is_sure(m, told_task(waker->task));
}

static void on_wakeup(void *ctx, struct wakeup *wakeup)
{
	struct wakeups *w = ((struct host *)ctx)->user;
	struct wakeup_pair *p;

	p = pair_of(&w->pairs, waker_of(w, &wakeup->waker),
		    task_actor(w, told_task(wakeup->task), wakeup->tid, wakeup->comm));
	p->count++;
	wakeup->user = p;
	wakeup->user_is_sure = is_sure(w->model, wakeup);
	p->sure += wakeup->user_is_sure;
}

static void on_handover(void *ctx, const struct handover *h)
{
	struct wakeup_pair *p;
	uint64_t waited;

	(void)ctx;
	/* It may have run meanwhile, in what was lost. */
	if (!h->woken || h->ran_since)
		return;
	p = h->woken->user;
	waited = h->ns - h->woken->ns;
	if (!p->measured++ || waited > p->max) {
		p->max = waited;
		p->max_at = h->woken->ns;
	}
	time_add(&p->total, waited);
	histogram_count(&p->waits, waited);
	if (!h->woken->user_is_sure)
		return;
	time_add(&p->total_sure, waited);
	if (waited > p->max_sure)
		p->max_sure = waited;
}

const struct sched_callbacks wakeups_sched = {.on_wakeup = on_wakeup, .on_handover = on_handover};

static struct actor *settled(struct wakeups *w, const struct hash *old, const struct actor *a)
{
	struct task *t = a->unplaced ? hash_get(old, (uint64_t)a->unplaced) : NULL;
	struct actor now = *a;

	now.container = container_is(a->container);
	now.unplaced = 0;
	if (t && (t->ns || task_container(w->model, t))) {
		now.kind = ACTOR_TASK;
		now.container = task_container(w->model, t);
	}
	return intern(w, &now);
}

/* @sure: lost events may not have changed of whom it is, either. */
static void add_up(struct wakeup_pair *sum, const struct wakeup_pair *p, bool sure)
{
	if (sure) {
		sum->sure += p->sure;
		time_add(&sum->total_sure, p->total_sure);
		if (p->max_sure > sum->max_sure)
			sum->max_sure = p->max_sure;
	}
	sum->count += p->count;
	sum->measured += p->measured;
	time_add(&sum->total, p->total);
	histogram_add(&sum->waits, &p->waits);
	if (p->max > sum->max || !sum->max_at) {
		sum->max = p->max;
		sum->max_at = p->max_at;
	}
}

bool wakeups_are_too_long(const struct wakeups *w)
{
	const struct wakeup_pair *p;
	size_t pos = 0;

	while ((p = hash_next(&w->pairs, &pos)))
		if (time_is_too_long(p->total))
			return true;
	return false;
}

static void pairs_free(struct hash *pairs)
{
	struct wakeup_pair *p;
	size_t pos = 0;

	while ((p = hash_next(pairs, &pos))) {
		histogram_free(&p->waits);
		free(p);
	}
	hash_free(pairs);
}

void wakeups_finish(struct wakeups *w)
{
	struct hash sums = {0}, old = early_tasks(w->model);
	struct wakeup_pair *p;
	size_t pos = 0;

	while ((p = hash_next(&w->pairs, &pos))) {
		bool sure = !w->model->nr_losses || (!p->waker->unplaced && !p->wakee->unplaced);

		w->nr_unsure += sure ? p->count - p->sure : p->count;
		add_up(pair_of(&sums, settled(w, &old, p->waker), settled(w, &old, p->wakee)), p,
		       sure);
	}
	hash_free(&old);
	pairs_free(&w->pairs);
	w->pairs = sums;
}

void wakeups_free(struct wakeups *w)
{
	struct actor *a, *next;
	size_t pos = 0;

	if (!w)
		return;
	while ((a = hash_next(&w->actors, &pos)))
		for (; a; a = next) {
			next = a->next;
			free(a);
		}
	hash_free(&w->actors);
	pairs_free(&w->pairs);
	free(w);
}
