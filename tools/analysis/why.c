/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <limits.h>
#include <stdlib.h>

#include "why-int.h"
#include "base/util.h"

/* A thread that began to wait before its waker was made waits for who made that one. */
#define MAKERS_MAX 8

/* Of a wait for a CPU that has more pieces, only the sums are told. */
#define PIECES_OF_WAIT 64

/*
 * Who is woken takes over all that its waker did, which may wake thousands. So many pieces are kept
 * of all threads; if there are more, an owner (place_owner()) who has more than an equal share
 * loses those of his threads that have been silent longest.
 */
#define PIECES_MAX ((size_t)4 << 20)

/*
 * Thousands that slept may be woken by one that did thousands of things meanwhile, and be again. So
 * many pieces are taken over for each that is woken or runs, and some for a start; of these an
 * equal share is for each owner, whoever else has had them all. Then each owner has as many for a
 * start, and for each wait. When he has none left, of each wait only the last are taken over.
 */
#define TAKEN_EACH  64
#define TAKEN_FIRST ((uint64_t)1 << 20)
#define TAKEN_LEAST 256

struct why *why_new(struct host *h, const struct why_options *opt)
{
	struct why *w = xcalloc(1, sizeof(*w));

	w->h = h;
	w->m = h->model;
	w->opt = *opt;
	w->causes.m = h->model;
	w->contexts.has_raises = h->offers[EV_SOFTIRQ_RAISE];
	w->to = UINT64_MAX;
	return w;
}

void why_limit(struct why *w, uint64_t from, uint64_t to)
{
	w->from = from;
	w->to = to;
}

static void life_free(struct life *l)
{
	history_free(&l->history);
	if (l->orphan)
		why_account_free(l->orphan);
	free(l);
}

void why_free(struct why *w)
{
	struct first_wake *first;
	struct last_wake *last;
	struct why_cpu *c;
	struct why_owner *owner;
	size_t pos = 0, i;
	char *name;

	if (!w)
		return;
	while ((c = hash_next(&w->cpus, &pos))) {
		service_history_free(&c->history);
		free(c);
	}
	for (pos = 0; (first = hash_next(&w->first_wakes, &pos));)
		free(first);
	for (pos = 0; (last = hash_next(&w->last_wakes, &pos));)
		free(last);
	for (pos = 0; (name = hash_next(&w->disks, &pos));)
		free(name);
	for (pos = 0; (owner = hash_next(&w->owners, &pos));)
		free(owner);
	for (i = 0; i < w->nr_lives; i++)
		life_free(w->lives[i]);
	for (i = 0; i < w->nr_accounts; i++)
		why_account_free(w->accounts[i]);
	free(w->lives);
	free(w->accounts);
	free(w->path);
	hash_free(&w->cpus);
	hash_free(&w->disks);
	hash_free(&w->owners);
	hash_free(&w->by_task);
	hash_free(&w->first_wakes);
	hash_free(&w->last_wakes);
	hash_free(&w->by_key);
	members_free(&w->members);
	wake_contexts_free(&w->contexts);
	disk_queues_free(&w->disk_queues);
	coarse_free(&w->coarse);
	causes_free(&w->causes);
	free(w);
}

static struct life *life_of(struct why *w, struct task *t)
{
	struct life *l = hash_get(&w->by_task, (uintptr_t)t);

	if (l)
		return l;
	l = xcalloc(1, sizeof(*l));
	l->task = t;
	l->number = (uint32_t)w->nr_lives;
	l->birth = l->until = l->since = t->birth ? t->birth : w->h->begin;
	w->lives = grow(w->lives, w->nr_lives, &w->cap_lives, sizeof(*w->lives));
	w->lives[w->nr_lives++] = l;
	hash_put(&w->by_task, (uintptr_t)t, l);
	return l;
}

struct life *why_life_of(struct why *w, struct task *t)
{
	return t ? life_of(w, t) : NULL;
}

struct life *why_life(struct why *w, int64_t tid)
{
	return why_life_of(w, tid > 0 ? model_runner(w->m, tid) : NULL);
}

/* That it runs is told up to now, and no switch can have been lost since. */
static bool runs_still(const struct why *w, const struct life *l, uint64_t now)
{
	return l->state == LIFE_RUNS && cpus_there(w->h->cpus, l->cpu, now) == l->task->tid;
}

static bool lost_since(const struct why *w, uint64_t begin)
{
	return w->m->nr_losses && w->m->loss_until >= begin;
}

static void unlink_life(struct life *l)
{
	struct why_owner *o = l->owner;

	if (l->newer)
		l->newer->older = l->older;
	else if (o->newest == l)
		o->newest = l->older;
	if (l->older)
		l->older->newer = l->newer;
	else if (o->oldest == l)
		o->oldest = l->newer;
	l->newer = l->older = NULL;
}

static void make_newest(struct life *l)
{
	struct why_owner *o = l->owner;

	if (o->newest == l)
		return;
	unlink_life(l);
	l->older = o->newest;
	if (l->older)
		l->older->newer = l;
	else
		o->oldest = l;
	o->newest = l;
}

