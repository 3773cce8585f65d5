/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "delays.h"
#include "queue.h"
#include "base/util.h"

/*
 * How waits are settled. What is told of a wait (its begin, another queue, its end) is told as it
 * happens; whose a CPU's time was, only when it is certain, which may be a good while later, and
 * for another CPU's queue than the one that tells of the wait's end. So a wait has stays, one for
 * each time in a queue (queue.h). A stay is settled when its task has left the queue, and runs
 * were told up to that moment; one that ends with a switch of its own CPU at once, as that CPU's
 * runs were told just before.
 * When the last stay is settled and the wait has ended, it is added up for its victim, or told
 * (conclude()), and its memory serves the next one, unless it is one of the longest.
 *
 * Where a task is may be in doubt then, after a loss: add_doubt() remembers what was counted, and
 * confirm() takes the doubt back if the next whole state dump finds the task in the same place.
 */

/*
 * So many stays of a wait are not settled at most, for want of who had the CPU: each change of a
 * quota may begin one for all who wait. Another change is not seen, and the wait is unsure.
 */
#define STAYS_MAX 64

/*
 * Each change of a quota looks at all who wait for that CPU where that quota is (waiting.h). There
 * are so many looks for each wait that begins there and for each change, and some for a start; what
 * then is not looked at is unsure.
 */
#define LOOKS_EACH   64
/* What was lost may be of any. */
#define NO_HIERARCHY (-1)

/* Waits of a task that is in doubt (see cpus.h), since the last loss. */
struct doubt {
	struct task *task;
	struct victim *victim;
	struct place place;
	uint64_t losses, waits, ns, longest;
	unsigned int dumps; /* since the last of them: see cpus_doubt() */
};

struct delays {
	const struct host *host; /* what calls may give another one, of the same user */
	struct model *m;
	/*
	 * Two for each CPU, NULL: none yet: of those who wait for it, and of those whom a quota
	 * keeps off it, which is then all they wait for.
	 */
	struct queue **queues;
	size_t nr_queues;
	struct waiting waiting;
	const struct throttles *throttles; /* NULL: none was told of yet */
	uint64_t changed;		   /* when a quota did last */
	struct wait **free_waits;
	size_t nr_free, cap_free;
	struct victim **victims;
	size_t nr_victims, cap_victims;
	struct hash by_container; /* victims; a key of 1 is the host, of 3 those not told */
	struct hash doubts;	  /* of tasks, waits that may prove to be where they are counted */
	size_t max_worst;
	uint64_t from, to; /* what counts */
	uint64_t nr_untold;
	void (*on_wait)(void *ctx, const struct wait *w);
	void *ctx;
};

static struct delays *delays_of(void *ctx)
{
	return ((struct host *)ctx)->user;
}

struct delays *delays_new(struct host *h, size_t nr_worst)
{
	struct delays *d = xcalloc(1, sizeof(*d));

	d->host = h;
	d->m = h->model;
	d->max_worst = nr_worst;
	d->to = UINT64_MAX;
	d->waiting.m = h->model;
	return d;
}

void delays_limit(struct delays *d, uint64_t from, uint64_t to)
{
	d->from = from;
	d->to = to;
}

void delays_tell(struct delays *d, void (*on_wait)(void *ctx, const struct wait *w), void *ctx)
{
	d->on_wait = on_wait;
	d->ctx = ctx;
}

void delays_forget(struct delays *d, const struct task *t)
{
	struct doubt *doubt = hash_get(&d->doubts, (uintptr_t)t);

	if (!doubt)
		return;
	hash_del(&d->doubts, (uintptr_t)t);
	free(doubt);
}

/* One that nothing is known of yet; what its begin and its end tell is set by them. */
static struct wait *wait_new(struct delays *d)
{
	struct wait *w;

	if (!d->nr_free)
		return xcalloc(1, sizeof(*w));
	w = d->free_waits[--d->nr_free];
	w->ns = 0;
	w->unsure = w->unfinished = w->place.known = false;
	w->nr_stays = 0;
	blames_empty(&w->blames);
	return w;
}

