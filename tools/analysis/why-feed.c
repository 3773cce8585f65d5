/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "why-int.h"
#include "base/util.h"

/*
 * States of one that is switched out for good: zombie, dead, and before 4.14 a state of its own,
 * which is that of a parked thread since.
 */
#define ENDS	    0x30
#define ENDS_BEFORE 0x40

uint64_t why_wants(void)
{
	return WANT(EV_WAKING) | WANT(EV_WAKEUP) | WANT(EV_WAKEUP_NEW) | WANT(EV_MIGRATE) |
	       WANT(EV_IRQ_ENTRY) | WANT(EV_IRQ_EXIT) | WANT(EV_SOFTIRQ_ENTRY) |
	       WANT(EV_SOFTIRQ_EXIT) | WANT(EV_SOFTIRQ_RAISE) | WANT(EV_HRTIMER_ENTRY) |
	       WANT(EV_HRTIMER_EXIT) | WANT(EV_SYSCALL_ENTRY) | WANT(EV_SYSCALL_EXIT) |
	       WANT(EV_BLOCK_RQ_COMPLETE) | WANT(EV_BLOCK_BIO_COMPLETE) | WANT(EV_SIGNAL_GENERATE) |
	       WANT(EV_RECLAIM_BEGIN) | WANT(EV_RECLAIM_END) | WANT(EV_MEMCG_RECLAIM_BEGIN) |
	       WANT(EV_MEMCG_RECLAIM_END) | WANT(EV_DUMP_BLOCK_DEVICE);
}

static enum life_state state_after(const struct life *l, int64_t prev_state)
{
	if (prev_is_runnable(prev_state))
		return LIFE_WAITS;
	if (prev_state != ABSENT &&
	    (prev_state & ENDS || (l->task->exited && prev_state & ENDS_BEFORE)))
		return LIFE_DEAD;
	return LIFE_BLOCKED;
}

static int target_of(const struct event *ev)
{
	int64_t cpu = ev->wake.target_cpu;

	return cpu < 0 || cpu >= CPUS_MAX ? ev->cpu : (int)cpu;
}

/* Before the state dump comes to a thread it is known by its tid alone, and not at all until it
 * runs. */
static void keep_first_wake(struct why *w, const struct event *ev)
{
	uint64_t tid = (uint64_t)ev->wake.tid;
	struct first_wake *first = hash_get(&w->first_wakes, tid);

	/* It is queued by the first, and moved by others. */
	if (ev->wake.tid <= 0 || first)
		return;
	first = xcalloc(1, sizeof(*first));
	*first = (struct first_wake){ev->ns, wake_source_of(&w->contexts, ev), target_of(ev)};
	hash_put(&w->first_wakes, tid, first);
}

static void recall_first_wake(struct why *w, struct life *l)
{
	struct first_wake *first = hash_get(&w->first_wakes, (uint64_t)l->task->tid);

	if (!first)
		return;
	if (l->state == LIFE_UNSEEN && first->ns >= l->until)
		life_is_woken(w, l, first->ns, &first->by, first->cpu, -1);
	hash_del(&w->first_wakes, (uint64_t)l->task->tid);
	free(first);
}

static void on_switch(struct why *w, const struct event *ev)
{
	struct life *prev = why_life(w, ev->sw.prev_tid), *next = why_life(w, ev->sw.next_tid);

	if (prev)
		life_leaves(w, prev, ev->ns, state_after(prev, ev->sw.prev_state), ev->cpu);
	if (next && next->state == LIFE_UNSEEN)
		recall_first_wake(w, next);
	if (next)
		life_arrives(w, next, ev->ns, ev->cpu);
}

/* A child's end wakes its parent, and so do the pipes that are closed by it. */
static bool is_end_of_child(const struct why *w, const struct life *l, int64_t tid)
{
	const struct task *t = model_runner(w->m, tid);

	return t && t->exited && t->ppid > 0 && t->ppid == l->task->pid;
}

static void on_waking(struct why *w, struct life *l, const struct event *ev)
{
	struct wake_source by = wake_source_of(&w->contexts, ev);

	if (by.by == WAKE_BY_TASK && is_end_of_child(w, l, by.tid))
		by.how = WAKE_EXIT;
	life_is_woken(w, l, ev->ns, &by, target_of(ev), ev->cpu);
}

static const struct wake_source *early_of(const struct why *w, const struct life *l)
{
	static const struct wake_source unknown = {.by = WAKE_BY_UNKNOWN};

	return l->early_told == w->m->nr_losses + 1 ? &l->early : &unknown;
}

/*
 * One that was about to block when it was woken is queued when it did. Where sched_waking is not
 * recorded, there is nothing else.
 */
static void on_wakeup(struct why *w, struct life *l, const struct event *ev)
{
	if (!w->h->offers[EV_WAKING])
		on_waking(w, l, ev);
	else if (l->state == LIFE_WAITS)
		life_moves(w, l, ev->ns, target_of(ev));
	else if (l->state != LIFE_RUNS)
		life_is_woken(w, l, ev->ns, early_of(w, l), target_of(ev), -1);
}

static void on_wake(struct why *w, const struct event *ev)
{
	struct life *l = why_life(w, ev->wake.tid);

	if (ev->cpu < 0)
		return;
	if (!l)
		keep_first_wake(w, ev);
	else if (ev->kind == EV_WAKEUP)
		on_wakeup(w, l, ev);
	else
		on_waking(w, l, ev);
}

static void on_migrate(struct why *w, const struct event *ev)
{
	struct life *l = why_life(w, ev->migrate.tid);

	if (l && ev->migrate.dest_cpu >= 0 && ev->migrate.dest_cpu < CPUS_MAX)
		life_moves(w, l, ev->ns, (int)ev->migrate.dest_cpu);
}

