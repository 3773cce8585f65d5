/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "why-int.h"
#include "base/util.h"

/* So many are looked through as fast as an index. */
#define FEW_CAUSES 16

static struct why_account *account_new(const struct why *w, struct task *t, bool told,
				       struct container *c)
{
	struct why_account *a = xcalloc(1, sizeof(*a));

	a->task = t;
	a->told = told;
	a->container = c;
	a->worst = xcalloc(w->opt.nr_worst + 1, sizeof(*a->worst));
	return a;
}

void why_account_free(struct why_account *a)
{
	size_t i;

	for (i = 0; i < a->nr_sums; i++) {
		free(a->sums[i]->windows);
		free(a->sums[i]);
	}
	free(a->sums);
	for (i = 0; a->waits && i < WHY_NR; i++)
		histogram_free(&a->waits[i].lengths);
	free(a->waits);
	free(a->worst);
	hash_free(&a->by_cause);
	free(a);
}

static bool is_of(const struct why_account *a, const struct task *t, bool told,
		  const struct container *c)
{
	return a->task == t && a->told == told && a->container == c;
}

static struct why_account *find_account(struct why *w, struct life *l, bool told,
					struct container *c)
{
	struct task *t = w->opt.by_task ? l->task : NULL;
	uint64_t key = hash_numbers((uintptr_t)t, told ? (uintptr_t)c : 1);
	struct why_account *a;

	if (l->account && is_of(l->account, t, told, c))
		return l->account;
	while ((a = hash_get(&w->by_key, key)) && !is_of(a, t, told, c))
		key = hash_numbers(key, 1);
	if (!a) {
		a = account_new(w, t, told, c);
		hash_put(&w->by_key, key, a);
		w->accounts =
			grow(w->accounts, w->nr_accounts, &w->cap_accounts, sizeof(*w->accounts));
		w->accounts[w->nr_accounts++] = a;
	}
	l->account = a;
	return a;
}

/* A thread that was counted of an account. */
struct member {
	struct why_account *account;
	uint32_t life;
};

static uint64_t member_key(const struct why_account *a, uint32_t life)
{
	return hash_numbers((uintptr_t)a, life);
}

/* A thread that comes back is counted once. */
static void add_member(struct why *w, struct why_account *a, const struct life *l)
{
	uint64_t key = member_key(a, l->number);
	struct member *member;

	if (hash_get(&w->members, key))
		return;
	member = xcalloc(1, sizeof(*member));
	member->account = a;
	member->life = l->number;
	hash_put(&w->members, key, member);
}

/* What is not told of yet waits until the end. */
static struct why_account *account_of(struct why *w, struct life *l, const struct place *place)
{
	struct why_account *a;

	if (place->known) {
		a = find_account(w, l, true, container_is(place->container));
		add_member(w, a, l);
		return a;
	}
	if (!l->orphan)
		l->orphan = account_new(w, l->task, false, NULL);
	return l->orphan;
}

static struct cause_sum *sum_add(struct why_account *a, const struct cause *cause, uint64_t ns,
				 uint64_t unsure)
{
	struct cause_sum *s = hash_get(&a->by_cause, (uintptr_t)cause);

	if (!s) {
		s = xcalloc(1, sizeof(*s));
		s->cause = cause;
		hash_put(&a->by_cause, (uintptr_t)cause, s);
		a->sums = grow(a->sums, a->nr_sums, &a->cap_sums, sizeof(struct cause_sum *));
		a->sums[a->nr_sums++] = s;
	}
	time_add(&s->ns, ns);
	time_add(&s->unsure, unsure);
	time_add(&a->ns, ns);
	time_add(&a->unsure, unsure);
	return s;
}

uint64_t why_window_begin(const struct why *w, size_t i)
{
	uint64_t length = w->to - w->from, nr = w->opt.nr_windows;

	return w->from + length / nr * i + length % nr * i / nr;
}

