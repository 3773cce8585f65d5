/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "model/container.h"
#include "early-tasks.h"
#include "syscalls.h"
#include "base/util.h"

/* Classes of several traces may have one name; addresses are faster than names. */
struct call_name {
	char *name;
	uint32_t number;
};

/* There is one for each tid. */
struct pending {
	struct call_name *name; /* NULL: no call is going on */
	struct caller *caller;
	uint64_t begin;
	char comm[COMM_MAX + 1]; /* as it was switched in; "": not told */
	bool tid_sure, is_sure; /* no lost events can have changed whose it is; and where that is */
};

/* What the kernel takes for an error number. */
#define ERRNO_MAX 4095

struct syscalls *syscalls_new(struct host *h, const char *wanted)
{
	struct syscalls *s = xcalloc(1, sizeof(*s));

	s->model = h->model;
	s->wanted = wanted;
	return s;
}

void syscalls_tell(struct syscalls *s,
		   void (*on_call)(void *ctx, const struct call *call, const char *name), void *ctx)
{
	s->on_call = on_call;
	s->ctx = ctx;
}

/* The one of these letters: several traces may have it. */
static struct call_name *name_by_text(struct syscalls *s, const char *name)
{
	uint64_t key = hash_text(name, strlen(name));
	struct call_name *n;

	/* Two may have one key. */
	for (; (n = hash_get(&s->texts, key)); key++)
		if (!strcmp(n->name, name))
			return n;
	n = xcalloc(1, sizeof(*n));
	n->name = xstrdup(name);
	n->number = s->nr_names++;
	hash_put(&s->texts, key, n);
	return n;
}

static struct call_name *name_of(struct syscalls *s, const char *name)
{
	struct call_name *n = hash_get(&s->names, (uintptr_t)name);

	if (!n) {
		n = name_by_text(s, name);
		hash_put(&s->names, (uintptr_t)name, n);
	}
	return n;
}

static struct caller *new_caller(struct syscalls *s, const struct caller *like)
{
	uint64_t key = (uint64_t)like->tid + 2;
	struct caller *c = xcalloc(1, sizeof(*c)), *first = hash_get(&s->callers, key);

	*c = *like;
	s->knows_tids = s->knows_tids || c->tid > 0;
	c->next = first;
	c->number = s->nr_callers++;
	/* Of one task in two containers it is the same first call. */
	c->has_called = first && first->task == c->task && first->has_called;
	hash_put(&s->callers, key, c);
	return c;
}

static uint64_t place_key(const struct caller *c)
{
	return hash_numbers(hash_numbers((uint64_t)c->tid, (uintptr_t)c->task),
			    hash_numbers((uintptr_t)c->container, c->is_placed));
}

static struct caller *caller_of(struct syscalls *s, int64_t tid)
{
	struct task *t = tid > 0 ? model_task(s->model, tid) : NULL;
	struct container *container = t ? task_container(s->model, t) : NULL;
	struct caller *c, like = {.task = t,
				  .container = container,
				  .is_placed = t && (container || t->ns),
				  .tid = tid > 0 ? tid : -1};
	uint64_t key = place_key(&like);

	/* A tid may have been many tasks', in many containers. Two may have one key. */
	for (; (c = hash_get(&s->places, key)); key++)
		if (c->tid == like.tid && c->task == t && c->container == container &&
		    c->is_placed == like.is_placed)
			return c;
	c = new_caller(s, &like);
	hash_put(&s->places, key, c);
	return c;
}

static struct call_stat *stat_of(struct syscalls *s, struct caller *c, const struct call_name *n)
{
	uint64_t key = (uint64_t)c->number << 32 | n->number;
	struct calls_of *of;

	if (s->on_call)
		return &s->untold;
	of = hash_get(&s->stats, key);
	if (!of) {
		of = xcalloc(1, sizeof(*of));
		of->caller = c;
		of->name = n->name;
		hash_put(&s->stats, key, of);
	}
	return &of->stat;
}

static struct pending *pending_of(struct syscalls *s, int64_t tid)
{
	struct pending *p = hash_get(&s->pending, (uint64_t)tid);

	if (!p) {
		p = xcalloc(1, sizeof(*p));
		hash_put(&s->pending, (uint64_t)tid, p);
	}
	return p;
}

static bool is_caller_sure(struct syscalls *s, const struct caller *c)
{
	return !s->model->nr_losses || (c->is_placed && cpus_place_is_sure(s->model, c->task));
}

/* What is told of it; @comm: by what is switched in. */
static struct call complete(const struct syscalls *s, const struct call *call, const char *comm)
{
	struct call c = *call;

	c.at = c.begin ? c.begin : s->model->now;
	if (c.caller->task)
		memcpy(c.comm, c.caller->task->comm, sizeof(c.comm));
	else
		strncpy(c.comm, comm, COMM_MAX);
	return c;
}