static void on_fork(struct why *w, const struct event *ev)
{
	struct life *l = why_life(w, ev->fork.child_tid);

	/* It may have been told of before, if the order of lost events is odd. */
	if (l && l->state == LIFE_UNSEEN)
		life_was_born(l, why_life(w, ev->fork.parent_tid), ev->ns);
}

/* A thread that is not the first takes over the first one's life, under its tid. */
static void on_exec(struct why *w, const struct event *ev)
{
	struct life *first, *thread;

	if (ev->exec.old_tid <= 0 || ev->exec.old_tid == ev->exec.tid)
		return;
	first = why_life(w, ev->exec.tid);
	thread = hash_get(&w->by_task, (uintptr_t)model_task(w->m, ev->exec.old_tid));
	if (thread && thread != first)
		life_ends(w, thread, ev->ns);
	if (first)
		life_revives(w, first, ev->ns, ev->cpu);
}

static struct life *caller_of(struct why *w, const struct event *ev)
{
	bool is_call = ev->kind == EV_SYSCALL_ENTRY || ev->kind == EV_SYSCALL_EXIT;

	return why_life(w, is_call && ev->syscall.tid != ABSENT
				   ? ev->syscall.tid
				   : wake_contexts_tid(&w->contexts, ev->cpu));
}

static void on_own_doing(struct why *w, const struct event *ev)
{
	struct life *l = caller_of(w, ev);

	if (!l)
		return;
	switch (ev->kind) {
	case EV_SYSCALL_ENTRY:
	case EV_SYSCALL_EXIT:
		l->calls_told = w->m->nr_losses + 1;
		l->call = ev->kind == EV_SYSCALL_ENTRY ? ev->syscall.name : NULL;
		break;
	case EV_RECLAIM_BEGIN:
	case EV_MEMCG_RECLAIM_BEGIN:
		l->reclaim_told = w->m->nr_losses + 1;
		break;
	default:
		l->reclaim_told = 0;
		break;
	}
}

static void on_disk(struct why *w, const struct event *ev)
{
	uint64_t dev = (uint64_t)ev->device.dev;

	if (ev->device.dev == ABSENT || !ev->device.name)
		return;
	free(hash_get(&w->disks, dev));
	hash_put(&w->disks, dev, xstrdup(ev->device.name));
}

/* A thread that is being woken is queued nowhere yet: whether it goes on with its last wakeup. */
static bool is_of_wake(struct last_wake *last, const struct event *ev)
{
	const struct task *t = last->life->task;
	int64_t cpu;

	switch (ev->kind) {
	case EV_WAKEUP:
		cpu = target_of(ev);
		break;
	case EV_MIGRATE:
		cpu = ev->migrate.dest_cpu;
		break;
	case EV_SIGNAL_GENERATE:
		if (last->by.how == WAKE_PLAIN && ev->signal.tid > 0 &&
		    (ev->signal.tid == t->tid || ev->signal.tid == t->pid))
			last->by.how = WAKE_SIGNAL;
		return false;
	default:
		return false;
	}
	if ((ev->kind == EV_WAKEUP ? ev->wake.tid : ev->migrate.tid) != t->tid || cpu < 0 ||
	    cpu >= CPUS_MAX)
		return false;
	last->life->cpu = (int)cpu;
	return true;
}

/* The kernel tells of a signal after it has woken whom that was for. */
static bool goes_on(struct why *w, const struct event *ev)
{
	struct last_wake *last = ev->cpu < 0 ? NULL : hash_get(&w->last_wakes, (uint64_t)ev->cpu);

	if (!last || !last->life)
		return false;
	if (is_of_wake(last, ev))
		return true;
	life_settles(w, last->life);
	return false;
}

static void take_in(struct why *w, const struct event *ev)
{
	switch (ev->kind) {
	case EV_SWITCH:
		on_switch(w, ev);
		break;
	case EV_WAKING:
	case EV_WAKEUP:
	case EV_WAKEUP_NEW:
		on_wake(w, ev);
		break;
	case EV_MIGRATE:
		on_migrate(w, ev);
		break;
	case EV_FORK:
		on_fork(w, ev);
		break;
	case EV_EXEC:
		on_exec(w, ev);
		break;
	case EV_SYSCALL_ENTRY:
	case EV_SYSCALL_EXIT:
	case EV_RECLAIM_BEGIN:
	case EV_RECLAIM_END:
	case EV_MEMCG_RECLAIM_BEGIN:
	case EV_MEMCG_RECLAIM_END:
		on_own_doing(w, ev);
		break;
	case EV_DUMP_BLOCK_DEVICE:
		on_disk(w, ev);
		break;
	default:
		break;
	}
}

void why_event(struct why *w, const struct event *ev)
{
	if (!goes_on(w, ev))
		take_in(w, ev);
	wake_contexts_event(&w->contexts, ev);
}

/* Who ran there may run no more; that it did up to the loss is told. */
static void lose_cpu(struct why *w, int cpu)
{
	struct life *l = why_life(w, wake_contexts_tid(&w->contexts, cpu));

	if (l && l->state == LIFE_RUNS && l->cpu == cpu)
		l->state = LIFE_LOST;
}

void why_loss(struct why *w, const struct loss *loss)
{
	struct last_wake *last;
	size_t pos = 0, i;

	while ((last = hash_next(&w->last_wakes, &pos)))
		if (last->life)
			life_settles(w, last->life);
	if (loss->may_switch && loss->cpu >= 0)
		lose_cpu(w, loss->cpu);
	for (i = 0; loss->may_switch && loss->cpu < 0 && i < w->contexts.nr; i++)
		lose_cpu(w, (int)i);
	wake_contexts_loss(&w->contexts, loss);
}
