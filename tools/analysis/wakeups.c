/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "model/container.h"
#include "elders.h"
#include "base/util.h"
#include "wakeups.h"

/* A task that was woken and does not run yet. There is one for each tid. */
struct sleeper {
	struct wakeup_pair *pair; /* NULL: it was not woken, or the wait cannot be measured */
	uint64_t since;
	bool is_sure; /* that it is the pair's */
};

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

static struct actor *task_actor(struct wakeups *w, int64_t tid, const char *comm)
{
	struct task *t = model_task(w->model, tid);
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

static struct actor *waker_of(struct wakeups *w, const struct event *ev)
{
	int64_t tid = running_tid(&w->running, ev->cpu);
	struct task *t;

	switch (running_on(&w->running, ev->cpu)) {
	case RUNNING_INTERRUPT:
		return intern(w, &(struct actor){.kind = ACTOR_INTERRUPT});
	case RUNNING_IDLE:
		return intern(w, &(struct actor){.kind = ACTOR_IDLE});
	case RUNNING_TASK:
		/* It may have changed its name since it was switched in. */
		t = model_task(w->model, tid);
		return task_actor(w, tid,
				  t && *t->comm ? t->comm : running_comm(&w->running, ev->cpu));
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

static struct sleeper *sleeper_of(struct wakeups *w, int64_t tid)
{
	struct sleeper *s = hash_get(&w->sleepers, (uint64_t)tid);

	if (!s) {
		s = xcalloc(1, sizeof(*s));
		hash_put(&w->sleepers, (uint64_t)tid, s);
	}
	return s;
}

/* Whether lost events may have changed who wakes whom: what runs, and where both are. */
static bool is_sure(struct wakeups *w, const struct event *ev)
{
	struct model *m = w->model;

	if (!m->nr_losses)
		return true;
	if (!running_is_sure(&w->running, ev->cpu, ev->ns) ||
	    !cpus_place_is_sure(m, model_task(m, ev->wake.tid)))
		return false;
	return running_on(&w->running, ev->cpu) != RUNNING_TASK ||
	       cpus_place_is_sure(m, model_task(m, running_tid(&w->running, ev->cpu)));
}

static void on_wake(struct wakeups *w, const struct event *ev)
{
	struct wakeup_pair *p;
	struct sleeper *s;

	if (ev->wake.tid <= 0)
		return;
	p = pair_of(&w->pairs, waker_of(w, ev), task_actor(w, ev->wake.tid, ev->wake.comm));
	p->count++;
	s = sleeper_of(w, ev->wake.tid);
	s->pair = p;
	s->since = ev->ns;
	s->is_sure = is_sure(w, ev);
	p->sure += s->is_sure;
}

/*
 * A task may be woken after it decided to sleep and before it does: then it leaves
 * its CPU asleep, and comes back; or it never leaves, and there is no wait.
 */
static void on_leave(struct wakeups *w, const struct ev_switch *sw)
{
	struct sleeper *s =
		sw->prev_tid > 0 ? hash_get(&w->sleepers, (uint64_t)sw->prev_tid) : NULL;

	if (s && running_is_runnable(sw->prev_state))
		s->pair = NULL;
}

static void on_arrive(struct wakeups *w, const struct event *ev)
{
	struct sleeper *s =
		ev->sw.next_tid > 0 ? hash_get(&w->sleepers, (uint64_t)ev->sw.next_tid) : NULL;
	struct wakeup_pair *p = s ? s->pair : NULL;
	uint64_t waited;

	if (!p)
		return;
	s->pair = NULL;
	/* It may have run meanwhile, in what was lost. */
	if (w->model->nr_losses && w->model->loss_until >= s->since)
		return;
	waited = ev->ns - s->since;
	if (!p->measured++ || waited > p->max) {
		p->max = waited;
		p->max_at = s->since;
	}
	time_add(&p->total, waited);
	if (!s->is_sure)
		return;
	time_add(&p->total_sure, waited);
	if (waited > p->max_sure)
		p->max_sure = waited;
}

void wakeups_event(struct wakeups *w, const struct event *ev)
{
	switch (ev->kind) {
	case EV_WAKING:
	case EV_WAKEUP_NEW:
		on_wake(w, ev);
		break;
	case EV_WAKEUP:
		if (!w->has_waking)
			on_wake(w, ev);
		break;
	case EV_SWITCH:
		on_leave(w, &ev->sw);
		on_arrive(w, ev);
		break;
	default:
		break;
	}
	running_event(&w->running, ev);
}

void wakeups_loss(struct wakeups *w, const struct loss *loss)
{
	running_loss(&w->running, loss);
}

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

	while ((p = hash_next(pairs, &pos)))
		free(p);
	hash_free(pairs);
}

void wakeups_finish(struct wakeups *w)
{
	struct hash sums = {0}, old = elders(w->model);
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
	struct sleeper *s;
	size_t pos = 0;

	if (!w)
		return;
	while ((a = hash_next(&w->actors, &pos)))
		for (; a; a = next) {
			next = a->next;
			free(a);
		}
	for (pos = 0; (s = hash_next(&w->sleepers, &pos));)
		free(s);
	hash_free(&w->actors);
	hash_free(&w->sleepers);
	pairs_free(&w->pairs);
	running_free(&w->running);
	free(w);
}
