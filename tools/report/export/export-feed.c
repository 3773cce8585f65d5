/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "export-feed.h"

/* A task that ended is kept so long: events of several CPUs may tell of it at the same moment. */
#define KEEP_NS NS_PER_SEC

/* What is known of a task while the model has it. */
struct fed_task {
	uint32_t number;
	uint32_t nr_waits; /* of it that delays.h has not told of yet */
	bool is_untold;	   /* something was told of it while its container was not known */
	bool has_first;
	uint32_t first;
};

/* The last wakeup of a tid, until it is switched in, or is woken again. */
struct fed_wake {
	bool is_open;
	struct spilled item;
};

static uint32_t number_of(const struct container *c)
{
	return c ? c->serial : 0;
}

/* @t: NULL has none. */
static struct fed_task *fed_task(struct feeding *f, const struct task *t)
{
	struct fed_task *ft = t ? hash_get(&f->tasks, (uintptr_t)t) : NULL;

	if (ft || !t)
		return ft;
	ft = xcalloc(1, sizeof(*ft));
	ft->number = ++f->nr_tasks;
	hash_put(&f->tasks, (uintptr_t)t, ft);
	return ft;
}

static uint32_t task_number(struct feeding *f, const struct task *t)
{
	struct fed_task *ft = fed_task(f, t);

	return ft ? ft->number : 0;
}

static struct spilled item_of(const struct feeding *f, enum export_table table)
{
	struct spilled item;

	/* The file has no bytes that nobody wrote. */
	memset(&item, 0, sizeof(item));
	item.host = f->number;
	item.table = table;
	return item;
}

/* Where the task of a run was, which the first that is told holds for what was before, too. */
static uint32_t place_of(struct feeding *f, const struct task *t, const struct place *p)
{
	struct fed_task *ft = fed_task(f, t);

	if (!p->known) {
		if (ft)
			ft->is_untold = true;
		return CONTAINER_UNTOLD;
	}
	if (ft && ft->is_untold && !ft->has_first) {
		ft->has_first = true;
		ft->first = number_of(p->container);
	}
	return number_of(p->container);
}

static void on_run(void *ctx, const struct run *run)
{
	struct feeding *f = ((struct host *)ctx)->user;
	struct spilled item = item_of(f, EXPORT_RUN);

	delays_sched.on_run(&f->as_delays, run);
	item.run = (struct spilled_run){
		.begin = run->begin,
		.end = run->end,
		.task = task_number(f, run->task),
		.container = CONTAINER_UNTOLD,
		.cpu = run->cpu,
		.tid = run->under == RUN_TASK ? run->tid : -1,
		.kind = run->kind,
		.under = run->under,
		.unsure = run->unsure || run->kind == RUN_UNKNOWN || run->where != IS_THERE,
	};
	if (run->under == RUN_TASK)
		item.run.container = place_of(f, run->task, &run->place);
	spill_add(f->spill, &item);
}

static void on_wait(void *ctx, struct sched_wait *w)
{
	struct feeding *f = ((struct host *)ctx)->user;
	struct fed_task *ft = fed_task(f, w->task);

	if (ft)
		ft->nr_waits++;
	delays_sched.on_wait(&f->as_delays, w);
}

static void on_wait_moves(void *ctx, struct sched_wait *w, int from, uint64_t ns)
{
	struct feeding *f = ((struct host *)ctx)->user;

	delays_sched.on_wait_moves(&f->as_delays, w, from, ns);
}

static void on_wait_ends(void *ctx, struct sched_wait *w)
{
	struct feeding *f = ((struct host *)ctx)->user;

	delays_sched.on_wait_ends(&f->as_delays, w);
}

static void add_blame(struct feeding *f, const struct spilled_wait *w, const struct blame *b,
		      bool unsure)
{
	struct spilled item = item_of(f, EXPORT_BLAME);

	item.blame = (struct spilled_blame){
		.wait = w->number,
		.ns = b->ns,
		.victim = w->container,
		.culprit = b->who.kind == BY_TASKS && b->who.told ? number_of(b->who.container)
								  : CONTAINER_UNTOLD,
		.kind = b->who.kind,
		.unsure = unsure || b->unsure,
	};
	spill_add(f->spill, &item);
}

