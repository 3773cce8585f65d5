/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "early-tasks.h"
#include "profile.h"
#include "base/util.h"

/* Behind a stack's last entry, where there were more than it has room for. */
#define END_MARK (-1)

struct profile *profile_new(struct host *h)
{
	struct profile *p = xcalloc(1, sizeof(*p));

	p->model = h->model;
	p->to = UINT64_MAX;
	return p;
}

/* Entries that are there and are addresses; @cut: whether there were more. */
static size_t entries(const struct stack *s, bool *cut)
{
	size_t nr = s->nr < 0 ? 0 : s->nr < STACK_MAX ? (size_t)s->nr : STACK_MAX;

	if (s->nr >= STACK_MAX || (nr && s->v[nr - 1] == END_MARK))
		*cut = true;
	return nr && s->v[nr - 1] == END_MARK ? nr - 1 : nr;
}

/* Before the scheduler's are frames of the tracer, which only names tell apart. */
static void take_switch(struct profile_stack *s, const struct ev_sample *sample, bool *cut)
{
	size_t i;

	s->nr_kernel = entries(&sample->kernel, cut);
	for (i = 0; i < s->nr_kernel; i++)
		s->kernel[i] = (uint64_t)sample->kernel.v[i];
}

/* Before what was interrupted are the frames of the sampler and of its interrupt. */
static void take_kernel(struct profile *p, struct profile_stack *s, const struct ev_sample *sample,
			bool *cut)
{
	size_t nr = entries(&sample->kernel, cut), at = 0;

	while (at < nr && sample->kernel.v[at] != sample->ip)
		at++;
	if (at == nr) {
		p->nr_lone++;
		s->kernel[s->nr_kernel++] = (uint64_t)sample->ip;
	}
	for (; at < nr; at++)
		s->kernel[s->nr_kernel++] = (uint64_t)sample->kernel.v[at];
}

/* Where a call was made is the instruction before the one that it returns to. */
static void take_user(struct profile *p, struct profile_stack *s, const struct event *ev, bool *cut)
{
	const struct stack *user = &ev->sample.user;
	size_t i, nr = entries(user, cut);

	for (i = 0; i < nr && p->user_frame; i++)
		s->user[i] = p->user_frame(p->ctx, ev->sample.pid, ev->ns,
					   (uint64_t)user->v[i] - (i > 0));
	s->nr_user = nr;
	if (nr || ev->kind != EV_SAMPLE || ev->sample.mode == SAMPLE_OF_KERNEL)
		return;
	if (p->user_frame)
		s->user[0] = p->user_frame(p->ctx, ev->sample.pid, ev->ns, (uint64_t)ev->sample.ip);
	s->nr_user = 1;
}

static void take_stack(struct profile *p, struct profile_stack *s, const struct event *ev)
{
	bool cut = false;

	take_user(p, s, ev, &cut);
	if (ev->kind != EV_SAMPLE)
		take_switch(s, &ev->sample, &cut);
	else if (ev->sample.mode == SAMPLE_OF_KERNEL)
		take_kernel(p, s, &ev->sample, &cut);
	p->nr_user += s->nr_user > 0;
	p->nr_one += s->nr_user == 1;
	p->nr_cut += cut;
}

static void take_task(struct profile *p, struct profile_stack *s, const struct ev_sample *sample)
{
	s->tid = sample->tid >= 0 ? sample->tid : -1;
	s->task = s->tid > 0 ? model_task(p->model, s->tid) : NULL;
	s->container = s->task ? task_container(p->model, s->task) : NULL;
	s->is_placed = !s->tid || (s->task && (s->container || s->task->ns));
	if (s->task)
		memcpy(s->comm, s->task->comm, sizeof(s->comm));
}

static uint64_t key_of(const struct profile_stack *s)
{
	uint64_t who = hash_numbers(hash_numbers((uintptr_t)s->task, (uintptr_t)s->container),
				    hash_numbers((uint64_t)s->tid, s->is_placed));
	uint64_t frames =
		hash_numbers(hash_text((const char *)s->user, s->nr_user * sizeof(*s->user)),
			     hash_text((const char *)s->kernel, s->nr_kernel * sizeof(uint64_t)));

	return hash_numbers(hash_numbers(who, frames),
			    hash_numbers(hash_text(s->comm, strlen(s->comm)),
					 hash_numbers((uintptr_t)s->cause, (uintptr_t)s->waker)));
}

static bool is_same(const struct profile_stack *a, const struct profile_stack *b)
{
	return a->task == b->task && a->container == b->container && a->is_placed == b->is_placed &&
	       a->tid == b->tid && !strcmp(a->comm, b->comm) && a->cause == b->cause &&
	       a->has_stack == b->has_stack && a->waker == b->waker &&
	       a->interrupt == b->interrupt && a->nr_user == b->nr_user &&
	       a->nr_kernel == b->nr_kernel &&
	       !memcmp(a->user, b->user, a->nr_user * sizeof(*a->user)) &&
	       !memcmp(a->kernel, b->kernel, a->nr_kernel * sizeof(uint64_t));
}

static struct profile_stack *the_one(struct hash *stacks, const struct profile_stack *like)
{
	uint64_t key = key_of(like);
	struct profile_stack *s;

