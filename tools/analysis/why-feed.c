/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "why-int.h"
#include "base/util.h"

/* The kernel's names have room for no more. */
#define DISK_NAME_MAX 32

/*
 * How lives are fed. That threads run, wait, are woken and call is told by sched.h, of which three
 * callbacks make all of a life's states: on_handover (it leaves, it arrives), on_wait (it is woken)
 * and on_wait_moves. Three things more are worked out here:
 *
 * By whom. What a wakeup is the doing of depends on the interrupt in which it happens, of which
 * wake-context.h knows. on_wakeup asks for that, and leaves it in the life (woken); on_wait comes
 * at once, or, of a thread that was woken before it slept, when it does: then it takes what
 * was left, unless events were lost since.
 *
 * A signal. The kernel tells signal_generate after the wakeup that it causes, on the same CPU, and
 * between the two nothing but where the woken is queued. So what a thread waited for up to a
 * wakeup by a task stays open (struct last_wake, one of each CPU) until something else is told
 * there: settle_last() is the first that each callback does. As no handover can be in between, the
 * waker still is who it was.
 *
 * One that is not known yet. Before the state dump comes to a thread it is a tid alone, and nobody
 * until it runs. By whom such a wait began is kept (first_wake), and told when it ends.
 */

uint64_t why_wants(void)
{
	return WANT(EV_SOFTIRQ_RAISE) | WANT(EV_BLOCK_RQ_INSERT) | WANT(EV_BLOCK_RQ_ISSUE) |
	       WANT(EV_BLOCK_RQ_REQUEUE) | WANT(EV_BLOCK_RQ_COMPLETE) |
	       WANT(EV_BLOCK_BIO_COMPLETE) | WANT(EV_BLOCK_CHARGE) | WANT(EV_SIGNAL_GENERATE) |
	       WANT(EV_RECLAIM_BEGIN) | WANT(EV_DIRTY_PAUSE) | WANT(EV_RECLAIM_END) |
	       WANT(EV_MEMCG_RECLAIM_BEGIN) | WANT(EV_MEMCG_RECLAIM_END) |
	       WANT(EV_DUMP_BLOCK_DEVICE) | WANT(EV_LOCK_BEGIN) | WANT(EV_LOCK_END);
}

static const struct wake_source unknown = {.by = WAKE_BY_UNKNOWN};

static struct why *why_of(void *ctx)
{
	return ((struct host *)ctx)->user;
}

static struct last_wake *last_wake_on(const struct why *w, int cpu)
{
	struct last_wake *last = cpu < 0 ? NULL : hash_get(&w->last_wakes, (uint64_t)cpu);

	return last && last->life ? last : NULL;
}

static void settle_last(struct why *w, int cpu)
{
	struct last_wake *last = last_wake_on(w, cpu);

	if (last)
		life_settles(w, last->life);
}

static void on_run(void *ctx, const struct run *run)
{
	why_run(why_of(ctx), run);
}

/* A child's end wakes its parent, and so do the pipes that are closed by it. */
static bool is_end_of_child(const struct why *w, const struct life *l, int64_t tid)
{
	const struct task *t = model_runner(w->m, tid);

	return t && t->exited && t->ppid > 0 && t->ppid == l->task->pid;
}

static void on_wakeup(void *ctx, struct wakeup *wakeup)
{
	struct why *w = why_of(ctx);
	struct life *l = why_life_of(w, wakeup->task);

	settle_last(w, wakeup->waker.cpu);
	w->waking = wake_source_of(&w->contexts, &wakeup->waker);
	if (!l)
		return;
	if (w->waking.by == WAKE_BY_TASK && is_end_of_child(w, l, w->waking.tid))
		w->waking.how = WAKE_EXIT;
	l->woken = w->waking;
	l->woken_told = w->m->nr_losses + 1;
}

static bool is_woken_now(const struct sched_wait *wait)
{
	return wait->woken.ns == wait->begin && wait->woken.waker.cpu == wait->told_on;
}

static void keep_first_wake(struct why *w, struct sched_wait *wait)
{
	struct first_wake *first = hash_get(&w->first_wakes, (uint64_t)wait->tid);

	if (!first) {
		first = xcalloc(1, sizeof(*first));
		hash_put(&w->first_wakes, (uint64_t)wait->tid, first);
	}
	first->by = is_woken_now(wait) ? w->waking : unknown;
	first->cpu = wait->cpu;
	wait->user = first;
}