/* The size of its histories was @before. */
static void has_changed(struct why *w, struct why_owner *o, size_t before)
{
	w->nr_pieces += o->nr_pieces - before;
	w->nr_holders += (o->nr_pieces != 0) - (before != 0);
}

static void take_away(struct why *w, struct life *l)
{
	struct why_owner *o = l->owner;
	size_t before = o->nr_pieces;

	unlink_life(l);
	o->nr_pieces -= history_size(&l->history);
	has_changed(w, o, before);
}

static void forget_history(struct why *w, struct life *l)
{
	if (l->owner)
		take_away(w, l);
	history_drop(&l->history);
}

static struct why_owner *owner_at(struct why *w, const struct place *at)
{
	uint64_t key = place_owner(w->m, at);
	struct why_owner *o = hash_get(&w->owners, key);

	if (!o) {
		o = xcalloc(1, sizeof(*o));
		hash_put(&w->owners, key, o);
	}
	return o;
}

/* Whose it is where it is now, with what it has. */
static void find_owner(struct why *w, struct life *l, const struct place *at)
{
	struct why_owner *o;
	size_t before;

	if (l->owner && cpus_same_place(&l->owner_at, at))
		return;
	l->owner_at = *at;
	o = owner_at(w, at);
	if (o == l->owner)
		return;
	if (l->owner)
		take_away(w, l);
	l->owner = o;
	before = o->nr_pieces;
	o->nr_pieces += history_size(&l->history);
	has_changed(w, o, before);
	if (l->history.nr)
		make_newest(l);
}

/* Whose history goes first, of that owner; NULL: nobody's can, while there is one more of @l. */
static struct life *next_to_go(const struct why *w, const struct why_owner *o, const struct life *l)
{
	struct life *next = o->oldest;

	while (next && (next == l || next == w->taken))
		next = next->newer;
	return next;
}

/* Of one who has more than an equal share; himself before others. */
static struct life *next_of_all(struct why *w, const struct life *l)
{
	const size_t share = PIECES_MAX / w->nr_holders;
	struct life *next = NULL;
	struct why_owner *o = l->owner;
	size_t pos = 0;

	if (o->nr_pieces > share)
		next = next_to_go(w, o, l);
	if (!next && w->large && w->large->nr_pieces > share)
		next = next_to_go(w, w->large, l);
	while (!next && (o = hash_next(&w->owners, &pos))) {
		next = o->nr_pieces > share ? next_to_go(w, o, l) : NULL;
		w->large = o;
	}
	return next;
}

static size_t size_of(const struct piece *p)
{
	return 1 + (p->shares ? p->shares->nr : 0);
}

/* Takes the piece's shares over. The one that it may be taken over from keeps its own. */
static void add_piece(struct why *w, struct life *l, const struct place *at, const struct piece *p)
{
	struct life *next;
	size_t before, size;

	find_owner(w, l, at);
	before = l->owner->nr_pieces;
	size = history_size(&l->history);
	w->nr_added += size_of(p);
	history_add(&l->history, p);
	l->owner->nr_pieces += history_size(&l->history) - size;
	has_changed(w, l->owner, before);
	make_newest(l);
	while (w->nr_pieces > PIECES_MAX && (next = next_of_all(w, l)))
		forget_history(w, next);
}

/* The thread's time up to that moment had that cause. */
static void tell_at(struct why *w, struct life *l, uint64_t end, const struct cause *cause,
		    bool unsure, const struct place *place, const struct life *leaf)
{
	struct piece p = {.begin = l->until, .end = end, .cause = cause, .unsure = unsure};

	if (end <= l->until)
		return;
	if (w->opt.path_tid) {
		p.leaf = leaf->number & INT32_MAX;
		why_path_add(w, l, place, &p);
	}
	add_piece(w, l, place, &p);
	why_account_add(w, l, place, &p);
	why_account_stretch(w, l, place, &p);
	l->until = end;
}

/*
 * What is told after a loss may have been otherwise: threads may have been moved, woken or renamed
 * in it. What was told before is sure.
 */
static void tell_of(struct why *w, struct life *l, uint64_t end, const struct cause *cause,
		    bool unsure, const struct life *leaf)
{
	struct place place = cpus_place(w->m, l->task);

	tell_at(w, l, end, cause, unsure || w->m->nr_losses, &place, leaf);
}

static void tell(struct why *w, struct life *l, uint64_t end, const struct cause *cause,
		 bool unsure)
{
	tell_of(w, l, end, cause, unsure, l);
}

static void tell_unknown(struct why *w, struct life *l, uint64_t end, enum why_not_known reason)
{
	if (lost_since(w, l->until))
		reason = UNKNOWN_LOST;
	tell(w, l, end, cause_unknown(&w->causes, reason), false);
}

/* It did something that no event has told of. */
static void tell_unseen(struct why *w, struct life *l, uint64_t end)
{
	tell_unknown(w, l, end, l->state == LIFE_UNSEEN ? UNKNOWN_BEFORE : UNKNOWN_CYCLE);
}

