/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "base/util.h"
#include "sched.h"

#define WANTS_OF_WAITS (WANT(EV_WAKING) | WANT(EV_WAKEUP) | WANT(EV_WAKEUP_NEW))
#define WANTS_OF_RUNS                                                                              \
	(WANT(EV_IRQ_ENTRY) | WANT(EV_IRQ_EXIT) | WANT(EV_SOFTIRQ_ENTRY) | WANT(EV_SOFTIRQ_EXIT))
#define WANTS_OF_WAKERS (WANTS_OF_RUNS | WANT(EV_HRTIMER_ENTRY) | WANT(EV_HRTIMER_EXIT))
#define WANTS_OF_CALLS	(WANT(EV_SYSCALL_ENTRY) | WANT(EV_SYSCALL_EXIT))

/*
 * States of one that is switched out for good: zombie, dead, and before 4.14 a state of its own,
 * which is that of a parked thread since.
 */
#define ENDS	    0x30
#define ENDS_BEFORE 0x40

/* What a tid does. It outlives the task: the next one of that tid has it. */
struct activity {
	int tid;
	struct task *task; /* that was switched in last */
	bool runs, is_blocked, is_woken;
	uint64_t in;		 /* when it was switched in last; 0: not seen */
	int cpu;		 /* ... and where */
	struct sched_wait *wait; /* NULL: it does not */
	uint64_t left, losses;	 /* is_blocked: since when, and how many losses there had been */
	int64_t state;		 /* ... and how it left */
	struct wakeup woken;	 /* is_woken: the last since it was runnable */
	uint64_t wait_losses;	 /* how many losses there had been when its wait began */
};

struct sched {
	struct model *m;
	const struct sched_callbacks *cb;
	void *ctx;
	struct cpus *cpus;
	bool has_waking; /* else sched_wakeup, which may fire on the woken task's CPU */
	bool has_tasks;	 /* somebody asks for what tasks do */
	bool has_waits;	 /* ... and for waits or blocks */
	struct hash by_tid;
	struct sched_wait **free_waits;
	size_t nr_free, cap_free;
	struct throttles throttles;
};

uint64_t sched_wants(const struct sched_callbacks *cb)
{
	return (cb->on_run ? WANTS_OF_RUNS : 0) | (cb->on_wakeup ? WANTS_OF_WAKERS : 0) |
	       (cb->on_wakeup || cb->on_wait || cb->on_handover || cb->on_block ? WANTS_OF_WAITS
										: 0) |
	       (cb->on_wait_moves ? WANT(EV_MIGRATE) : 0) | (cb->on_call ? WANTS_OF_CALLS : 0) |
	       (cb->on_throttle ? throttles_wants() : 0);
}

static void on_run(void *ctx, const struct run *run)
{
	const struct sched *s = ctx;

	s->cb->on_run(s->ctx, run);
}

struct sched *sched_new(struct model *m, const struct sched_callbacks *cb, void *ctx)
{
	struct sched *s = xcalloc(1, sizeof(*s));

	s->m = m;
	s->cb = cb;
	s->ctx = ctx;
	s->cpus = cpus_new(m, cb->on_run ? on_run : NULL, s);
	cpus_keep_now(s->cpus, cb->on_wakeup || cb->on_wait || cb->on_block || cb->on_call,
		      cb->on_wakeup || cb->on_call);
	s->has_waking = m->offers[EV_WAKING];
	s->has_waits = cb->on_wait || cb->on_wait_ends || cb->on_block;
	s->has_tasks =
		cb->on_handover || cb->on_wait || cb->on_wait_ends || cb->on_block || cb->on_wakeup;
	return s;
}

void sched_free(struct sched *s)
{
	struct activity *a;
	size_t pos = 0;

	if (!s)
		return;
	while ((a = hash_next(&s->by_tid, &pos))) {
		free(a->wait);
		free(a);
	}
	hash_free(&s->by_tid);
	throttles_free(&s->throttles);
	while (s->nr_free)
		free(s->free_waits[--s->nr_free]);
	free(s->free_waits);
	cpus_free(s->cpus);
	free(s);
}

struct cpus *sched_cpus(struct sched *s)
{
	return s->cpus;
}