/* Most are so short that they are gone at once: their memory serves the next ones. */
static void wait_put(struct delays *d, struct wait *w)
{
	d->free_waits = grow(d->free_waits, d->nr_free, &d->cap_free, sizeof(*d->free_waits));
	d->free_waits[d->nr_free++] = w;
}

static void wait_free(struct wait *w)
{
	if (w)
		blames_clear(&w->blames);
	free(w);
}

static void victim_free(struct victim *v)
{
	size_t i;

	for (i = 0; i < v->nr_worst; i++)
		wait_free(v->worst[i]);
	histogram_free(&v->lengths);
	free(v->worst);
	blames_clear(&v->blames);
	free(v);
}

/* Of an unfinished reading. */
static void drop(void *user)
{
	struct wait *w = user;

	if (!--w->nr_stays)
		wait_free(w);
}

void delays_free(struct delays *d)
{
	struct doubt *doubt;
	size_t pos = 0, i;

	if (!d)
		return;
	while ((doubt = hash_next(&d->doubts, &pos)))
		free(doubt);
	hash_free(&d->doubts);
	for (i = 0; i < d->nr_queues; i++)
		queue_free(d->queues[i], drop);
	free(d->queues);
	waiting_free(&d->waiting);
	while (d->nr_free)
		wait_free(d->free_waits[--d->nr_free]);
	free(d->free_waits);
	for (i = 0; i < d->nr_victims; i++)
		victim_free(d->victims[i]);
	free(d->victims);
	hash_free(&d->by_container);
	free(d);
}

static struct victim *victim_new(struct delays *d, bool told, struct container *c)
{
	struct victim *v = xcalloc(1, sizeof(*v));

	v->told = told;
	v->container = c;
	v->worst = xcalloc(d->max_worst + 1, sizeof(struct wait *));
	d->victims = grow(d->victims, d->nr_victims, &d->cap_victims, sizeof(*d->victims));
	d->victims[d->nr_victims++] = v;
	return v;
}

static struct victim *victim_of(struct delays *d, bool told, struct container *c)
{
	uint64_t key = !told ? 3 : c ? (uintptr_t)c : 1;
	struct victim *v = hash_get(&d->by_container, key);

	if (!v) {
		v = victim_new(d, told, c);
		hash_put(&d->by_container, key, v);
	}
	return v;
}

static void sink(struct wait **heap, size_t nr, size_t i)
{
	for (;;) {
		size_t least = i, k;
		struct wait *w;

		for (k = 2 * i + 1; k <= 2 * i + 2 && k < nr; k++)
			if (heap[k]->ns < heap[least]->ns)
				least = k;
		if (least == i)
			return;
		w = heap[i];
		heap[i] = heap[least];
		heap[least] = w;
		i = least;
	}
}

/* What is kept of a victim is a heap, the shortest on top. */
static bool is_worst(const struct delays *d, const struct victim *v, const struct wait *w)
{
	return v->nr_worst < d->max_worst || (v->nr_worst && w->ns > v->worst[0]->ns);
}

/* Takes one that is. */
static void keep_worst(struct delays *d, struct victim *v, struct wait *w)
{
	size_t i;

	if (v->nr_worst < d->max_worst) {
		v->worst[v->nr_worst++] = w;
		for (i = v->nr_worst; i--;)
			sink(v->worst, v->nr_worst, i);
		return;
	}
	wait_put(d, v->worst[0]);
	v->worst[0] = w;
	sink(v->worst, v->nr_worst, 0);
}

/* Whether events were lost since it was told where a task is. */
static bool is_place_unsure(const struct delays *d, const struct place *p)
{
	return d->m->nr_losses && (!p->known || p->told <= d->m->loss_until);
}