static void keep(struct syscalls *s, const struct call_name *n, const struct call *call,
		 const char *comm)
{
	struct call c;

	if (s->on_call) {
		c = complete(s, call, comm);
		s->on_call(s->ctx, &c, n->name);
	}
	if (!s->wanted || strcmp(n->name, s->wanted))
		return;
	s->calls = grow(s->calls, s->nr_calls, &s->cap_calls, sizeof(*s->calls));
	s->calls[s->nr_calls++] = complete(s, call, comm);
}

/* Its end will not come, or was lost. */
static void give_up(struct syscalls *s, struct pending *p, uint64_t now)
{
	struct call_stat *stat;

	if (!p->name)
		return;
	stat = stat_of(s, p->caller, p->name);
	stat->calls++;
	stat->calls_sure += p->is_sure;
	stat->unfinished++;
	keep(s, p->name,
	     &(struct call){.caller = p->caller,
			    .end = CALL_UNFINISHED,
			    .is_sure = p->is_sure,
			    .begin = p->begin,
			    .duration = now - p->begin},
	     p->comm);
	p->name = NULL;
}

static void on_entry(struct syscalls *s, const struct call_event *c)
{
	struct pending *p;

	/* Without its task the call is counted at its end. */
	if (c->tid <= 0)
		return;
	p = pending_of(s, c->tid);
	give_up(s, p, c->ns);
	p->name = name_of(s, c->name);
	p->caller = caller_of(s, c->tid);
	p->caller->has_called = true;
	p->begin = c->ns;
	p->comm[0] = '\0';
	if (!p->caller->task)
		strncpy(p->comm, c->comm, COMM_MAX);
	p->tid_sure = c->is_sure;
	p->is_sure = p->tid_sure && is_caller_sure(s, p->caller);
}

/* Whether its begin and its end may belong to two calls. */
static bool lost_between(const struct syscalls *s, uint64_t begin)
{
	return s->model->nr_losses && s->model->loss_until >= begin;
}

static void measure(struct call_stat *stat, const struct call *call, bool sure)
{
	if (call->end == CALL_UNSURE)
		stat->unsure++;
	if (call->end == CALL_BEGUN_BEFORE)
		stat->begun_before++;
	if (call->end != CALL_ENDED)
		return;
	time_add(&stat->total, call->duration);
	histogram_count(&stat->lengths, call->duration);
	if (call->duration > stat->max || !stat->max_at) {
		stat->max = call->duration;
		stat->max_at = call->begin;
	}
	if (!sure)
		return;
	time_add(&stat->total_sure, call->duration);
	if (call->duration > stat->max_sure)
		stat->max_sure = call->duration;
}

/* @sure: the call is the caller's, whatever was lost. */
static void end_call(struct syscalls *s, const struct call *call, const struct call_name *n,
		     bool sure, const char *comm)
{
	struct call_stat *stat = stat_of(s, call->caller, n);
	bool error = call->ret < 0 && call->ret >= -ERRNO_MAX;

	stat->calls++;
	stat->calls_sure += sure;
	stat->errors += error;
	stat->errors_sure += error && sure && call->end != CALL_UNSURE;
	measure(stat, call, sure);
	keep(s, n, call, comm);
}

static void on_return(struct syscalls *s, const struct call_event *c)
{
	struct call_name *n = name_of(s, c->name);
	struct pending *p = c->tid > 0 ? hash_get(&s->pending, (uint64_t)c->tid) : NULL;
	struct call call = {.end = CALL_BEGUN_BEFORE, .ret = c->ret};
	/* It may be a child's return from the call that made it, and the child's fork be lost. */
	bool sure = !s->model->nr_losses;

	if (p && p->name == n) {
		call.caller = p->caller;
		call.begin = p->begin;
		call.duration = c->ns - p->begin;
		call.end = lost_between(s, p->begin) || !p->tid_sure ? CALL_UNSURE : CALL_ENDED;
		sure = p->is_sure;
		p->name = NULL;
	} else {
		if (p)
			give_up(s, p, c->ns);
		call.caller = caller_of(s, c->tid);
		/* A child returns from the call that made it; its parent began that. */
		if (!call.caller->has_called && call.caller->task && call.caller->task->forked) {
			call.caller->has_called = true;
			return;
		}
		call.caller->has_called = true;
	}
	call.is_sure = sure;
	end_call(s, &call, n, sure, c->comm);
}

/* execve() of a thread that is not the first: it returns under the first one's tid. */
static void on_exec(struct syscalls *s, const struct call_event *c)
{
	struct pending *p, *old = hash_get(&s->pending, (uint64_t)c->old_tid);

	if (!old || !old->name)
		return;
	p = pending_of(s, c->tid);
	give_up(s, p, c->ns);
	*p = *old;
	p->caller = caller_of(s, c->tid);
	old->name = NULL;
}