static const struct cause *plain(struct why *w, enum why_kind kind)
{
	return cause_get(&w->causes, &(struct cause){.kind = kind, .dev = ABSENT});
}

static struct why_cpu *cpu_of(struct why *w, int cpu)
{
	struct why_cpu *c = hash_get(&w->cpus, (uint64_t)cpu);

	if (!c) {
		c = xcalloc(1, sizeof(*c));
		hash_put(&w->cpus, (uint64_t)cpu, c);
	}
	return c;
}

static struct service_history *cpu_history(struct why *w, int cpu)
{
	return &cpu_of(w, cpu)->history;
}

static void set_state(struct why *w, struct life *l, enum life_state state, int cpu)
{
	struct why_cpu *c = state == LIFE_WAITS ? cpu_of(w, cpu) : NULL;

	if (l->here) {
		*l->here = l->next_here;
		if (l->next_here)
			l->next_here->here = l->here;
	}
	l->state = state;
	l->cpu = cpu;
	l->here = c ? &c->waiting : NULL;
	l->next_here = c ? c->waiting : NULL;
	if (l->next_here)
		l->next_here->here = &l->next_here;
	if (c)
		c->waiting = l;
}

static void add_to_cpu(struct why *w, const struct run *run)
{
	const struct cause cause = {.kind = WHY_CPU, .who = culprit_of_run(run), .dev = ABSENT};

	service_history_add(cpu_history(w, run->cpu),
			    &(struct piece){
				    .begin = run->begin,
				    .end = run->end,
				    .cause = cause_get(&w->causes, &cause),
				    .tid = run->kind == RUN_TASK ? run->tid : 0,
				    .unsure = w->m->nr_losses > 0,
			    });
}

static void on_open(void *ctx, const struct run *run)
{
	(void)ctx;
	(void)run;
}

/* The thread's time up to that moment had those causes, each as cause_for() puts it into @cause. */
static void tell_shares(struct why *w, struct life *l, uint64_t end, const struct cause *cause,
			struct shares *shares, unsigned int leaf)
{
	struct place place = cpus_place(w->m, l->task);
	const struct piece p = {.begin = l->until,
				.end = end,
				.cause = cause,
				.unsure = w->m->nr_losses > 0,
				.leaf = leaf & INT32_MAX,
				.shares = shares};
	size_t i;

	for (i = 0; i < shares->nr; i++)
		why_account_share(w, l, &place, cause_for(&w->causes, cause, shares->list[i].cause),
				  shares->list[i].ns, &p);
	why_account_stretch(w, l, &place, &p);
	add_piece(w, l, &place, &p);
	l->until = end;
}

static const struct cause *had_by(struct why *w, const struct cause *like, struct culprit who)
{
	return cause_get(&w->causes,
			 &(struct cause){.kind = like->kind, .who = who, .dev = ABSENT});
}

/*
 * Who is not told apart is told as the container around it; of what is in none, there is the sum.
 * So whoever has thousands of containers within his own is not hidden by them.
 */
static void add_up_others(struct why *w, struct shares *s, size_t nr_others)
{
	const struct share_of *left = &s->list[s->nr];
	const struct cause *like = left->cause;
	struct share_of rest = {.first = UINT64_MAX};
	struct hash places = {0};
	size_t i, nr = 0;

	/* What is told takes the place of who was looked at. */
	for (i = 0; i < nr_others; i++) {
		const struct share_of share = left[i];
		const struct culprit *who = &share.cause->who;
		struct container *c = who->told ? container_around(w->m, who->container) : NULL;
		size_t at = c ? (uintptr_t)hash_get(&places, (uintptr_t)c) : 0;
		struct share_of *to = at ? &s->list[s->nr + at - 1] : &rest;

		if (c && !at && nr < CULPRITS_MAX) {
			to = &s->list[s->nr + nr++];
			*to = (struct share_of){.first = share.first};
			to->cause = had_by(w, like, (struct culprit){BY_TASKS, true, c});
			hash_put(&places, (uintptr_t)c, (void *)(uintptr_t)nr);
		}
		to->ns += share.ns;
		to->first = share.first < to->first ? share.first : to->first;
	}
	hash_free(&places);
	s->nr += nr;
	if (rest.ns) {
		rest.cause = had_by(w, like, (struct culprit){.kind = BY_OTHERS});
		s->list[s->nr++] = rest;
	}
	s->list = xrealloc(s->list, s->nr, sizeof(*s->list));
}

static struct shares *shares_of(struct why *w, const struct service_history *of, uint64_t begin,
				uint64_t end)
{
	size_t nr_others;
	struct shares *s = service_history_shares(of, begin > w->from ? begin : w->from,
						  end < w->to ? end : w->to, &nr_others);

	if (nr_others)
		add_up_others(w, s, nr_others);
	return s;
}

/*
 * So that what a wait costs does not depend on how many ran. Not where some of it is not known, or
 * each moment is wanted.
 */