/* Of delays.h: all is known of a wait. */
static void on_wait_told(void *ctx, const struct wait *w)
{
	struct feeding *f = ctx;
	struct spilled item = item_of(f, EXPORT_WAIT);
	struct fed_task *ft = fed_task(f, w->task);
	size_t i;

	if (ft)
		ft->nr_waits--;
	item.wait = (struct spilled_wait){
		.number = ++f->nr_waits,
		.begin = w->begin,
		.end = w->end,
		.ns = w->ns,
		.task = ft ? ft->number : 0,
		.container = w->told ? number_of(w->container) : CONTAINER_UNTOLD,
		.cpu = w->cpu,
		.tid = w->tid,
		.why = w->why,
		.unfinished = w->unfinished,
		.unsure = w->unsure || w->place_unsure,
	};
	spill_add(f->spill, &item);
	for (i = 0; i < w->blames.nr; i++)
		add_blame(f, &item.wait, &w->blames.list[i], item.wait.unsure);
}

static void on_block(void *ctx, const struct block *b)
{
	struct feeding *f = ((struct host *)ctx)->user;
	struct spilled item = item_of(f, EXPORT_BLOCK);
	struct place p = cpus_place(f->host->model, b->task);

	item.block = (struct spilled_block){
		.begin = b->begin,
		.end = b->end,
		.state = b->state,
		.task = task_number(f, b->task),
		.container = p.known ? number_of(p.container) : CONTAINER_UNTOLD,
		.tid = b->tid,
		.has_waker = b->by,
		.waker = b->by ? b->by->waker.kind : RUN_UNKNOWN,
		.waker_tid = b->by ? (int32_t)b->by->waker.tid : -1,
		.died = b->died,
		.unfinished = b->unfinished,
		.unsure = b->unsure,
	};
	spill_add(f->spill, &item);
}

/* As wakeups.h has it: of one of which no more is known than that it ran, the tid alone. */
static struct spilled_actor actor_of(struct feeding *f, struct task *t, int64_t tid,
				     const char *comm)
{
	struct spilled_actor a = {.kind = RUN_TASK, .tid = (int32_t)tid};
	struct container *c;

	if (comm)
		strncpy(a.comm, comm, COMM_MAX);
	a.container = CONTAINER_UNTOLD;
	if (!t || t->only_ran)
		return a;
	a.task = task_number(f, t);
	c = task_container(f->host->model, t);
	if (c || t->ns)
		a.container = number_of(c);
	return a;
}

static struct spilled_actor waker_of(struct feeding *f, const struct on_cpu *waker)
{
	struct task *t = waker->task && waker->task->only_ran ? NULL : waker->task;
	struct spilled_actor a = {.kind = waker->kind, .tid = -1, .container = CONTAINER_UNTOLD};

	return waker->kind == RUN_TASK
		       ? actor_of(f, t, waker->tid, t && *t->comm ? t->comm : waker->comm)
		       : a;
}

static bool is_sure(struct model *m, const struct wakeup *w)
{
	if (!m->nr_losses)
		return true;
	return w->waker.is_sure && cpus_place_is_sure(m, w->task) &&
	       (w->waker.kind != RUN_TASK || cpus_place_is_sure(m, w->waker.task));
}

static struct fed_wake *wake_of(struct feeding *f, int64_t tid)
{
	struct fed_wake *w = hash_get(&f->wakes, (uint64_t)tid);

	if (w)
		return w;
	w = xcalloc(1, sizeof(*w));
	hash_put(&f->wakes, (uint64_t)tid, w);
	return w;
}

static void close_wake(struct feeding *f, struct fed_wake *w, uint64_t waited)
{
	if (!w || !w->is_open)
		return;
	w->item.wakeup.waited = waited;
	spill_add(f->spill, &w->item);
	w->is_open = false;
}

static void on_wakeup(void *ctx, struct wakeup *told)
{
	struct feeding *f = ((struct host *)ctx)->user;
	struct fed_wake *w = wake_of(f, told->tid);

	close_wake(f, w, UINT64_MAX);
	w->item = item_of(f, EXPORT_WAKEUP);
	w->item.wakeup.ns = told->ns;
	w->item.wakeup.cpu = told->waker.cpu;
	w->item.wakeup.waker = waker_of(f, &told->waker);
	w->item.wakeup.woken = actor_of(f, told->task, told->tid, told->comm);
	w->item.wakeup.unsure = !is_sure(f->host->model, told);
	w->is_open = true;
}