static void on_call(void *ctx, const struct call_event *c)
{
	struct syscalls *s = ((struct host *)ctx)->user;
	struct pending *p;

	switch (c->step) {
	case CALL_BEGINS:
		on_entry(s, c);
		break;
	case CALL_RETURNS:
		on_return(s, c);
		break;
	case CALL_MOVES:
		on_exec(s, c);
		break;
	case CALL_IS_DEAD:
		p = hash_get(&s->pending, (uint64_t)c->tid);
		if (p)
			give_up(s, p, c->ns);
		break;
	}
}

const struct sched_callbacks syscalls_sched = {.on_call = on_call};

/* Where it is in places: another one may have had its key. */
static void drop_place(struct syscalls *s, const struct caller *c)
{
	uint64_t key = place_key(c);
	struct caller *found;

	for (; (found = hash_get(&s->places, key)); key++)
		if (found == c) {
			hash_del(&s->places, key);
			return;
		}
}

bool syscalls_forget(struct syscalls *s, const struct task *t)
{
	uint64_t key = (uint64_t)t->tid + 2;
	struct pending *p = hash_get(&s->pending, (uint64_t)t->tid);
	struct caller *first = hash_get(&s->callers, key), **link = &first, *c;

	if (p && p->name && p->caller->task == t)
		return false;
	/* What another one calls, who has the tid by now, stays. */
	if (p && !p->name) {
		hash_del(&s->pending, (uint64_t)t->tid);
		free(p);
	}
	while ((c = *link)) {
		if (c->task != t) {
			link = &c->next;
			continue;
		}
		*link = c->next;
		drop_place(s, c);
		free(c);
	}
	if (first)
		hash_put(&s->callers, key, first);
	else
		hash_del(&s->callers, key);
	return true;
}

static void settle(struct syscalls *s, const struct hash *old, struct caller *c)
{
	if (!c->task && c->tid > 0)
		c->task = hash_get(old, (uint64_t)c->tid);
	if (!c->is_placed && c->task)
		c->container = task_container(s->model, c->task);
	c->is_placed = c->is_placed || (c->task && (c->container || c->task->ns));
	c->container = container_is(c->container);
}

void syscalls_finish(struct syscalls *s, uint64_t end)
{
	struct hash old = early_tasks(s->model);
	struct pending *p;
	struct caller *c;
	size_t pos = 0;

	while ((p = hash_next(&s->pending, &pos)))
		give_up(s, p, end);
	for (pos = 0; (c = hash_next(&s->callers, &pos));)
		for (; c; c = c->next)
			settle(s, &old, c);
	hash_free(&old);
}

bool syscalls_are_too_long(const struct syscalls *s)
{
	const struct calls_of *of;
	size_t pos = 0;

	while ((of = hash_next(&s->stats, &pos)))
		if (time_is_too_long(of->stat.total))
			return true;
	return false;
}

void call_stat_add(struct call_stat *sum, const struct call_stat *s)
{
	sum->calls += s->calls;
	sum->errors += s->errors;
	sum->calls_sure += s->calls_sure;
	sum->errors_sure += s->errors_sure;
	time_add(&sum->total_sure, s->total_sure);
	if (s->max_sure > sum->max_sure)
		sum->max_sure = s->max_sure;
	time_add(&sum->total, s->total);
	sum->begun_before += s->begun_before;
	sum->unfinished += s->unfinished;
	sum->unsure += s->unsure;
	histogram_add(&sum->lengths, &s->lengths);
	if (s->max > sum->max || !sum->max_at) {
		sum->max = s->max;
		sum->max_at = s->max_at;
	}
}

static void free_all(struct hash *h)
{
	size_t pos = 0;
	void *v;

	while ((v = hash_next(h, &pos)))
		free(v);
	hash_free(h);
}

void syscalls_free(struct syscalls *s)
{
	struct caller *c, *next;
	struct call_name *n;
	struct calls_of *of;
	size_t pos = 0;

	if (!s)
		return;
	while ((c = hash_next(&s->callers, &pos)))
		for (; c; c = next) {
			next = c->next;
			free(c);
		}
	hash_free(&s->callers);
	hash_free(&s->places);
	for (pos = 0; (n = hash_next(&s->texts, &pos));)
		free(n->name);
	free_all(&s->texts);
	hash_free(&s->names);
	for (pos = 0; (of = hash_next(&s->stats, &pos));)
		histogram_free(&of->stat.lengths);
	histogram_free(&s->untold.lengths);
	free_all(&s->stats);
	free_all(&s->pending);
	free(s->calls);
	free(s);
}