/* @t: the model's task of that tid, which finds it faster, or NULL. */
static struct activity *activity_of(struct sched *s, int64_t tid, struct task *t)
{
	struct activity *a = t ? t->activity : NULL;

	if (a)
		return a;
	a = hash_get(&s->by_tid, (uint64_t)tid);
	if (!a) {
		a = xcalloc(1, sizeof(*a));
		a->tid = (int)tid;
		hash_put(&s->by_tid, (uint64_t)tid, a);
	}
	if (t)
		t->activity = a;
	return a;
}

/*
 * Whether lost events may be of the begin of a wait: while they are lost; and if nothing was seen
 * since of one that is woken, it may have been woken before, or run already.
 */
static bool is_begin_unsure(const struct model *m, const struct task *t, uint64_t now, bool woken)
{
	uint64_t until = m->loss_until;

	if (!m->nr_losses)
		return false;
	return now <= until ||
	       (woken && !(t && (t->ran > until || (t->forked && t->birth > until))));
}

static void begin_wait(struct sched *s, struct activity *a, struct task *t, enum wait_reason reason,
		       int cpu, const struct event *ev)
{
	struct sched_wait *w = s->nr_free ? s->free_waits[--s->nr_free] : xcalloc(1, sizeof(*w));

	w->task = t;
	w->tid = a->tid;
	w->reason = reason;
	w->cpu = cpu;
	w->told_on = ev->cpu;
	w->ended_on = -1;
	w->begin = ev->ns;
	w->end = UINT64_MAX;
	w->unsure = is_begin_unsure(s->m, t, ev->ns, reason != WAIT_PREEMPTED);
	w->unfinished = false;
	w->may_run = a->runs && a->task == t;
	w->user = NULL;
	if (reason != WAIT_PREEMPTED)
		w->woken = a->woken;
	a->wait = w;
	a->wait_losses = s->m->nr_losses;
	if (s->cb->on_wait)
		s->cb->on_wait(s->ctx, w);
}

/* @cpu: -1 if not told. */
static void move_wait(struct sched *s, struct sched_wait *w, int cpu, const struct event *ev)
{
	int from = w->cpu;

	if (w->cpu == cpu || cpu < 0)
		return;
	w->cpu = cpu;
	w->told_on = ev->cpu;
	if (s->cb->on_wait_moves)
		s->cb->on_wait_moves(s->ctx, w, from, ev->ns);
}

/* Up to sched_switch, or to what tells that its being switched in was lost. */
static void end_wait(struct sched *s, struct activity *a, uint64_t now, int on, bool seen)
{
	struct sched_wait *w = a->wait;

	a->wait = NULL;
	w->end = now;
	w->ended_on = on;
	/* While events are lost, one that waits may have run, on whatever CPU they are lost. */
	if (!seen || a->wait_losses != s->m->nr_losses)
		w->unsure = true;
	if (s->cb->on_wait_ends)
		s->cb->on_wait_ends(s->ctx, w);
}

static void forget_wait(struct sched *s, struct sched_wait *w)
{
	s->free_waits = grow(s->free_waits, s->nr_free, &s->cap_free, sizeof(*s->free_waits));
	s->free_waits[s->nr_free++] = w;
}

/* @b: how it ended. */
static void end_block(struct sched *s, struct activity *a, struct task *t, struct block b)
{
	if (!s->cb->on_block)
		return;
	b.task = t;
	b.tid = a->tid;
	b.state = a->is_blocked ? a->state : ABSENT;
	b.begin = a->is_blocked ? a->left : 0;
	b.unsure = a->is_blocked ? a->losses != s->m->nr_losses : s->m->nr_losses;
	s->cb->on_block(s->ctx, &b);
}

static enum leaving leaving_of(const struct task *t, int64_t state)
{
	if (prev_is_runnable(state))
		return LEFT_RUNNABLE;
	if (state == ABSENT)
		return t && t->exited ? LEFT_DEAD : LEFT_BLOCKED;
	if (state & ENDS || (t && t->exited && state & ENDS_BEFORE))
		return LEFT_DEAD;
	return LEFT_BLOCKED;
}