/* The window of a moment that is in one. */
static size_t window_at(const struct why *w, uint64_t ns)
{
	uint64_t length = (w->to - w->from) / w->opt.nr_windows;
	uint64_t i = length ? (ns - w->from) / length : w->opt.nr_windows;

	/* What is left of the division has made some of them longer. */
	if (i >= w->opt.nr_windows)
		i = w->opt.nr_windows - 1;
	while (i && why_window_begin(w, i) > ns)
		i--;
	return i;
}

/* A wait for a CPU, of which a quota may turn out to have been the cause. */
static void keep_coarse(struct why *w, const struct life *l, const struct coarse_wait *like,
			size_t window, uint64_t ns)
{
	const struct cause *cause = like->sum->cause;
	struct coarse_wait wait = *like;

	if (cause->kind != WHY_CPU || w->h->offers[EV_THROTTLE])
		return;
	wait.told = w->m->now;
	wait.ns = ns;
	wait.window = window;
	wait.idle = cause->who.kind == BY_IDLE;
	coarse_add(&w->coarse, w->m, l->task, &wait);
}

/* @ns of the time from begin to end, evenly. */
static void add_windows(struct why *w, const struct life *l, const struct coarse_wait *of,
			uint64_t begin, uint64_t end, uint64_t ns)
{
	struct cause_sum *s = of->sum;
	uint64_t length, left = ns;
	size_t i;

	if (!w->opt.nr_windows)
		keep_coarse(w, l, of, 0, ns);
	begin = begin > w->from ? begin : w->from;
	end = end < w->to ? end : w->to;
	if (!w->opt.nr_windows || begin >= end)
		return;
	length = end - begin;
	if (!s->windows)
		s->windows = xcalloc(w->opt.nr_windows, sizeof(*s->windows));
	for (i = window_at(w, begin); begin < end; i++) {
		uint64_t until = why_window_begin(w, i + 1), part = left;

		if (until < end && ns == length)
			part = until - begin;
		else if (until < end)
			part = (uint64_t)((double)ns * (double)(until - begin) / (double)length);
		part = part < left ? part : left;
		time_add(&s->windows[i], part);
		keep_coarse(w, l, of, i, part);
		left -= part;
		begin = until;
	}
}

static uint64_t within(const struct why *w, uint64_t begin, uint64_t end)
{
	begin = begin > w->from ? begin : w->from;
	end = end < w->to ? end : w->to;
	return begin < end ? end - begin : 0;
}

static bool is_block(enum why_kind kind)
{
	return kind != WHY_RAN && kind != WHY_INTERRUPTED && kind != WHY_CPU &&
	       kind != WHY_THROTTLED;
}

static void hear(struct why *w, const struct life *l, const struct place *place,
		 const struct cause *cause, uint64_t ns)
{
	if (w->opt.on_block && is_block(cause->kind))
		w->opt.on_block(w->opt.block_ctx,
				&(struct why_time){l->task, *place, cause, ns, l->stack, l->wait});
}

static void count(struct why *w, struct life *l, const struct place *place,
		  const struct cause *cause, uint64_t ns, const struct piece *p)
{
	struct coarse_wait of = {.account = account_of(w, l, place), .unsure = p->unsure};

	of.sum = sum_add(of.account, cause, ns, p->unsure ? ns : 0);
	add_windows(w, l, &of, p->begin, p->end, ns);
	hear(w, l, place, cause, ns);
}

void why_account_add(struct why *w, struct life *l, const struct place *place,
		     const struct piece *p)
{
	uint64_t ns = within(w, p->begin, p->end);

	if (ns)
		count(w, l, place, p->cause, ns, p);
}

void why_account_share(struct why *w, struct life *l, const struct place *place,
		       const struct cause *cause, uint64_t ns, const struct piece *p)
{
	count(w, l, place, cause, ns, p);
}

struct taking_for {
	const struct why *w;
	const struct cause *cause;
};

