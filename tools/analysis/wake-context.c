/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "wake-context.h"
#include "base/util.h"

/* The kernel's numbers of soft interrupts. */
enum { NO_VEC = -1, VEC_TIMER = 1, VEC_NET_TX = 2, VEC_NET_RX = 3, VEC_BLOCK = 4, VEC_HRTIMER = 8 };

/* In the task, in a soft interrupt on top of it, in a hard one on top of that, in a timer's
 * function. */
enum level { IN_TASK, IN_SOFT, IN_HARD, IN_TIMER, LEVELS };

/* Whose packets a soft interrupt of the network works on, by who raised it. */
enum origin { RAISED_BY_NOBODY, RAISED_BY_TASK, RAISED_BY_DEVICE };

struct raise {
	enum origin origin;
	int64_t tid;
};

struct wake_cpu {
	bool hard;
	int64_t vec; /* of the soft interrupt, or NO_VEC */
	unsigned int timers;
	struct done { /* the last request that was completed in that context */
		bool is_there;
		int64_t dev, rwbs;
		struct disk_request request;
	} done[LEVELS];
	struct raise pending, served;
};

static const struct wake_cpu no_interrupt = {.vec = NO_VEC};

static struct wake_cpu *cpu_of(struct wake_contexts *c, int cpu)
{
	if (cpu < 0)
		return NULL;
	while (c->nr <= (size_t)cpu) {
		c->cpus = grow(c->cpus, c->nr, &c->cap, sizeof(*c->cpus));
		c->cpus[c->nr++] = no_interrupt;
	}
	return &c->cpus[cpu];
}

static enum level level_of(const struct wake_cpu *c)
{
	if (c->timers)
		return IN_TIMER;
	return c->hard ? IN_HARD : c->vec != NO_VEC ? IN_SOFT : IN_TASK;
}

/*
 * A packet that one task of this host sends to another is received by a soft interrupt that the
 * sender raised: loopback, veth. One from outside has been raised by the device's interrupt.
 */
static void on_raise(struct wake_cpu *c, int64_t vec, int64_t tid)
{
	struct raise r = {.origin = RAISED_BY_DEVICE};

	if (vec != VEC_NET_RX)
		return;
	if (level_of(c) == IN_TASK && tid > 0)
		r = (struct raise){RAISED_BY_TASK, tid};
	else if (level_of(c) == IN_SOFT && c->vec == VEC_NET_RX)
		r = c->served;
	/* One that serves packets of several is nobody's. */
	if (c->pending.origin && (c->pending.origin != r.origin || c->pending.tid != r.tid))
		r = (struct raise){.origin = RAISED_BY_DEVICE};
	c->pending = r;
}

static void on_soft_entry(struct wake_cpu *c, int64_t vec)
{
	c->vec = vec >= 0 ? vec : VEC_HRTIMER + 1;
	c->done[IN_SOFT].is_there = false;
	if (vec != VEC_NET_RX)
		return;
	c->served = c->pending;
	c->pending = (struct raise){0};
}

static void on_interrupt(struct wake_cpu *c, const struct event *ev, int64_t tid)
{
	switch (ev->kind) {
	case EV_IRQ_ENTRY:
		c->hard = true;
		c->done[IN_HARD].is_there = false;
		break;
	case EV_IRQ_EXIT:
		c->hard = false;
		break;
	case EV_SOFTIRQ_ENTRY:
		on_soft_entry(c, ev->softirq.vec);
		break;
	case EV_SOFTIRQ_EXIT:
		c->vec = NO_VEC;
		break;
	case EV_SOFTIRQ_RAISE:
		on_raise(c, ev->softirq.vec, tid);
		break;
	case EV_HRTIMER_ENTRY:
		c->timers++;
		c->done[IN_TIMER].is_there = false;
		break;
	case EV_HRTIMER_EXIT:
		c->timers -= c->timers > 0;
		break;
	default:
		break;
	}
}

void wake_contexts_switch(struct wake_contexts *contexts, int cpu)
{
	struct wake_cpu *c = cpu_of(contexts, cpu);
	struct raise pending;

	if (!c)
		return;
	/* No interrupt lasts beyond it; what was raised may be served by ksoftirqd. */
	pending = c->pending;
	*c = no_interrupt;
	c->pending = pending;
}