/* What is told of @v may prove to be sure: see delays_confirm(). */
static void add_doubt(struct delays *d, struct victim *v, const struct wait *w)
{
	struct doubt *doubt = hash_get(&d->doubts, (uintptr_t)w->task);

	if (!w->task || !w->place.known || w->begin <= d->m->loss_until)
		return;
	if (!doubt) {
		doubt = xcalloc(1, sizeof(*doubt));
		hash_put(&d->doubts, (uintptr_t)w->task, doubt);
	}
	if (doubt->victim != v || doubt->losses != d->m->nr_losses)
		doubt->waits = doubt->ns = doubt->longest = 0;
	doubt->task = w->task;
	doubt->victim = v;
	doubt->place = w->place;
	doubt->losses = d->m->nr_losses;
	doubt->dumps = 0;
	doubt->waits++;
	time_add(&doubt->ns, w->ns);
	if (w->ns > doubt->longest)
		doubt->longest = w->ns;
}

static void make_sure(const struct doubt *doubt)
{
	struct victim *v = doubt->victim;

	v->unsure_waits -= doubt->waits;
	v->unsure -= doubt->ns;
	if (doubt->longest > v->longest_sure)
		v->longest_sure = doubt->longest;
}

/* A whole state dump ended: waits of whom it finds where they were count as theirs for sure. */
static void confirm(void *ctx)
{
	struct delays *d = delays_of(ctx);
	struct hash open = {0};
	struct doubt *doubt;
	size_t pos = 0;

	while ((doubt = hash_next(&d->doubts, &pos))) {
		enum doubt_end end =
			cpus_doubt(d->m, doubt->task, &doubt->place, doubt->losses, &doubt->dumps);

		if (end == DOUBT_IS_OPEN) {
			hash_put(&open, (uintptr_t)doubt->task, doubt);
			continue;
		}
		if (end == DOUBT_IS_RESOLVED)
			make_sure(doubt);
		free(doubt);
	}
	hash_free(&d->doubts);
	d->doubts = open;
}

static void count_wait(struct delays *d, struct victim *v, const struct wait *w)
{
	v->waits++;
	time_add(&v->ns, w->ns);
	histogram_count(&v->lengths, w->ns);
	if (w->ns > v->longest)
		v->longest = w->ns;
	if (!w->unsure && !w->place_unsure) {
		if (w->ns > v->longest_sure)
			v->longest_sure = w->ns;
		return;
	}
	v->unsure_waits++;
	time_add(&v->unsure, w->ns);
	if (!w->unsure)
		add_doubt(d, v, w);
}

static struct blame blame_of(const struct share *share)
{
	return (struct blame){share->who, share->ns, share->unsure};
}

static void take_shares(struct wait *w, const struct share *shares, size_t nr)
{
	/* Most have one stay, the shares of which are of different ones. */
	bool is_first = !w->blames.nr;
	size_t i;

	for (i = 0; i < nr; i++) {
		struct blame b = blame_of(&shares[i]);

		if (is_first)
			blames_append(&w->blames, &b);
		else
			blames_add(&w->blames, &b);
	}
}

/* What it is blamed on is in the wait, or in the shares, which its victim alone needs mostly. */
static void add_up(struct delays *d, struct wait *w, const struct share *shares, size_t nr)
{
	struct victim *v = victim_of(d, w->told, w->container);
	size_t i;

	count_wait(d, v, w);
	for (i = 0; i < w->blames.nr + nr; i++) {
		struct blame b = nr ? blame_of(&shares[i]) : w->blames.list[i];

		if (w->unsure || w->place_unsure)
			b.unsure = b.ns;
		blames_add(&v->blames, &b);
	}
	if (!is_worst(d, v, w)) {
		wait_put(d, w);
		return;
	}
	take_shares(w, shares, nr);
	keep_worst(d, v, w);
}