static bool settle_queue_at_once(struct why *w, struct life *l, uint64_t now)
{
	const struct service_history *c = cpu_history(w, l->cpu);
	const struct history *h = &c->history;
	size_t i = history_find(h, l->until);

	if (h->nr - i <= PIECES_OF_WAIT || why_has_path(w, l) || l->ran_until > l->until ||
	    history_end(h) < now)
		return false;
	if (c->solid_since > (h->list[i].begin > l->until ? h->list[i].begin : l->until))
		return false;
	tell_unknown(w, l, h->list[i].begin, h->cut ? UNKNOWN_HISTORY : UNKNOWN_BEFORE);
	tell_shares(w, l, now, cause_of_queue(&w->causes), shares_of(w, c, l->until, now),
		    l->number);
	return true;
}

/* It waited for its CPU up to a moment, which others had. */
static void settle_behind(struct why *w, struct life *l, uint64_t now)
{
	const struct history *h = &cpu_history(w, l->cpu)->history;
	size_t i;

	if (now <= l->until)
		return;
	/* What another CPU is at just now. */
	if (history_end(h) < now)
		cpus_flush_one(w->h->cpus, l->cpu, now, on_open, NULL);
	if (settle_queue_at_once(w, l, now))
		return;
	for (i = history_find(h, l->until); i < h->nr && h->list[i].begin < now; i++) {
		const struct piece *p = &h->list[i];

		if (p->begin > l->until)
			tell_unknown(w, l, p->begin, h->cut ? UNKNOWN_HISTORY : UNKNOWN_BEFORE);
		/* Where its being switched in was lost, a thread does not wait for itself. */
		if (p->tid == l->task->tid)
			tell_unknown(w, l, p->end < now ? p->end : now, UNKNOWN_LOST);
		else
			tell(w, l, p->end < now ? p->end : now, p->cause, p->unsure);
	}
	tell_unknown(w, l, now, UNKNOWN_BEFORE);
}

/* It waited for its CPU up to now, which others had, or which it might not use. */
static void settle_queue(struct why *w, struct life *l, uint64_t now)
{
	struct throttled t;

	w->causes.of = l->task;
	while (w->throttles &&
	       throttles_next(w->throttles, w->m, l->task, l->cpu, l->until, now, &t)) {
		const struct cause cause = {
			.kind = WHY_THROTTLED,
			.cgroup = t.cgroup->path ? t.cgroup->path : "",
			.dev = ABSENT,
		};

		settle_behind(w, l, t.begin);
		tell(w, l, t.end, cause_get(&w->causes, &cause), false);
	}
	settle_behind(w, l, now);
}

/* A wait for a task, of that kind: who that is. */
static struct cause waker_cause(struct why *w, const struct life *waker, enum why_kind kind,
				unsigned int detail)
{
	struct place place = cpus_place(w->m, waker->task);
	struct container *c = container_is(place.container);
	struct cause cause = {
		.kind = kind,
		.who = {BY_TASKS, place.known, c},
		.dev = ABSENT,
		.detail = detail,
	};

	if (place.known && !c)
		cause.comm = waker->task->is_kthread ? cause_kernel : waker->task->comm;
	return cause;
}

/* The same, for one of whom each moment is wanted. */
static void take_moments(struct why *w, struct life *l, const struct piece *p, uint64_t end,
			 const struct cause *like)
{
	const struct history *h = &p->shares->of->history;
	size_t i;

	for (i = history_find(h, l->until); i < h->nr && h->list[i].begin < end; i++) {
		const struct piece *of = &h->list[i];
		const struct cause *cause = cause_for(&w->causes, p->cause, of->cause);

		tell_of(w, l, of->end < end ? of->end : end, cause_over(&w->causes, like, cause),
			of->unsure, w->lives[p->leaf]);
	}
}

/* Of a long wait for a CPU or a disk. */
static void take_shares(struct why *w, struct life *l, const struct piece *p, uint64_t to,
			const struct cause *like)
{
	const struct cause *over = cause_over(&w->causes, like, p->cause);
	uint64_t end = p->end < to ? p->end : to;
	bool is_kept = service_history_has(p->shares->of, l->until);

	if (is_kept && why_has_path(w, l))
		take_moments(w, l, p, end, like);
	else if (l->until == p->begin && end == p->end && !why_has_path(w, l))
		tell_shares(w, l, end, over, shares_get(p->shares), p->leaf);
	else if (is_kept)
		tell_shares(w, l, end, over, shares_of(w, p->shares->of, l->until, end), p->leaf);
	else
		tell_of(w, l, end,
			cause_over(&w->causes, like, cause_unknown(&w->causes, UNKNOWN_HISTORY)),
			false, w->lives[p->leaf]);
}

/* Pieces count as what is everybody's, while there is some for their owner, or as his. */
struct payer {
	struct why_owner *owner;
	bool is_shared;
};

static struct payer payer_of(struct why *w, struct life *l)
{
	struct place at = cpus_place(w->m, l->task);
	uint64_t shared = TAKEN_FIRST + TAKEN_EACH * w->nr_told;