void wake_contexts_done(struct wake_contexts *contexts, const struct event *ev,
			const struct disk_request *request)
{
	struct wake_cpu *c = cpu_of(contexts, ev->cpu);

	if (c)
		c->done[level_of(c)] = (struct done){true, ev->block.dev, ev->block.rwbs, *request};
}

/* One that was completed as those were that it was made into, of devices below its own. */
static void on_bio_done(struct wake_cpu *c, const struct event *ev)
{
	struct done *d = &c->done[level_of(c)];

	if (!d->is_there)
		*d = (struct done){.is_there = true};
	d->dev = ev->block.dev;
	d->rwbs = ev->block.rwbs;
}

void wake_contexts_event(struct wake_contexts *contexts, const struct event *ev, int64_t tid)
{
	struct wake_cpu *c = cpu_of(contexts, ev->cpu);

	if (!c)
		return;
	if (ev->kind == EV_BLOCK_BIO_COMPLETE)
		on_bio_done(c, ev);
	else
		on_interrupt(c, ev, tid);
}

bool wake_contexts_in_task(const struct wake_contexts *c, int cpu)
{
	return cpu < 0 || (size_t)cpu >= c->nr || level_of(&c->cpus[cpu]) == IN_TASK;
}

void wake_contexts_loss(struct wake_contexts *c, const struct loss *loss)
{
	struct wake_cpu *cpu = cpu_of(c, loss->cpu);
	size_t i;

	if (cpu)
		*cpu = no_interrupt;
	for (i = 0; !cpu && i < c->nr; i++)
		c->cpus[i] = no_interrupt;
}

static struct wake_source by_done(const struct done *d)
{
	return (struct wake_source){
		.by = WAKE_BY_DISK, .dev = d->dev, .rwbs = d->rwbs, .request = d->request};
}

static struct wake_source by(enum wake_by what)
{
	return (struct wake_source){.by = what, .dev = ABSENT, .rwbs = ABSENT};
}

static struct wake_source by_network(const struct wake_contexts *contexts, const struct wake_cpu *c)
{
	struct wake_source s = by(WAKE_BY_TASK);

	if (c->served.origin == RAISED_BY_DEVICE || !contexts->has_raises)
		return by(WAKE_BY_NETWORK);
	if (c->served.origin == RAISED_BY_NOBODY)
		return by(WAKE_BY_UNKNOWN);
	s.tid = c->served.tid;
	s.by_packet = true;
	return s;
}

static struct wake_source by_soft(const struct wake_contexts *contexts, const struct wake_cpu *c)
{
	if (c->done[IN_SOFT].is_there)
		return by_done(&c->done[IN_SOFT]);
	switch (c->vec) {
	case VEC_TIMER:
	case VEC_HRTIMER:
		return by(WAKE_BY_TIMER);
	case VEC_NET_RX:
		return by_network(contexts, c);
	case VEC_NET_TX:
		return by(WAKE_BY_NETWORK);
	case VEC_BLOCK:
		return by(WAKE_BY_DISK);
	default:
		return by(WAKE_BY_INTERRUPT);
	}
}

struct wake_source wake_source_of(const struct wake_contexts *contexts, const struct on_cpu *waker)
{
	const struct wake_cpu *c = waker->cpu >= 0 && (size_t)waker->cpu < contexts->nr
					   ? &contexts->cpus[waker->cpu]
					   : &no_interrupt;
	struct wake_source s = by(WAKE_BY_TASK);

	/* A driver may complete requests by a timer (null_blk, polling ones). */
	if (c->timers)
		return c->done[IN_TIMER].is_there ? by_done(&c->done[IN_TIMER]) : by(WAKE_BY_TIMER);
	if (c->hard)
		return c->done[IN_HARD].is_there ? by_done(&c->done[IN_HARD])
						 : by(WAKE_BY_INTERRUPT);
	if (c->vec != NO_VEC)
		return by_soft(contexts, c);
	if (waker->tid <= 0)
		return by(waker->tid ? WAKE_BY_UNKNOWN : WAKE_BY_INTERRUPT);
	s.tid = waker->tid;
	return s;
}

void wake_contexts_free(struct wake_contexts *c)
{
	free(c->cpus);
	*c = (struct wake_contexts){0};
}