/* Each stay of it was settled: all is known that will be. */
static void conclude(struct delays *d, struct wait *w, const struct share *shares, size_t nr)
{
	if (w->begin >= d->to || w->end <= d->from) {
		wait_put(d, w);
		return;
	}
	if (!w->place.known)
		w->place = cpus_place(d->m, w->task);
	w->told = w->place.known;
	w->place_unsure = is_place_unsure(d, &w->place);
	w->container = container_is(w->place.container);
	if (!d->on_wait) {
		add_up(d, w, shares, nr);
		return;
	}
	take_shares(w, shares, nr);
	d->on_wait(d->ctx, w);
	wait_put(d, w);
}

static void on_settled(void *ctx, void *user, const struct share *shares, size_t nr, bool is_unsure)
{
	struct delays *d = ctx;
	struct wait *w = user;
	bool is_over = !--w->nr_stays && (w->end != UINT64_MAX || w->unfinished);
	size_t i;

	for (i = 0; i < nr; i++)
		w->ns += shares[i].ns;
	if (is_unsure)
		w->unsure = true;
	if (is_over && !w->blames.nr) {
		conclude(d, w, shares, nr);
		return;
	}
	take_shares(w, shares, nr);
	if (is_over)
		conclude(d, w, NULL, 0);
}

static struct container *around(void *ctx, const struct culprit *who)
{
	const struct delays *d = ctx;

	return who->told ? container_around(d->m, who->container) : NULL;
}

static struct queue *queue_of(struct delays *d, int cpu, bool throttled)
{
	size_t i = 2 * (size_t)cpu + throttled, nr = i + 1;

	if (nr > d->nr_queues) {
		d->queues = xrealloc(d->queues, nr, sizeof(*d->queues));
		memset(d->queues + d->nr_queues, 0, (nr - d->nr_queues) * sizeof(*d->queues));
		d->nr_queues = nr;
	}
	if (!d->queues[i])
		d->queues[i] = queue_new(on_settled, around, d);
	return d->queues[i];
}

/* NULL: nobody has waited there yet. */
static struct queue *find_queue(const struct delays *d, int cpu, bool throttled)
{
	size_t i = 2 * (size_t)cpu + throttled;

	return i < d->nr_queues ? d->queues[i] : NULL;
}