/* What was a wait for a CPU is of another cause; all together is what it was. */
static void move_taken(void *ctx, const struct coarse_wait *wait, uint64_t ns)
{
	const struct taking_for *t = ctx;
	uint64_t unsure = wait->unsure ? ns : 0;
	struct cause_sum *to = sum_add(wait->account, t->cause, ns, unsure);

	wait->account->ns -= ns;
	wait->account->unsure -= unsure;
	wait->sum->ns -= ns;
	wait->sum->unsure -= unsure;
	if (!wait->sum->windows)
		return;
	if (!to->windows)
		to->windows = xcalloc(t->w->opt.nr_windows, sizeof(*to->windows));
	wait->sum->windows[wait->window] -= ns;
	time_add(&to->windows[wait->window], ns);
}

void why_account_taken(struct why *w, const struct quota_taken *taken)
{
	const struct cause cause = {.kind = WHY_THROTTLED,
				    .cgroup = taken->path,
				    .dev = ABSENT,
				    .detail = THROTTLE_COARSE};
	struct taking_for t = {w, cause_get(&w->causes, &cause)};

	w->is_coarse = true;
	/* Which part of what it took lies within a window is not told. */
	if (w->m->now > w->to || taken->interval_ns > w->m->now ||
	    w->m->now - taken->interval_ns < w->from)
		return;
	coarse_take(&w->coarse, w->m, taken, move_taken, &t);
}

static bool is_waiting(enum why_kind kind)
{
	return kind != WHY_RAN && kind != WHY_INTERRUPTED && kind != WHY_NOT_WOKEN &&
	       kind != WHY_UNKNOWN;
}

static void waits_add(struct why_account *a, enum why_kind kind, const struct histogram *lengths,
		      uint64_t longest)
{
	struct why_waits *waits;

	if (!a->waits)
		a->waits = xcalloc(WHY_NR, sizeof(*a->waits));
	waits = &a->waits[kind];
	if (lengths)
		histogram_add(&waits->lengths, lengths);
	else
		histogram_count(&waits->lengths, longest);
	if (longest > waits->longest)
		waits->longest = longest;
}

static void end_stretch(struct why *w, struct stretch *s)
{
	uint64_t ns = s->account && is_waiting(s->kind) ? within(w, s->begin, s->end) : 0;

	if (ns)
		waits_add(s->account, s->kind, NULL, ns);
	s->account = NULL;
}

void why_account_stretch(struct why *w, struct life *l, const struct place *place,
			 const struct piece *p)
{
	struct stretch *s = &l->stretch;

	if (w->opt.by_task)
		return;
	if (s->kind != p->cause->kind || s->end != p->begin) {
		end_stretch(w, s);
		s->kind = p->cause->kind;
		s->begin = p->begin;
	}
	s->end = p->end;
	/* It was found when the piece was counted. */
	if (within(w, p->begin, p->end))
		s->account = place->known ? l->account : l->orphan;
}

static void sink(struct why_wait *heap, size_t nr, size_t i)
{
	for (;;) {
		size_t least = i, k;
		struct why_wait wait;

		for (k = 2 * i + 1; k <= 2 * i + 2 && k < nr; k++)
			if (heap[k].end - heap[k].begin < heap[least].end - heap[least].begin)
				least = k;
		if (least == i)
			return;
		wait = heap[i];
		heap[i] = heap[least];
		heap[least] = wait;
		i = least;
	}
}

/* The longest are a heap, the shortest of them on top. */
static void keep_if_worst(const struct why *w, struct why_account *a, const struct why_wait *wait)
{
	size_t i;

	if (a->nr_worst < w->opt.nr_worst) {
		a->worst[a->nr_worst++] = *wait;
		for (i = a->nr_worst; i--;)
			sink(a->worst, a->nr_worst, i);
	} else if (a->nr_worst && wait->end - wait->begin > a->worst[0].end - a->worst[0].begin) {
		a->worst[0] = *wait;
		sink(a->worst, a->nr_worst, 0);
	}
}

static bool may_be_worst(const struct why *w, const struct why_account *a, uint64_t ns)
{
	return ns && (a->nr_worst < w->opt.nr_worst ||
		      (a->nr_worst && ns > a->worst[0].end - a->worst[0].begin));
}

/* What a wait went by for. */
struct wait_causes {
	struct cause_sum *sums;
	size_t nr, cap;
	struct hash places; /* of the sums' causes, with one added; of few there are none */
};