/* What is told of the one that leaves. */
static void leave(struct sched *s, const struct event *ev, struct handover *h)
{
	struct activity *a = activity_of(s, h->prev_tid, h->prev);

	h->left = leaving_of(h->prev, h->prev_state);
	h->prev_in = a->runs ? a->in : 0;
	/* It ran, so its being switched in was lost. */
	if (a->wait) {
		struct sched_wait *w = a->wait;

		end_wait(s, a, ev->ns, ev->cpu, false);
		forget_wait(s, w);
	}
	a->runs = false;
	/* Where its being switched in was lost, it is another one than came last. */
	a->task = h->prev;
	a->is_blocked = h->left == LEFT_BLOCKED;
	a->left = ev->ns;
	a->losses = s->m->nr_losses;
	a->state = h->prev_state;
	/*
	 * A task may be woken after it decided to sleep and before it does: then it leaves its CPU
	 * asleep, and comes back; or it never leaves, and that wakeup is over.
	 */
	if (h->left == LEFT_RUNNABLE)
		a->is_woken = false;
	if (h->left == LEFT_RUNNABLE && ev->cpu >= 0 && s->has_waits)
		begin_wait(s, a, h->prev, WAIT_PREEMPTED, ev->cpu, ev);
}

/* ... and of the one that comes; its wait is to be forgotten by the caller. */
static void arrive(struct sched *s, const struct event *ev, struct handover *h, struct activity *a)
{
	h->wait = a->wait;
	if (a->is_woken) {
		h->woken = &a->woken;
		h->ran_since = s->m->nr_losses && s->m->loss_until >= a->woken.ns;
	}
	if (a->wait)
		end_wait(s, a, ev->ns, ev->cpu, true);
	else if (!a->runs)
		end_block(s, a, h->next, (struct block){.end = ev->ns});
	a->is_blocked = a->is_woken = false;
	a->runs = true;
	a->in = ev->ns;
	a->cpu = ev->cpu;
	a->task = h->next;
}

static void on_switch(struct sched *s, const struct event *ev)
{
	struct handover h = {
		.ns = ev->ns,
		.cpu = ev->cpu,
		.prev_tid = ev->sw.prev_tid,
		.next_tid = ev->sw.next_tid,
		.prev = s->m->left,
		.next = s->m->came,
		.prev_state = ev->sw.prev_state,
	};
	struct sched_wait *over = NULL;

	if (h.prev_tid > 0)
		leave(s, ev, &h);
	if (h.next_tid > 0) {
		struct activity *a = activity_of(s, h.next_tid, h.next);

		over = a->wait;
		arrive(s, ev, &h, a);
	}
	if (s->cb->on_handover)
		s->cb->on_handover(s->ctx, &h);
	if (over)
		forget_wait(s, over);
}

static void note_wakeup(struct sched *s, struct activity *a, struct task *t, const struct event *ev)
{
	a->is_woken = true;
	a->woken = (struct wakeup){
		.ns = ev->ns,
		.task = t,
		.tid = a->tid,
		.comm = ev->wake.comm,
		.is_new = ev->kind == EV_WAKEUP_NEW,
		.waker = cpus_now(s->cpus, ev->cpu, ev->ns),
	};
	if (s->cb->on_wakeup)
		s->cb->on_wakeup(s->ctx, &a->woken);
	a->woken.comm = NULL;
	a->woken.waker.comm = NULL;
}

static bool runs(const struct sched *s, const struct activity *a, const struct task *t,
		 uint64_t now)
{
	if (!a->runs || a->task != t)
		return false;
	return !s->cb->with_doubtful_waits || cpus_there(s->cpus, a->cpu, now) == a->tid;
}

/*
 * A task that still runs does not wait. If it is about to block, the kernel's
 * sched_wakeup comes once it did; else it is switched out runnable, or not at all.
 */
static void on_wake(struct sched *s, const struct event *ev)
{
	int cpu = cpu_of_trace((uint64_t)ev->wake.target_cpu);
	struct activity *a;
	struct task *t;

	if (ev->wake.tid <= 0)
		return;
	t = model_runner(s->m, ev->wake.tid);
	a = activity_of(s, ev->wake.tid, t);
	if (ev->kind != EV_WAKEUP || !s->has_waking)
		note_wakeup(s, a, t, ev);
	if (cpu < 0 || !s->has_waits || runs(s, a, t, ev->ns))
		return;
	if (a->wait) {
		move_wait(s, a->wait, cpu, ev);
		return;
	}
	if (ev->kind != EV_WAKEUP_NEW)
		end_block(s, a, t,
			  (struct block){.end = ev->ns, .by = a->is_woken ? &a->woken : NULL});
	if (!a->is_woken)
		a->woken = (struct wakeup){.ns = ev->ns,
					   .task = t,
					   .tid = a->tid,
					   .waker = {.kind = RUN_UNKNOWN, .cpu = -1, .tid = -1}};
	begin_wait(s, a, t, ev->kind == EV_WAKEUP_NEW ? WAIT_NEW : WAIT_WOKEN, cpu, ev);
	a->is_blocked = a->runs = false;
}