	find_owner(w, l, &at);
	return (struct payer){
		.owner = l->owner,
		.is_shared = w->nr_taken <= shared || l->owner->nr_shared <= shared / w->owners.nr,
	};
}

static void pay(struct why *w, const struct payer *payer, uint64_t pieces)
{
	struct why_owner *o = payer->owner;

	*(payer->is_shared ? &o->nr_shared : &o->nr_taken) += pieces;
	w->nr_taken += payer->is_shared ? pieces : 0;
}

static bool is_spent(const struct payer *payer)
{
	const struct why_owner *o = payer->owner;

	return !payer->is_shared && o->nr_taken > TAKEN_FIRST + TAKEN_EACH * o->nr_waits;
}

/* The same for one more wait. */
static struct payer taker_of(struct why *w, struct life *l)
{
	struct payer taker = payer_of(w, l);

	taker.owner->nr_waits += !taker.is_shared;
	return taker;
}

/*
 * Before what a CPU did is forgotten, those who wait for it have it told. So whoever has it for a
 * moment, again and again, does not get out of sight of who waits for longer. Thousands may be kept
 * waiting so: it counts as if they took that over, and when their owner has nothing left for that,
 * they will have nothing of it.
 */
static void settle_waiting(struct why *w, struct why_cpu *c)
{
	const struct history *h = &c->history.history;
	uint64_t kept = history_is_full(h) ? h->list[h->nr - HISTORY_MAX].begin : 0;
	struct payer payer;
	uint64_t before;
	struct life *l;

	if (kept <= c->settled)
		return;
	c->settled = kept;
	for (l = c->waiting; l; l = l->next_here) {
		if (l->since >= kept)
			continue;
		payer = payer_of(w, l);
		if (is_spent(&payer))
			continue;
		life_settles(w, l);
		if (l->until < kept) {
			before = w->nr_added;
			settle_queue(w, l, history_end(h));
			pay(w, &payer, w->nr_added - before);
		}
	}
}

void why_run(struct why *w, const struct run *run)
{
	struct life *l = run->under == RUN_TASK && run->task ? life_of(w, run->task) : NULL;

	w->nr_told++;
	settle_waiting(w, cpu_of(w, run->cpu));
	w->causes.of = run->under == RUN_TASK ? run->task : NULL;
	add_to_cpu(w, run);
	if (l && run->kind == RUN_TASK)
		l->ran_until = run->end;
	/* After its end it is told once more if its last moments were lost. */
	if (!l || run->end <= l->until)
		return;
	life_settles(w, l);
	tell_unseen(w, l, run->begin);
	tell_at(w, l, run->end, plain(w, run->kind == RUN_TASK ? WHY_RAN : WHY_INTERRUPTED),
		w->m->nr_losses, &run->place, l);
}

/* The first piece that is taken over of those from @i on, and before @to: there may be many. */
static size_t first_taken(const struct why *w, const struct life *l, const struct payer *taker,
			  const struct history *h, size_t i, uint64_t to)
{
	size_t first = history_find(h, to), size = 0;

	if (why_has_path(w, l) || !is_spent(taker))
		return i;
	first += first < h->nr && h->list[first].begin < to;
	while (first > i && size < TAKEN_LEAST)
		size += size_of(&h->list[--first]);
	return first > i ? first : i;
}

/* The pieces of one that others wait for, up to a moment, become those of the one that waits. */
static void take_over(struct why *w, struct life *l, struct life *from, uint64_t to,
		      const struct cause *like)
{
	const struct history *h = &from->history;
	struct payer taker = taker_of(w, l);
	size_t all = history_find(h, l->until), i = first_taken(w, l, &taker, h, all, to);
	const struct cause *missing = cause_over(
		&w->causes, like,
		cause_unknown(&w->causes, h->cut || i > all ? UNKNOWN_HISTORY : UNKNOWN_BEFORE));

	w->taken = from;
	if (h->nr)
		make_newest(from);
	for (; i < h->nr && h->list[i].begin < to; i++) {
		const struct piece *p = &h->list[i];

		pay(w, &taker, size_of(p));
		if (p->begin > l->until)
			tell_of(w, l, p->begin, missing, false, from);
		if (p->shares) {
			take_shares(w, l, p, to, like);
			continue;
		}
		tell_of(w, l, p->end < to ? p->end : to, cause_over(&w->causes, like, p->cause),
			p->unsure, w->lives[p->leaf]);
	}
	w->taken = NULL;
}

/* What the waker did since its last piece, which it still does. */
static void take_last(struct why *w, struct life *l, const struct life *waker, uint64_t now,
		      const struct wake_source *by, const struct cause *like)
{
	const struct cause *below = runs_still(w, waker, now) ? plain(w, WHY_RAN)
				    : by->by_packet	      ? plain(w, WHY_NETWORK)
						    : cause_unknown(&w->causes, UNKNOWN_CYCLE);

	tell_of(w, l, now, cause_over(&w->causes, like, below), false, waker);
}

/* What was told of it holds up to the next loss. */
static bool holds(const struct why *w, uint64_t told)
{
	return told == w->m->nr_losses + 1;
}