static size_t place_of(struct wait_causes *c, const struct cause *cause)
{
	uintptr_t place;
	size_t i;

	if (c->nr <= FEW_CAUSES) {
		for (i = 0; i < c->nr && c->sums[i].cause != cause;)
			i++;
		return i;
	}
	for (i = c->places.nr; i < c->nr; i++)
		hash_put(&c->places, (uintptr_t)c->sums[i].cause, (void *)(uintptr_t)(i + 1));
	place = (uintptr_t)hash_get(&c->places, (uintptr_t)cause);
	return place ? place - 1 : c->nr;
}

static void add_cause(struct wait_causes *c, const struct cause *cause, uint64_t ns)
{
	size_t i = place_of(c, cause);

	if (i == c->nr) {
		c->sums = grow(c->sums, c->nr, &c->cap, sizeof(*c->sums));
		c->sums[c->nr++] = (struct cause_sum){.cause = cause};
	}
	time_add(&c->sums[i].ns, ns);
}

const struct cause *why_cause_around(struct why *w, const struct cause *cause,
				     const struct why_account *account)
{
	struct container *in = account->told ? account->container : NULL;
	struct cause around = *cause;

	around.who.container = container_outside(w->m, around.who.container, in);
	return around.who.container == cause->who.container ? cause
							    : cause_get(&w->causes, &around);
}

/*
 * The largest cause of what the thread's history has between begin and end. Containers within one
 * are one: else who makes many within his own has less than others.
 */
static void find_cause(struct why *w, const struct life *l, const struct why_account *a,
		       struct why_wait *wait)
{
	struct wait_causes c = {0};
	size_t i, k;

	for (i = history_find(&l->history, wait->begin); i < l->history.nr; i++) {
		const struct piece *p = &l->history.list[i];
		const struct shares *s = p->shares;

		if (!s)
			add_cause(&c, why_cause_around(w, p->cause, a),
				  within(w, p->begin, p->end));
		for (k = 0; s && k < s->nr; k++)
			add_cause(&c,
				  why_cause_around(
					  w, cause_for(&w->causes, p->cause, s->list[k].cause), a),
				  s->list[k].ns);
		wait->unsure |= p->unsure;
	}
	for (i = 0; i < c.nr; i++)
		if (!wait->cause || c.sums[i].ns > wait->ns) {
			wait->cause = c.sums[i].cause;
			wait->ns = c.sums[i].ns;
		}
	free(c.sums);
	hash_free(&c.places);
}

void why_account_wait(struct why *w, struct life *l, uint64_t begin, uint64_t end)
{
	struct place place = cpus_place(w->m, l->task);
	struct why_wait wait = {
		.task = l->task,
		.begin = begin > w->from ? begin : w->from,
		.end = end < w->to ? end : w->to,
	};
	struct why_account *a;

	if (!w->opt.nr_worst || wait.begin >= wait.end)
		return;
	a = account_of(w, l, &place);
	if (!may_be_worst(w, a, wait.end - wait.begin))
		return;
	find_cause(w, l, a, &wait);
	/* Who slept as it wanted to did not suffer. */
	if (wait.cause && wait.cause->kind != WHY_SLEPT)
		keep_if_worst(w, a, &wait);
}

static void merge_windows(const struct why *w, struct cause_sum *to, const struct cause_sum *from)
{
	size_t i;

	if (from->windows && !to->windows)
		to->windows = xcalloc(w->opt.nr_windows, sizeof(*to->windows));
	for (i = 0; from->windows && i < w->opt.nr_windows; i++)
		time_add(&to->windows[i], from->windows[i]);
}

static void merge(struct why *w, struct why_account *to, const struct why_account *from)
{
	size_t i;

	for (i = 0; i < from->nr_sums; i++)
		merge_windows(w,
			      sum_add(to, cause_settled(&w->causes, from->sums[i]->cause),
				      from->sums[i]->ns, from->sums[i]->unsure),
			      from->sums[i]);
	for (i = 0; from->waits && i < WHY_NR; i++)
		if (from->waits[i].lengths.total)
			waits_add(to, (enum why_kind)i, &from->waits[i].lengths,
				  from->waits[i].longest);
	for (i = 0; i < from->nr_worst; i++)
		keep_if_worst(w, to, &from->worst[i]);
}