static void on_migrate(struct sched *s, const struct event *ev)
{
	const struct activity *a =
		ev->migrate.tid > 0 ? hash_get(&s->by_tid, (uint64_t)ev->migrate.tid) : NULL;

	if (a && a->wait)
		move_wait(s, a->wait, cpu_of_trace((uint64_t)ev->migrate.dest_cpu), ev);
}

/* A task that ended under a wait: its being switched in was lost. */
static void on_exit_event(struct sched *s, int64_t tid, uint64_t now)
{
	struct activity *a = tid > 0 ? hash_get(&s->by_tid, (uint64_t)tid) : NULL;
	struct sched_wait *w = a ? a->wait : NULL;

	if (w) {
		end_wait(s, a, now, -1, false);
		forget_wait(s, w);
	}
	if (a && a->is_blocked)
		end_block(s, a, a->task, (struct block){.end = now, .died = true});
	if (a)
		a->is_blocked = a->is_woken = false;
}

/* A thread that is not the first takes over the first one's tid, and runs on. */
static void on_exec(struct sched *s, const struct event *ev)
{
	struct activity *a, *old;

	if (ev->exec.old_tid <= 0 || ev->exec.tid <= 0 || ev->exec.old_tid == ev->exec.tid)
		return;
	old = hash_get(&s->by_tid, (uint64_t)ev->exec.old_tid);
	if (!old || !old->runs)
		return;
	a = activity_of(s, ev->exec.tid, NULL);
	a->runs = true;
	a->in = old->in;
	a->cpu = old->cpu;
	a->task = model_runner(s->m, ev->exec.tid);
	old->runs = false;
}

/* The task that had the tid before did not tell of its end. */
static void on_fork(struct sched *s, const struct event *ev)
{
	struct activity *a =
		ev->fork.child_tid > 0 ? hash_get(&s->by_tid, (uint64_t)ev->fork.child_tid) : NULL;

	if (!a)
		return;
	on_exit_event(s, ev->fork.child_tid, ev->ns);
	a->runs = false;
	a->task = NULL;
}

static void on_task_event(struct sched *s, const struct event *ev)
{
	switch (ev->kind) {
	case EV_SWITCH:
		on_switch(s, ev);
		break;
	case EV_WAKING:
	case EV_WAKEUP:
	case EV_WAKEUP_NEW:
		on_wake(s, ev);
		break;
	case EV_MIGRATE:
		on_migrate(s, ev);
		break;
	case EV_EXIT:
		on_exit_event(s, ev->task.tid, ev->ns);
		break;
	case EV_EXEC:
		on_exec(s, ev);
		break;
	case EV_FORK:
		on_fork(s, ev);
		break;
	default:
		break;
	}
}

static void call_step(const struct sched *s, enum call_step step, int64_t tid, int64_t old_tid,
		      const struct event *ev)
{
	const struct call_event c = {
		.step = step, .ns = ev->ns, .cpu = ev->cpu, .tid = tid, .old_tid = old_tid};

	s->cb->on_call(s->ctx, &c);
}

static void on_syscall(const struct sched *s, const struct event *ev)
{
	struct on_cpu now = cpus_now(s->cpus, ev->cpu, ev->ns);
	bool in_event = ev->syscall.tid != ABSENT;
	const struct call_event c = {
		.step = ev->kind == EV_SYSCALL_ENTRY ? CALL_BEGINS : CALL_RETURNS,
		.ns = ev->ns,
		.cpu = ev->cpu,
		.tid = in_event ? ev->syscall.tid : now.tid,
		.is_sure = in_event || !s->m->nr_losses || now.is_sure,
		.comm = in_event && ev->syscall.tid != now.tid ? "" : now.comm,
		.name = ev->syscall.name,
		.ret = ev->syscall.ret,
	};

	s->cb->on_call(s->ctx, &c);
}