/* The lock that it waits for; NULL: it waits for none. */
static const struct lock_wait *lock_of(const struct why *w, const struct life *l)
{
	return holds(w, l->locks_told) && l->locks.nr ? &l->locks.list[l->locks.nr - 1] : NULL;
}

/* Whoever gives a lock away wakes who waits for it. A signal's sender does not, nor does a packet.
 */
static bool is_for_lock(const struct why *w, const struct life *l, const struct wake_source *by)
{
	return by->by == WAKE_BY_TASK && by->how != WAKE_SIGNAL && !by->by_packet && lock_of(w, l);
}

static void settle_for_task(struct why *w, struct life *l, uint64_t now,
			    const struct wake_source *by)
{
	const struct lock_wait *lock = is_for_lock(w, l, by) ? lock_of(w, l) : NULL;
	enum why_kind kind = lock ? WHY_LOCK : WHY_OTHERS;
	unsigned int detail = lock ? lock->kind : WAKE_PLAIN;
	struct life *chain[MAKERS_MAX];
	struct life *waker = why_life(w, by->tid);
	struct cause like;
	size_t nr = 0, i;

	if (!waker || waker == l) {
		tell_unknown(w, l, now, UNKNOWN_CYCLE);
		return;
	}
	for (chain[nr++] = waker; nr < MAKERS_MAX && chain[nr - 1]->birth > l->until &&
				  chain[nr - 1]->maker && chain[nr - 1]->maker != l;)
		chain[nr] = chain[nr - 1]->maker, nr++;
	for (i = nr; --i;) {
		like = waker_cause(w, chain[i], kind, detail);
		take_over(w, l, chain[i], chain[i - 1]->birth, &like);
	}
	if (!lock && by->how != WAKE_PLAIN)
		like = waker_cause(w, waker, WHY_SIGNAL, by->how);
	else
		like = waker_cause(w, waker, kind, detail);
	take_over(w, l, waker, now, &like);
	take_last(w, l, waker, now, by, &like);
}

const struct cause *why_nobody(struct why *w, enum culprit_kind kind)
{
	return cause_get(&w->causes,
			 &(struct cause){.kind = WHY_DISK, .who = {.kind = kind}, .dev = ABSENT});
}

const struct cause *why_asker(struct why *w, int cpu, int64_t tid)
{
	struct life *l = wake_contexts_in_task(&w->contexts, cpu) ? why_life(w, tid) : NULL;
	struct cause cause;

	if (!l)
		return why_nobody(w, BY_UNKNOWN);
	w->causes.of = l->task;
	cause = waker_cause(w, l, WHY_DISK, 0);
	return cause_get(&w->causes, &cause);
}

const struct cause *why_charged(struct why *w, const struct event *ev, int64_t tid)
{
	struct cause cause = {.kind = WHY_DISK, .who = {BY_TASKS, true, NULL}, .dev = ABSENT};
	const struct ev_charge *charge = &ev->charge;
	const struct cause *asker;

	if (charge->hierarchy < 0 || charge->hierarchy > INT_MAX || charge->cgroup_id == ABSENT)
		return NULL;
	cause.who.container = container_is(
		cgroup_holder(w->m, (int)charge->hierarchy, (uint64_t)charge->cgroup_id));
	if (!cause.who.container)
		return NULL;
	/* A container in another one is charged with that one's where it has no account itself. */
	asker = why_asker(w, ev->cpu, tid);
	if (container_is_within(w->m, asker->who.container, cause.who.container))
		return asker;
	return cause_get(&w->causes, &cause);
}

/* Whether all is known of whose requests a disk had, once anything is, and in too many pieces. */
static bool is_in_pieces(const struct service_history *of, size_t first, uint64_t begin,
			 uint64_t end)
{
	const struct history *h = &of->history;
	uint64_t known;

	if (h->nr - first <= PIECES_OF_WAIT)
		return false;
	known = h->list[first].begin > begin ? h->list[first].begin : begin;
	return known < end && of->solid_since <= known && history_end(h) >= end;
}

/*
 * It waited for a disk up to a moment, in a stage in which it matters whose requests the disk has.
 * Where that is not known, nothing is said.
 */
static void settle_at_disk(struct why *w, struct life *l, uint64_t to, const struct cause *like,
			   enum disk_stage stage, const struct service_history *of)
{
	const struct history *h = &of->history;
	size_t i;

	if (to <= l->until)
		return;
	i = history_find(h, l->until);
	if (!why_has_path(w, l) && is_in_pieces(of, i, l->until, to)) {
		tell(w, l, h->list[i].begin, like, false);
		tell_shares(w, l, to,
			    cause_of_stage(&w->causes, like, stage | DISK_OF_SEVERAL, NULL),
			    shares_of(w, of, l->until, to), l->number);
		return;
	}
	for (; i < h->nr && h->list[i].begin < to; i++) {
		const struct piece *p = &h->list[i];

		tell(w, l, p->begin, like, false);
		tell(w, l, p->end < to ? p->end : to,
		     cause_of_stage(&w->causes, like, stage, p->cause), p->unsure);
	}
	tell(w, l, to, like, false);
}