static int compare_waits(const void *a, const void *b)
{
	const struct why_wait *x = a, *y = b;
	uint64_t xs = x->end - x->begin, ys = y->end - y->begin;

	if (xs != ys)
		return xs > ys ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->task->tid - y->task->tid;
}

/* Containers are asked about; the host has the most threads, which sleep. */
static int rank(const struct why_account *a)
{
	return !a->told ? 2 : !a->container;
}

static int compare_accounts(const void *a, const void *b)
{
	const struct why_account *x = *(struct why_account *const *)a,
				 *y = *(struct why_account *const *)b;

	if (rank(x) != rank(y))
		return rank(x) - rank(y);
	return x->ns > y->ns ? -1 : x->ns < y->ns;
}

/* Of threads of which it was told later, or never, where they had been. */
static void settle_orphans(struct why *w)
{
	size_t i, k;

	for (i = 0; i < w->nr_lives; i++) {
		struct life *l = w->lives[i];
		struct place place;
		struct why_account *a;

		if (!l->orphan)
			continue;
		place = cpus_place(w->m, l->task);
		a = find_account(w, l, place.known,
				 place.known ? container_is(place.container) : NULL);
		add_member(w, a, l);
		/* In what was lost it may have been moved to where it was told to be. */
		for (k = 0; w->m->nr_losses && k < l->orphan->nr_sums; k++)
			l->orphan->sums[k]->unsure = l->orphan->sums[k]->ns;
		merge(w, a, l->orphan);
	}
}

/* Containers that were found out to be one. */
static void merge_accounts(struct why *w, struct why_account **old, size_t nr)
{
	size_t i;

	w->accounts = NULL;
	w->nr_accounts = w->cap_accounts = 0;
	hash_free(&w->by_key);
	w->by_key = (struct hash){0};
	for (i = 0; i < nr; i++) {
		struct life by = {.task = old[i]->task};

		old[i]->became =
			find_account(w, &by, old[i]->told, container_is(old[i]->container));
		merge(w, old[i]->became, old[i]);
	}
}

static void count_members(struct why *w)
{
	struct hash counted = {0};
	struct member *member;
	size_t pos = 0;

	while ((member = hash_next(&w->members, &pos))) {
		struct why_account *a = member->account->became;
		uint64_t key = member_key(a, member->life);

		a->threads += !hash_get(&counted, key);
		hash_put(&counted, key, a);
	}
	hash_free(&counted);
}

void members_free(struct hash *members)
{
	struct member *member;
	size_t pos = 0;

	while ((member = hash_next(members, &pos)))
		free(member);
	hash_free(members);
}

void why_accounts_settle(struct why *w)
{
	struct why_account **old;
	size_t nr, i;

	for (i = 0; i < w->nr_lives; i++)
		end_stretch(w, &w->lives[i]->stretch);
	settle_orphans(w);
	old = w->accounts;
	nr = w->nr_accounts;
	merge_accounts(w, old, nr);
	count_members(w);
	for (i = 0; i < nr; i++)
		why_account_free(old[i]);
	free(old);
	for (i = 0; i < w->nr_accounts; i++)
		if (w->accounts[i]->nr_worst)
			qsort(w->accounts[i]->worst, w->accounts[i]->nr_worst,
			      sizeof(struct why_wait), compare_waits);
	if (w->nr_accounts)
		qsort(w->accounts, w->nr_accounts, sizeof(*w->accounts), compare_accounts);
}

bool why_is_too_long(const struct why *w)
{
	size_t i;

	for (i = 0; i < w->nr_accounts; i++)
		if (time_is_too_long(w->accounts[i]->ns))
			return true;
	return false;
}

struct why_account *const *why_accounts(const struct why *w, size_t *nr)
{
	*nr = w->nr_accounts;
	return w->accounts;
}