static void on_call_event(const struct sched *s, const struct event *ev)
{
	switch (ev->kind) {
	case EV_SYSCALL_ENTRY:
	case EV_SYSCALL_EXIT:
		on_syscall(s, ev);
		break;
	case EV_EXEC:
		if (ev->exec.old_tid > 0 && ev->exec.tid > 0 && ev->exec.old_tid != ev->exec.tid)
			call_step(s, CALL_MOVES, ev->exec.tid, ev->exec.old_tid, ev);
		break;
	case EV_EXIT:
		call_step(s, CALL_IS_DEAD, ev->task.tid, ABSENT, ev);
		break;
	default:
		break;
	}
}

static void on_throttle_event(struct sched *s, const struct event *ev)
{
	if (ev->kind != EV_THROTTLE && ev->kind != EV_UNTHROTTLE)
		return;
	throttles_event(&s->throttles, s->m, ev);
	if (ev->throttle.target_cpu >= 0 && ev->throttle.target_cpu < CPUS_MAX)
		s->cb->on_throttle(s->ctx, &s->throttles, (int)ev->throttle.target_cpu, ev->ns);
}

void sched_event(struct sched *s, const struct event *ev, uint64_t begin)
{
	/* The waker of a wakeup, and who calls, are those of before the event. */
	cpus_event(s->cpus, ev, begin);
	if (s->has_tasks)
		on_task_event(s, ev);
	if (s->cb->on_call)
		on_call_event(s, ev);
	if (s->cb->on_throttle)
		on_throttle_event(s, ev);
	if (ev->kind == EV_DUMP_END && s->cb->on_dump_end)
		s->cb->on_dump_end(s->ctx);
}

void sched_loss(struct sched *s, const struct loss *loss)
{
	cpus_loss(s->cpus, loss);
	if (!s->cb->on_throttle || !s->throttles.nr)
		return;
	throttles_loss(&s->throttles, s->m);
	s->cb->on_throttle(s->ctx, &s->throttles, -1, s->m->now);
}

/* What the next task of that tid may go on with stays. @t may stay as well: somebody else needs it.
 */
static void forget_activity(struct sched *s, struct activity *a, struct task *t)
{
	const struct task *now = model_runner(s->m, a->tid);

	if (a->task == t)
		a->task = NULL;
	if (a->woken.task == t)
		a->woken.task = NULL;
	if (a->wait || a->task || a->runs || a->is_blocked || a->is_woken || (now && now != t))
		return;
	hash_del(&s->by_tid, (uint64_t)a->tid);
	t->activity = NULL;
	free(a);
}

bool sched_forget(struct sched *s, struct task *t)
{
	struct activity *a = hash_get(&s->by_tid, (uint64_t)t->tid);

	if (cpus_need(s->cpus, t))
		return false;
	if (a && ((a->wait && a->wait->task == t) || (a->runs && a->task == t)))
		return false;
	/* Also where another one waits, who has the tid by now. */
	if (a)
		forget_activity(s, a, t);
	return true;
}

void sched_forget_throttles(struct sched *s, uint64_t before)
{
	throttles_forget(&s->throttles, s->m, before);
}

void sched_keep(const struct sched *s, struct sweep *sweep)
{
	cpus_keep(s->cpus, sweep);
}

/* The trace ends under it. */
static void cut_short(struct sched *s, struct activity *a, uint64_t end)
{
	if (a->wait) {
		a->wait->unfinished = true;
		a->wait->ended_on = -1;
		if (a->wait_losses != s->m->nr_losses)
			a->wait->unsure = true;
		a->wait->end = end;
		if (s->cb->on_wait_ends)
			s->cb->on_wait_ends(s->ctx, a->wait);
	} else if (a->is_blocked) {
		end_block(s, a, model_runner(s->m, a->tid),
			  (struct block){.end = end, .unfinished = true});
	}
}

void sched_finish(struct sched *s, uint64_t begin, uint64_t end)
{
	struct activity *a;
	size_t pos = 0;

	if (s->cb->on_run)
		cpus_finish(s->cpus, begin, end);
	while ((a = hash_next(&s->by_tid, &pos)))
		cut_short(s, a, end);
}