/* The same up to now, when a request ended of which all is told. */
static void settle_request(struct why *w, struct life *l, uint64_t now, const struct cause *like,
			   const struct disk_request *r)
{
	const struct service_history *of = disk_queue_history(r->disk, now, why_nobody(w, BY_IDLE));

	tell(w, l, r->inserted < now ? r->inserted : now,
	     cause_of_stage(&w->causes, like, DISK_NOT_YET, NULL), false);
	settle_at_disk(w, l, r->issued < now ? r->issued : now, like, DISK_QUEUED, of);
	settle_at_disk(w, l, r->first < now ? r->first : now, like, DISK_BEHIND, of);
	tell(w, l, now, cause_of_stage(&w->causes, like, DISK_SERVED, r->who), false);
}

static enum disk_io io_of(int64_t rwbs)
{
	if (rwbs == ABSENT || !(rwbs & 5))
		return IO_OTHER;
	return rwbs & 1 ? IO_WRITE : IO_READ;
}

static void settle_for_disk(struct why *w, struct life *l, uint64_t now,
			    const struct wake_source *by)
{
	struct cause cause = {.kind = WHY_DISK, .dev = by->dev, .detail = io_of(by->rwbs)};
	const struct cause *like;

	/* It asked for nothing, so a page of its memory was not there. */
	if (holds(w, l->calls_told) && !l->call && !l->task->is_kthread &&
	    cause.detail == IO_READ) {
		cause.kind = WHY_MEMORY;
		cause.detail = MEMORY_FAULT;
	}
	like = cause_get(&w->causes, &cause);
	if (by->request.disk)
		settle_request(w, l, now, like, &by->request);
	tell(w, l, now, like, false);
}

static void settle_in_call(struct why *w, struct life *l, uint64_t now, enum why_kind kind)
{
	const struct cause cause = {
		.kind = kind,
		.call = holds(w, l->calls_told) ? l->call : NULL,
		.dev = ABSENT,
	};

	tell(w, l, now, cause_get(&w->causes, &cause), false);
}

/* Until a timer, which may be one that the kernel has set for it. */
static void settle_for_timer(struct why *w, struct life *l, uint64_t now)
{
	static const struct cause dirty = {
		.kind = WHY_MEMORY, .dev = ABSENT, .detail = MEMORY_DIRTY};

	if (holds(w, l->dirty_told))
		tell(w, l, now, cause_get(&w->causes, &dirty), false);
	else
		settle_in_call(w, l, now, WHY_SLEPT);
}

/* Why it was blocked up to now. */
static void settle_block(struct why *w, struct life *l, uint64_t now, const struct wake_source *by)
{
	w->causes.of = l->task;
	if (holds(w, l->reclaim_told) && !is_for_lock(w, l, by)) {
		settle_in_call(w, l, now, WHY_MEMORY);
		return;
	}
	switch (by->by) {
	case WAKE_BY_TASK:
		settle_for_task(w, l, now, by);
		break;
	case WAKE_BY_TIMER:
		settle_for_timer(w, l, now);
		break;
	case WAKE_BY_DISK:
		settle_for_disk(w, l, now, by);
		break;
	case WAKE_BY_NETWORK:
		settle_in_call(w, l, now, WHY_NETWORK);
		break;
	case WAKE_BY_INTERRUPT:
		tell_unknown(w, l, now, UNKNOWN_INTERRUPT);
		break;
	case WAKE_BY_UNKNOWN:
		tell_unknown(w, l, now, UNKNOWN_WAKER);
		break;
	}
}

void life_was_born(struct life *l, struct life *maker, uint64_t now)
{
	l->state = LIFE_BLOCKED;
	l->since = now;
	l->maker = maker;
}

void life_leaves(struct why *w, struct life *l, uint64_t now, enum life_state state, int cpu)
{
	life_settles(w, l);
	/* That it ran up to now has been told, but where that was lost. */
	tell_unseen(w, l, now);
	if (state == LIFE_DEAD) {
		life_ends(w, l, now);
		return;
	}
	set_state(w, l, state, cpu);
	l->since = now;
	l->wait += state == LIFE_BLOCKED;
}

void life_arrives(struct why *w, struct life *l, uint64_t now, int cpu)
{
	life_settles(w, l);
	if (l->state == LIFE_WAITS) {
		settle_queue(w, l, now);
		why_account_wait(w, l, l->since, now);
	} else if (l->state == LIFE_BLOCKED) {
		tell_unknown(w, l, now, UNKNOWN_WAKER);
	} else {
		tell_unseen(w, l, now);
	}
	set_state(w, l, LIFE_RUNS, cpu);
	l->since = now;
	l->woken_told = l->dirty_told = 0;
	l->stack = NULL;
}

void why_stack(struct why *w, int64_t tid, const void *stack)
{
	struct life *l = why_life(w, tid);

	if (l && l->state != LIFE_WAITS && l->state != LIFE_DEAD)
		l->stack = stack;
}