static void on_wait(void *ctx, struct sched_wait *wait)
{
	struct why *w = why_of(ctx);
	bool now = is_woken_now(wait), is_told;
	struct life *l;

	/* on_handover tells, too. */
	if (wait->reason == WAIT_PREEMPTED)
		return;
	settle_last(w, wait->told_on);
	l = why_life_of(w, wait->task);
	if (!l) {
		keep_first_wake(w, wait);
		return;
	}
	is_told = wait->woken.waker.cpu >= 0 && l->woken_told == w->m->nr_losses + 1;
	life_is_woken(w, l, wait->begin, is_told ? &l->woken : &unknown, wait->cpu,
		      now ? wait->told_on : -1);
}

static void on_wait_moves(void *ctx, struct sched_wait *wait, int from, uint64_t ns)
{
	struct why *w = why_of(ctx);
	struct first_wake *first = wait->user;
	const struct last_wake *last = last_wake_on(w, wait->told_on);
	struct life *l = why_life(w, wait->tid);

	(void)from;
	if (first)
		first->cpu = wait->cpu;
	/* One that is being woken is queued nowhere yet. */
	if (last && last->life == l) {
		life_waits_for(w, l, wait->cpu);
		return;
	}
	settle_last(w, wait->told_on);
	if (l)
		life_moves(w, l, ns, wait->cpu);
}

static void recall_first_wake(struct why *w, struct life *l, const struct sched_wait *wait)
{
	struct first_wake *first = wait ? wait->user : NULL;

	if (!first)
		return;
	if (l->state == LIFE_UNSEEN && wait->begin >= l->until)
		life_is_woken(w, l, wait->begin, &first->by, first->cpu, -1);
	hash_del(&w->first_wakes, (uint64_t)wait->tid);
	free(first);
}

static enum life_state state_after(enum leaving left)
{
	return left == LEFT_RUNNABLE ? LIFE_WAITS : left == LEFT_BLOCKED ? LIFE_BLOCKED : LIFE_DEAD;
}

static void on_handover(void *ctx, const struct handover *h)
{
	struct why *w = why_of(ctx);
	struct life *prev = why_life_of(w, h->prev), *next = why_life_of(w, h->next);

	settle_last(w, h->cpu);
	wake_contexts_switch(&w->contexts, h->cpu);
	if (prev)
		life_leaves(w, prev, h->ns, state_after(h->left), h->cpu);
	if (!next)
		return;
	recall_first_wake(w, next, h->wait);
	life_arrives(w, next, h->ns, h->cpu);
}

/* A thread that is not the first takes over the first one's life, under its tid. */
static void on_exec(struct why *w, const struct call_event *c)
{
	struct life *first = why_life(w, c->tid);
	struct life *thread = hash_get(&w->by_task, (uintptr_t)model_task(w->m, c->old_tid));

	if (thread && thread != first)
		life_ends(w, thread, c->ns);
	if (first)
		life_revives(w, first, c->ns, c->cpu);
}

static void on_call(void *ctx, const struct call_event *c)
{
	struct why *w = why_of(ctx);
	struct life *l;

	settle_last(w, c->cpu);
	switch (c->step) {
	case CALL_BEGINS:
	case CALL_RETURNS:
		l = why_life(w, c->tid);
		if (!l)
			break;
		l->calls_told = w->m->nr_losses + 1;
		l->call = c->step == CALL_BEGINS ? c->name : NULL;
		break;
	case CALL_MOVES:
		on_exec(w, c);
		break;
	case CALL_IS_DEAD:
		break;
	}
}

static void on_throttle(void *ctx, const struct throttles *t, int cpu, uint64_t ns)
{
	(void)cpu;
	(void)ns;
	why_of(ctx)->throttles = t;
}

const struct sched_callbacks why_sched = {
	.with_doubtful_waits = true,
	.on_run = on_run,
	.on_handover = on_handover,
	.on_wait = on_wait,
	.on_wait_moves = on_wait_moves,
	.on_wakeup = on_wakeup,
	.on_call = on_call,
	.on_throttle = on_throttle,
};

static void on_fork(struct why *w, const struct event *ev)
{
	struct life *l = why_life(w, ev->fork.child_tid);

	/* It may have been told of before, if the order of lost events is odd. */
	if (l && l->state == LIFE_UNSEEN)
		life_was_born(l, why_life(w, ev->fork.parent_tid), ev->ns);
}

static int64_t tid_on(const struct why *w, const struct event *ev)
{
	return cpus_now(w->h->cpus, ev->cpu, ev->ns).tid;
}