	/* Two may have one key. */
	for (; (s = hash_get(stacks, key)); key++)
		if (is_same(s, like))
			return s;
	s = xcalloc(1, sizeof(*s));
	*s = *like;
	s->kernel = xcalloc(like->nr_kernel + 1, sizeof(*s->kernel));
	memcpy(s->kernel, like->kernel, like->nr_kernel * sizeof(*s->kernel));
	s->user = xcalloc(like->nr_user + 1, sizeof(*s->user));
	memcpy(s->user, like->user, like->nr_user * sizeof(*s->user));
	hash_put(stacks, key, s);
	return s;
}

/* Each second, or more often (lttng-profile.c): what is longer no recorder has told. */
#define PERIOD_MAX 1000000000

static void note_period(struct profile *p, int64_t period)
{
	if (period <= 0 || period > PERIOD_MAX)
		return;
	if (!p->period)
		p->period = (uint64_t)period;
	p->periods_differ = p->periods_differ || p->period != (uint64_t)period;
}

static void count(struct profile *p, struct profile_stack *s, const struct event *ev)
{
	s->count++;
	if (!p->keeps_times)
		return;
	s->times = grow(s->times, s->nr_times, &s->cap_times, sizeof(*s->times));
	s->times[s->nr_times++] = (struct profile_time){ev->ns, ev->cpu};
}

void profile_sample(struct profile *p, const struct event *ev)
{
	uint64_t kernel[STACK_MAX];
	const void *user[STACK_MAX] = {NULL};
	struct profile_stack s = {.user = user, .kernel = kernel};

	if (ev->ns < p->from || ev->ns >= p->to)
		return;
	p->nr_samples++;
	take_task(p, &s, &ev->sample);
	take_stack(p, &s, ev);
	note_period(p, ev->sample.period);
	if (p->on_sample)
		p->on_sample(p->sample_ctx, &s, ev);
	else
		count(p, the_one(&p->stacks, &s), ev);
}

const struct profile_stack *profile_switch(struct profile *p, const struct event *ev)
{
	uint64_t kernel[STACK_MAX];
	const void *user[STACK_MAX] = {NULL};
	struct profile_stack s = {.user = user, .kernel = kernel, .has_stack = true};

	p->nr_samples++;
	take_stack(p, &s, ev);
	return the_one(&p->frames, &s);
}

/* @s: how it waited. */
static void add_wait(struct profile *p, struct profile_stack *s, struct task *task,
		     const struct place *place, const struct cause *cause, uint64_t ns)
{
	s->task = task;
	s->tid = task->tid;
	s->container = place->known ? place->container : NULL;
	s->is_placed = place->known;
	s->cause = cause;
	memcpy(s->comm, task->comm, sizeof(s->comm));
	time_add(&the_one(&p->stacks, s)->count, ns);
}

void profile_wait(struct profile *p, const struct profile_stack *stack, struct task *task,
		  const struct place *place, const struct cause *cause, uint64_t ns)
{
	uint64_t no_kernel[1];
	const void *no_user[1];
	struct profile_stack s = {.user = no_user, .kernel = no_kernel};

	if (stack)
		s = *stack;
	add_wait(p, &s, task, place, cause, ns);
}

const struct profile_stack *profile_waking(struct profile *p, const struct event *ev)
{
	uint64_t kernel[STACK_MAX];
	const void *user[STACK_MAX] = {NULL};
	struct profile_stack s = {
		.user = user,
		.kernel = kernel,
		.has_stack = true,
		.interrupt = (int)ev->sample.interrupt,
	};

	p->nr_samples++;
	take_task(p, &s, &ev->sample);
	take_stack(p, &s, ev);
	return the_one(&p->frames, &s);
}

void profile_woken(struct profile *p, const struct profile_stack *waker, struct task *task,
		   const struct place *place, const struct cause *cause, uint64_t ns)
{
	uint64_t no_kernel[1];
	const void *no_user[1];
	struct profile_stack s = {
		.user = no_user,
		.kernel = no_kernel,
		.has_stack = waker,
		.waker = waker,
	};

	add_wait(p, &s, task, place, cause, ns);
}

static void settle_task(struct profile *p, struct profile_stack *s, const struct hash *old)
{
	if (!s->task && s->tid > 0)
		s->task = hash_get(old, (uint64_t)s->tid);
	if (!s->is_placed && s->task)
		s->container = task_container(p->model, s->task);
	s->is_placed = s->is_placed || (s->task && (s->container || s->task->ns));
	s->container = container_is(s->container);
	if (!*s->comm && s->task)
		memcpy(s->comm, s->task->comm, sizeof(s->comm));
}

void profile_finish(struct profile *p)
{
	struct hash old = early_tasks(p->model);
	struct profile_stack *s;
	size_t pos = 0;

	while ((s = hash_next(&p->stacks, &pos)))
		settle_task(p, s, &old);
	for (pos = 0; (s = hash_next(&p->frames, &pos));)
		settle_task(p, s, &old);
	hash_free(&old);
}

static void stacks_free(struct hash *stacks)
{
	struct profile_stack *s;
	size_t pos = 0;

	while ((s = hash_next(stacks, &pos))) {
		free(s->user);
		free(s->kernel);
		free(s->times);
		free(s);
	}
	hash_free(stacks);
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	stacks_free(&p->stacks);
	stacks_free(&p->frames);
	free(p);
}