struct culprit culprit_of_run(const struct run *run)
{
	switch (run->kind) {
	case RUN_TASK:
		return (struct culprit){BY_TASKS, run->place.known,
					container_is(run->place.container)};
	case RUN_IDLE:
		return (struct culprit){.kind = BY_IDLE};
	case RUN_INTERRUPT:
		return (struct culprit){.kind = BY_INTERRUPTS};
	default:
		return (struct culprit){.kind = BY_UNKNOWN};
	}
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * That a quota begins or ceases to keep tasks off a CPU may be among what was lost, and so may a
 * move of who waits to where there is another quota. Where none was told of, there is none.
 */
static bool are_quotas_unsure(const struct delays *d)
{
	return d->throttles && d->m->nr_losses;
}

/* The waits that the run was in the way of. */
static void on_run(void *ctx, const struct run *run)
{
	struct delays *d = delays_of(ctx);
	struct queue *q = find_queue(d, run->cpu, false), *kept_off = find_queue(d, run->cpu, true);
	struct stretch r;

	if (!q && !kept_off)
		return;
	r = (struct stretch){
		.who = culprit_of_run(run),
		/* Where its being switched in was lost, a task does not wait for itself. */
		.tid = run->kind == RUN_TASK ? run->tid : 0,
		.begin = later(d->from, run->begin),
		.end = sooner(d->to, run->end),
		.until = run->end,
		.unsure = run->where != IS_THERE || are_quotas_unsure(d),
		.taints = run->unsure || run->kind == RUN_UNKNOWN,
	};
	if (q)
		queue_run(q, &r);
	r.who = (struct culprit){.kind = BY_QUOTA};
	if (kept_off)
		queue_run(kept_off, &r);
}

static void enter(struct delays *d, struct wait *w, int cpu, uint64_t now)
{
	bool throttled = d->throttles && throttles_hold(d->throttles, d->m, w->task, cpu);

	w->queue = queue_of(d, cpu, throttled);
	w->stay = queue_enter(w->queue, w, w->tid, now);
	w->cpu = cpu;
	w->here_since = now;
	w->nr_stays++;
	w->here =
		(struct waiter){.task = w->task, .cpu = cpu, .is_throttled = throttled, .user = w};
	waiting_add(&d->waiting, &w->here);
}

/* What was in the queue up to now is settled when it is told who ran up to now. */
static void leave(struct delays *d, struct wait *w, uint64_t now, bool settled)
{
	waiting_remove(&d->waiting, &w->here);
	queue_leave(w->queue, w->stay, now, settled);
}

/* Whether a quota may have changed, while it waited there, and it was not looked at. */
static bool is_missed(const struct delays *d, const struct wait *w)
{
	return w->here.among->missed > w->here_since ||
	       (d->changed > w->here_since && waiting_is_elsewhere(&d->waiting, &w->here));
}

/* It must not come to its end for a lack of stays. */
static void change_queue(struct delays *d, struct wait *w, int cpu, uint64_t now)
{
	w->unsure |= is_missed(d, w);
	w->nr_stays++;
	leave(d, w, now, false);
	w->nr_stays--;
	enter(d, w, cpu, now);
}

/*
 * Those of a list whom quotas keep off their CPU from now on, or no more. Whether all were looked
 * at.
 */
static bool throttle(struct delays *d, struct waiters *among, struct waiter *one, uint64_t now)
{
	struct waiter *next;
	struct wait *w;

	for (; one && among->owner->looks; one = next) {
		next = one->next;
		w = one->user;
		among->owner->looks--;
		if (w->nr_stays >= STAYS_MAX)
			w->unsure = true;
		else if (throttles_hold(d->throttles, d->m, w->task, w->cpu) != one->is_throttled)
			change_queue(d, w, w->cpu, now);
	}
	return !one;
}

static void look_at(struct delays *d, struct waiters *among, struct waiter *free_to_run,
		    uint64_t now)
{
	among->owner->looks += LOOKS_EACH;
	if (!throttle(d, among, among->first[true], now) || !throttle(d, among, free_to_run, now))
		among->missed = now + 1;
}

static void on_throttle(void *ctx, const struct throttles *t, int cpu, uint64_t ns)
{
	struct delays *d = delays_of(ctx);
	struct waiting *s = &d->waiting;
	struct waiters *a = NULL;
	size_t i;

	d->throttles = t;
	d->changed = ns;
	waiting_split(s, t->hierarchy);
	while (cpu >= 0 && (a = waiting_next(s, cpu, t->hierarchy, t->cgroup_id, a)))
		look_at(d, a, a->first[false], ns);
	/* What was lost ends what was told, and begins nothing. */
	for (i = 0; cpu < 0 && i < s->nr_cpus; i++)
		while ((a = waiting_next(s, (int)i, NO_HIERARCHY, 0, a)))
			look_at(d, a, NULL, ns);
}

static void on_wait(void *ctx, struct sched_wait *told)
{
	struct delays *d = delays_of(ctx);
	struct wait *w = wait_new(d);

	w->task = told->task;
	w->tid = told->tid;
	w->why = told->reason;
	w->begin = told->begin;
	w->end = UINT64_MAX;
	told->user = w;
	enter(d, w, told->cpu, told->begin);
	w->here.among->owner->looks += LOOKS_EACH;
}

static void on_wait_moves(void *ctx, struct sched_wait *told, int from, uint64_t ns)
{
	struct delays *d = delays_of(ctx);
	struct wait *w = told->user;

	(void)from;
	change_queue(d, w, told->cpu, ns);
}

static void on_wait_ends(void *ctx, struct sched_wait *told)
{
	struct delays *d = delays_of(ctx);
	struct wait *w = told->user;

	if (told->unsure || is_missed(d, w))
		w->unsure = true;
	w->unfinished = told->unfinished;
	if (w->unfinished)
		return;
	w->end = told->end;
	w->place = cpus_place_on(d->host->cpus, told->ended_on, w->task);
	leave(d, w, told->end, told->cpu == told->ended_on);
}

static void on_handover(void *ctx, const struct handover *h)
{
	struct delays *d = delays_of(ctx);

	if (h->next_tid > 0 && !h->wait && h->ns >= d->from && h->ns < d->to)
		d->nr_untold++;
}

const struct sched_callbacks delays_sched = {
	.on_run = on_run,
	.on_handover = on_handover,
	.on_wait = on_wait,
	.on_wait_moves = on_wait_moves,
	.on_wait_ends = on_wait_ends,
	.on_throttle = on_throttle,
	.on_dump_end = confirm,
};

static void keep_culprit(void *ctx, const struct culprit *who)
{
	sweep_keep(ctx, who->container);
}

static void keep_wait(void *ctx, void *user)
{
	const struct wait *w = user;
	size_t i;

	/* Else it is that of the wait before, whose memory this one has. */
	if (w->place.known)
		sweep_keep(ctx, w->place.container);
	for (i = 0; i < w->blames.nr; i++)
		keep_culprit(ctx, &w->blames.list[i].who);
}

void delays_keep(struct delays *d, struct sweep *sweep)
{
	size_t i;

	for (i = 0; i < d->nr_queues; i++)
		if (d->queues[i])
			queue_forget(d->queues[i], keep_culprit, keep_wait, sweep);
}

/* What was found out to be one container since. */
static void merge_victims(struct delays *d)
{
	size_t i, k;

	for (i = 0; i < d->nr_victims; i++) {
		struct victim *v = d->victims[i], *to;

		if (container_is(v->container) == v->container)
			continue;
		to = victim_of(d, true, container_is(v->container));
		v = d->victims[i];
		to->waits += v->waits;
		time_add(&to->ns, v->ns);
		histogram_add(&to->lengths, &v->lengths);
		time_add(&to->unsure, v->unsure);
		to->unsure_waits += v->unsure_waits;
		if (v->longest > to->longest)
			to->longest = v->longest;
		if (v->longest_sure > to->longest_sure)
			to->longest_sure = v->longest_sure;
		blames_add_all(&to->blames, &v->blames);
		for (k = 0; k < v->nr_worst; k++) {
			if (is_worst(d, to, v->worst[k]))
				keep_worst(d, to, v->worst[k]);
			else
				wait_put(d, v->worst[k]);
		}
		histogram_free(&v->lengths);
		v->waits = v->ns = v->unsure = v->unsure_waits = v->nr_worst = 0;
	}
}

static int compare_victims(const void *a, const void *b)
{
	const struct victim *x = *(struct victim *const *)a, *y = *(struct victim *const *)b;

	return x->ns > y->ns ? -1 : x->ns < y->ns;
}

/* Queues of CPUs of which nothing was recorded, too. */
static void settle_all(struct delays *d)
{
	size_t i;

	for (i = 0; i < d->nr_queues; i++)
		if (d->queues[i])
			queue_settle(d->queues[i]);
}

void delays_finish(struct delays *d, uint64_t end)
{
	struct wait *w;
	size_t i, k;

	settle_all(d);
	merge_victims(d);
	for (i = 0; i < d->nr_victims; i++) {
		struct victim *v = d->victims[i];

		blames_settle(&v->blames);
		for (k = 0; k < v->nr_worst; k++) {
			w = v->worst[k];
			blames_settle(&w->blames);
			if (w->unfinished)
				w->end = end;
		}
	}
	if (d->nr_victims)
		qsort(d->victims, d->nr_victims, sizeof(*d->victims), compare_victims);
}

bool delays_are_too_long(const struct delays *d)
{
	size_t i;

	for (i = 0; i < d->nr_victims; i++)
		if (time_is_too_long(d->victims[i]->ns))
			return true;
	return false;
}

struct victim *const *delays_victims(const struct delays *d, size_t *nr)
{
	*nr = d->nr_victims;
	return d->victims;
}

uint64_t delays_untold(const struct delays *d)
{
	return d->nr_untold;
}