static void on_handover(void *ctx, const struct handover *h)
{
	struct feeding *f = ((struct host *)ctx)->user;

	delays_sched.on_handover(&f->as_delays, h);
	if (h->woken && !h->ran_since)
		close_wake(f, hash_get(&f->wakes, (uint64_t)h->next_tid), h->ns - h->woken->ns);
}

static void on_call(void *ctx, const struct call_event *c)
{
	struct feeding *f = ((struct host *)ctx)->user;

	syscalls_sched.on_call(&f->as_syscalls, c);
}

/* Of syscalls.h: a call ended, or is given up. */
static void on_call_told(void *ctx, const struct call *c, const char *name)
{
	struct feeding *f = ctx;
	struct spilled item = item_of(f, EXPORT_SYSCALL);
	const struct caller *who = c->caller;
	struct fed_task *ft = fed_task(f, who->task);

	item.call = (struct spilled_call){
		.name = name,
		.begin = c->begin,
		.duration = c->duration,
		.at = c->at,
		.ret = c->ret,
		.task = ft ? ft->number : 0,
		.container = who->is_placed ? number_of(who->container) : CONTAINER_UNTOLD,
		.tid = (int32_t)who->tid,
		.end = c->end,
		.unsure = !c->is_sure || c->end == CALL_UNSURE,
	};
	memcpy(item.call.comm, c->comm, sizeof(item.call.comm));
	if (ft && !who->is_placed)
		ft->is_untold = true;
	spill_add(f->spill, &item);
}

/* A stack is told by names as they are now: process ids, and memory, are used again. */
static void on_sample(void *ctx, const struct profile_stack *s, const struct event *ev)
{
	struct feeding *f = ctx;
	struct spilled item = item_of(f, EXPORT_SAMPLE);
	struct fed_task *ft = fed_task(f, s->task);
	char *text = stack_text(f->stacks, s);

	item.sample = (struct spilled_sample){
		.ns = ev->ns,
		.mode = ev->sample.mode,
		.period = ev->sample.period,
		.task = ft ? ft->number : 0,
		.container = s->is_placed && s->tid ? number_of(s->container) : CONTAINER_UNTOLD,
		.cpu = ev->cpu,
		.tid = (int32_t)s->tid,
		.unsure = s->task && !cpus_place_is_sure(f->host->model, s->task),
	};
	memcpy(item.sample.comm, s->comm, sizeof(item.sample.comm));
	if (ft && !s->is_placed)
		ft->is_untold = true;
	spill_add_text(f->spill, &item, text);
	free(text);
}

static void on_throttle(void *ctx, const struct throttles *t, int cpu, uint64_t ns)
{
	struct feeding *f = ((struct host *)ctx)->user;

	delays_sched.on_throttle(&f->as_delays, t, cpu, ns);
}

static void on_dump_end(void *ctx)
{
	struct feeding *f = ((struct host *)ctx)->user;

	delays_sched.on_dump_end(&f->as_delays);
}

const struct sched_callbacks feeding_sched = {
	.on_run = on_run,
	.on_handover = on_handover,
	.on_wait = on_wait,
	.on_wait_moves = on_wait_moves,
	.on_wait_ends = on_wait_ends,
	.on_block = on_block,
	.on_wakeup = on_wakeup,
	.on_call = on_call,
	.on_throttle = on_throttle,
	.on_dump_end = on_dump_end,
};

struct feeding *feeding_new(struct host *h, struct spill *spill, uint32_t number)
{
	struct feeding *f = xcalloc(1, sizeof(*f));

	f->host = h;
	f->spill = spill;
	f->number = number;
	f->delays = delays_new(h, 0);
	delays_tell(f->delays, on_wait_told, f);
	f->as_delays.user = f->delays;
	f->syscalls = syscalls_new(h, NULL);
	syscalls_tell(f->syscalls, on_call_told, f);
	f->as_syscalls.user = f->syscalls;
	if (h->offers[EV_SAMPLE])
		f->stacks = stack_texts_new(h, on_sample, f);
	return f;
}

static void free_values(struct hash *h)
{
	size_t pos = 0;
	void *v;

	while ((v = hash_next(h, &pos)))
		free(v);
	hash_free(h);
}

void feeding_free(struct feeding *f)
{
	if (!f)
		return;
	delays_free(f->delays);
	syscalls_free(f->syscalls);
	stack_texts_free(f->stacks);
	free_values(&f->tasks);
	free_values(&f->wakes);
	free_values(&f->settled);
	hash_free(&f->early_tasks);
	free(f);
}