struct task *why_woken(struct why *w, int64_t tid, uint64_t *wait)
{
	struct life *l = why_life(w, tid);

	if (!l || l->state == LIFE_RUNS || l->state == LIFE_DEAD)
		return NULL;
	*wait = l->wait;
	return l->task;
}

struct last_wake *why_last_wake(struct why *w, int cpu)
{
	struct last_wake *last = hash_get(&w->last_wakes, (uint64_t)cpu);

	if (!last) {
		last = xcalloc(1, sizeof(*last));
		hash_put(&w->last_wakes, (uint64_t)cpu, last);
	}
	return last;
}

void life_settles(struct why *w, struct life *l)
{
	struct last_wake *last = l->wake;

	if (!last)
		return;
	l->wake = NULL;
	last->life = NULL;
	settle_block(w, l, last->ns, &last->by);
	why_account_wait(w, l, last->since, last->ns);
}

/* What it was blocked for is settled now, or after what its waker does next. */
static void unblock(struct why *w, struct life *l, uint64_t now, const struct wake_source *by,
		    int on)
{
	struct last_wake *last;

	if (by->by != WAKE_BY_TASK || by->by_packet || on < 0 ||
	    !w->h->offers[EV_SIGNAL_GENERATE]) {
		settle_block(w, l, now, by);
		why_account_wait(w, l, l->since, now);
		return;
	}
	last = why_last_wake(w, on);
	*last = (struct last_wake){l, l->since, now, *by};
	l->wake = last;
}

void life_is_woken(struct why *w, struct life *l, uint64_t now, const struct wake_source *by,
		   int cpu, int on)
{
	w->nr_told++;
	life_settles(w, l);
	switch (l->state) {
	case LIFE_WAITS:
		life_moves(w, l, now, cpu);
		return;
	case LIFE_DEAD:
		return;
	case LIFE_RUNS:
		tell_unknown(w, l, now, UNKNOWN_LOST);
		break;
	case LIFE_UNSEEN:
	case LIFE_BLOCKED:
		unblock(w, l, now, by, on);
		break;
	}
	set_state(w, l, LIFE_WAITS, cpu);
	l->since = now;
}

void life_waits_for(struct why *w, struct life *l, int cpu)
{
	set_state(w, l, LIFE_WAITS, cpu);
}

void life_moves(struct why *w, struct life *l, uint64_t now, int cpu)
{
	if (l->state != LIFE_WAITS || l->cpu == cpu)
		return;
	life_settles(w, l);
	settle_queue(w, l, now);
	life_waits_for(w, l, cpu);
}

void life_ends(struct why *w, struct life *l, uint64_t now)
{
	life_settles(w, l);
	l->until = now > l->until ? now : l->until;
	set_state(w, l, LIFE_DEAD, l->cpu);
	/* Nobody will ask: it wakes no more. */
	forget_history(w, l);
}

void life_revives(struct why *w, struct life *l, uint64_t now, int cpu)
{
	life_settles(w, l);
	if (l->state == LIFE_DEAD)
		l->until = now;
	life_arrives(w, l, now, cpu);
}

/* The rest, up to the trace's end. */
static void finish_life(struct why *w, struct life *l, uint64_t end)
{
	life_settles(w, l);
	switch (l->state) {
	case LIFE_WAITS:
		settle_queue(w, l, end);
		why_account_wait(w, l, l->since, end);
		break;
	case LIFE_UNSEEN:
	case LIFE_BLOCKED:
		tell(w, l, end, plain(w, WHY_NOT_WOKEN), false);
		break;
	case LIFE_RUNS:
		tell_unknown(w, l, end, UNKNOWN_LOST);
		break;
	case LIFE_DEAD:
		break;
	}
}

void why_finish(struct why *w, uint64_t end)
{
	struct task *t;
	size_t i;

	w->to = w->to < end ? w->to : end;
	/* Those that slept all the time, too. */
	for (t = w->m->tasks; t; t = t->next)
		if (t->tid > 0 && t->birth < end)
			life_of(w, t);
	for (i = 0; i < w->nr_lives; i++) {
		const struct task *of = w->lives[i]->task;

		finish_life(w, w->lives[i], of->death && of->death < end ? of->death : end);
	}
	why_accounts_settle(w);
}

void why_window(const struct why *w, uint64_t *from, uint64_t *to)
{
	*from = w->from > w->h->begin ? w->from : w->h->begin;
	*to = w->to;
}

void *why_block_ctx(const struct why *w)
{
	return w->opt.block_ctx;
}

const struct cause *why_cause_settled(struct why *w, const struct cause *cause)
{
	return cause_settled(&w->causes, cause);
}

bool why_is_coarse(const struct why *w)
{
	return w->is_coarse;
}

const struct quota *why_quota(const struct why *w, const struct cause *c)
{
	return quotas_get(&w->m->quotas, c->cgroup);
}

const char *why_device(const struct why *w, int64_t dev)
{
	return dev == ABSENT ? NULL : hash_get(&w->disks, (uint64_t)dev);
}