static void on_reclaim(struct why *w, const struct event *ev, bool begins)
{
	struct life *l = why_life(w, tid_on(w, ev));

	if (l)
		l->reclaim_told = begins ? w->m->nr_losses + 1 : 0;
}

/* Who has written more to memory than disks take is about to sleep. */
static void on_dirty_pause(struct why *w, const struct event *ev)
{
	struct life *l = why_life(w, tid_on(w, ev));

	if (l && ev->dirty_pause.pause > 0)
		l->dirty_told = w->m->nr_losses + 1;
}

static void on_lock(struct why *w, const struct event *ev)
{
	struct life *l = why_life(w, tid_on(w, ev));

	if (!l)
		return;
	if (l->locks_told != w->m->nr_losses + 1)
		l->locks.nr = 0;
	l->locks_told = w->m->nr_losses + 1;
	lock_waits_event(&l->locks, ev);
}

static void on_disk(struct why *w, const struct event *ev)
{
	uint64_t dev = (uint64_t)ev->device.dev;

	if (ev->device.dev == ABSENT || !ev->device.name ||
	    strnlen(ev->device.name, DISK_NAME_MAX) == DISK_NAME_MAX)
		return;
	free(hash_get(&w->disks, dev));
	hash_put(&w->disks, dev, xstrdup(ev->device.name));
}

static void on_request(struct why *w, const struct event *ev)
{
	struct disk_request done;

	if (ev->kind == EV_BLOCK_RQ_COMPLETE) {
		done = disk_queues_done(&w->disk_queues, ev, why_nobody(w, BY_IDLE));
		wake_contexts_done(&w->contexts, ev, &done);
		return;
	}
	disk_queues_event(&w->disk_queues, ev, why_asker(w, ev->cpu, tid_on(w, ev)),
			  why_nobody(w, BY_IDLE));
}

static void on_signal(struct why *w, const struct event *ev)
{
	struct last_wake *last = last_wake_on(w, ev->cpu);
	const struct task *t = last ? last->life->task : NULL;

	if (t && last->by.how == WAKE_PLAIN && ev->signal.tid > 0 &&
	    (ev->signal.tid == t->tid || ev->signal.tid == t->pid))
		last->by.how = WAKE_SIGNAL;
}

void why_event(struct why *w, const struct event *ev)
{
	if (sched_tells_of(ev->kind))
		return;
	if (ev->kind == EV_SIGNAL_GENERATE)
		on_signal(w, ev);
	settle_last(w, ev->cpu);
	switch (ev->kind) {
	case EV_FORK:
		on_fork(w, ev);
		break;
	case EV_RECLAIM_BEGIN:
	case EV_MEMCG_RECLAIM_BEGIN:
		on_reclaim(w, ev, true);
		break;
	case EV_RECLAIM_END:
	case EV_MEMCG_RECLAIM_END:
		on_reclaim(w, ev, false);
		break;
	case EV_DIRTY_PAUSE:
		on_dirty_pause(w, ev);
		break;
	case EV_LOCK_BEGIN:
	case EV_LOCK_END:
		on_lock(w, ev);
		break;
	case EV_BLOCK_RQ_INSERT:
	case EV_BLOCK_RQ_ISSUE:
	case EV_BLOCK_RQ_REQUEUE:
	case EV_BLOCK_RQ_COMPLETE:
		on_request(w, ev);
		break;
	case EV_BLOCK_CHARGE:
		disk_queues_charge(&w->disk_queues, &ev->charge, why_charged(w, ev, tid_on(w, ev)));
		break;
	case EV_DUMP_BLOCK_DEVICE:
		on_disk(w, ev);
		break;
	case EV_LOGGER:
		if (w->m->taken.path && !w->h->offers[EV_THROTTLE])
			why_account_taken(w, &w->m->taken);
		break;
	case EV_SOFTIRQ_RAISE:
		wake_contexts_event(&w->contexts, ev, tid_on(w, ev));
		break;
	default:
		wake_contexts_event(&w->contexts, ev, -1);
		break;
	}
}

void why_loss(struct why *w, const struct loss *loss)
{
	struct last_wake *last;
	size_t pos = 0;

	while ((last = hash_next(&w->last_wakes, &pos)))
		if (last->life)
			life_settles(w, last->life);
	wake_contexts_loss(&w->contexts, loss);
	disk_queues_loss(&w->disk_queues);
}