/* What is asked of a task when all is read, if it is. */
static void settle(struct feeding *f, struct task *t, const struct fed_task *ft)
{
	struct place p = cpus_place(f->host->model, t);
	struct container *c = task_container(f->host->model, t);
	struct settled *s = xcalloc(1, sizeof(*s)), *other;

	s->number = ft->number;
	s->seen = t->seen;
	s->first = ft->has_first ? ft->first : p.known ? number_of(p.container) : CONTAINER_UNTOLD;
	s->last = c || t->ns ? number_of(c) : CONTAINER_UNTOLD;
	hash_put(&f->settled, s->number, s);
	if (t->birth || t->tid <= 0)
		return;
	other = hash_get(&f->early_tasks, (uint64_t)t->tid);
	if (!other || other->seen >= s->seen)
		hash_put(&f->early_tasks, (uint64_t)t->tid, s);
}

/* Its row in the table, and what is asked of it later: the model drops it, or all is read. */
static void conclude(struct feeding *f, struct task *t)
{
	struct spilled item = item_of(f, EXPORT_TASK);
	struct fed_task *ft = fed_task(f, t);
	struct place p = cpus_place(f->host->model, t);

	item.task.number = ft->number;
	item.task.container = p.known ? number_of(p.container) : CONTAINER_UNTOLD;
	item.task.tid = t->tid;
	item.task.pid = t->pid;
	item.task.nr_levels = t->nr_levels;
	if (t->nr_levels)
		memcpy(item.task.vtids, t->vtids, (size_t)t->nr_levels * sizeof(*t->vtids));
	item.task.unsure = task_is_unsure(f->host->model, t);
	item.task.birth = t->birth;
	item.task.death = t->death;
	memcpy(item.task.comm, t->comm, sizeof(item.task.comm));
	spill_add(f->spill, &item);
	if (ft->is_untold || !t->birth)
		settle(f, t, ft);
	hash_del(&f->tasks, (uintptr_t)t);
	free(ft);
}

/* The next task of the tid is another one's to be woken. */
static void forget_wake(struct feeding *f, const struct task *t)
{
	struct fed_wake *w = hash_get(&f->wakes, (uint64_t)t->tid);

	if (!w || w->is_open)
		return;
	hash_del(&f->wakes, (uint64_t)t->tid);
	free(w);
}

static bool may_go(void *ctx, struct task *t)
{
	struct feeding *f = ctx;
	const struct fed_task *ft = hash_get(&f->tasks, (uintptr_t)t);

	if ((ft && ft->nr_waits) || !sched_forget(f->host->sched, t) ||
	    !syscalls_forget(f->syscalls, t))
		return false;
	delays_forget(f->delays, t);
	forget_wake(f, t);
	conclude(f, t);
	return true;
}

#define TASKS_LEAST 1024

static void forget(struct feeding *f, uint64_t now)
{
	struct model *m = f->host->model;

	if (m->nr_tasks > f->most_tasks)
		f->most_tasks = m->nr_tasks;
	if (m->nr_tasks < f->forget_at || m->nr_tasks < TASKS_LEAST || now < KEEP_NS)
		return;
	model_forget(m, now - KEEP_NS, may_go, f);
	f->forget_at = 2 * m->nr_tasks;
}

void feeding_event(struct feeding *f, const struct event *ev)
{
	if (ev->kind == EV_SAMPLE)
		stack_texts_sample(f->stacks, ev);
	forget(f, ev->ns);
}

void feeding_finish(struct feeding *f)
{
	struct fed_wake *w;
	struct task *t;
	size_t pos = 0;

	delays_finish(f->delays, f->host->last);
	syscalls_finish(f->syscalls, f->host->end);
	while ((w = hash_next(&f->wakes, &pos)))
		close_wake(f, w, UINT64_MAX);
	for (t = f->host->model->tasks; t; t = t->next)
		conclude(f, t);
}

uint32_t feeding_elder(const struct feeding *f, int32_t tid)
{
	const struct settled *s = tid > 0 ? hash_get(&f->early_tasks, (uint64_t)tid) : NULL;

	return s ? s->number : 0;
}

const struct settled *feeding_settled(const struct feeding *f, uint32_t task)
{
	return task ? hash_get(&f->settled, task) : NULL;
}
