/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "queue.h"
#include "base/hash.h"
#include "base/util.h"

/*
 * Each culprit has an account of all that he had of the CPU, which is a clock that goes on while he
 * has it. What he had during a stay is what the clock says at its end, less what it said at its
 * begin. So that it can be asked what it said, it keeps its stretches; but only those that
 * a stay which is not settled yet has begun in or behind (see forget()). Who had
 * the CPU during a stay stands before the others, as accounts are in the order of their last
 * stretch. The parts that are unsure or tainted are worked out only where there are any.
 *
 * Where all wait for all, a stay would cost what there are of culprits. So once there are more than
 * CULPRITS_MAX, accounts are ranked by what they have had of the CPU so far, and those of the
 * higher ranks are told first. What is left of the stay then is known from the account of all. Who
 * is not told has had less of the CPU than a CULPRITS_MAX-th of it, or twice that, as each rank is
 * a power of two.
 *
 * So whoever has thousands of containers within his own would be told nowhere. From when accounts
 * are ranked there is one more for each container that has others within it, of all that these
 * have.
 */

#define RANKS  64
/* Beside the ranks: the accounts of what is within one container. */
#define WITHIN RANKS

struct figures {
	uint64_t ns, unsure, tainted;
};

/* From @begin to @end the clock goes, from what it said @before; then it stands. */
struct segment {
	uint64_t begin, end;
	struct figures before;
	bool unsure, taints;
};

struct account {
	struct culprit who;
	struct segment *segments;
	size_t nr, cap;
	unsigned int rank;
	struct account *newer, *older; /* of that rank, by their last stretch */
	struct account *around;	       /* whose rank is WITHIN: what this one has is in it, too */
	struct figures own;	       /* during settle(): of the task itself */
	struct figures told;	       /* during settle(), of WITHIN: in shares of their own */
	size_t share;		       /* during settle(): its place, if it has a share */
};

/* A stretch of who waits, though he should not have run: his being switched in was lost. */
struct own {
	struct account *account;
	struct figures had;
};

struct stay {
	void *user;
	int tid;
	uint64_t begin, end;		    /* UINT64_MAX: not left yet */
	size_t place;			    /* in the queue */
	struct stay *next_left;		    /* also of those that are free */
	struct stay *next_near, *prev_near; /* of those in one bucket */
	struct own *own;
	size_t nr_own, cap_own;
};

/* Of some tids: their stays, those that began first at the begin. */
struct bucket {
	struct stay *first, *last;
};

struct queue {
	queue_settled *settled;
	queue_around *around;
	void *ctx;
	struct stay **stays;
	size_t nr, cap;
	struct stay *left, *last_left; /* those that are left, by their end */
	/* By tid: nobody who makes a trace knows which tids meet in a bucket. */
	struct bucket *buckets;
	unsigned int bits; /* of how many there are */
	uint64_t odd;
	struct stay *free;
	bool has_doubts;      /* a stretch was unsure, or taints */
	uint64_t told;	      /* until then */
	uint64_t last_begin;  /* no stay begins later */
	struct hash accounts; /* by culprit_key() */
	struct account all;   /* of whoever it was */
	bool is_ranked;	      /* else all accounts have rank 0 */
	uint64_t ranks;	      /* a bit for each that has accounts */
	struct account *newest[RANKS + 1];
	size_t nr_segments, forget_at;
	struct share *shares; /* room for settle() */
	size_t cap_shares;
};

#define FORGET_MIN 64
#define BITS_MIN   5
#define FEW_SHARES 16

/* What the clock says before the first stretch. */
static void account_begin(struct account *a)
{
	a->segments = grow(NULL, 0, &a->cap, sizeof(*a->segments));
	a->segments[a->nr++] = (struct segment){0};
}

struct queue *queue_new(queue_settled *settled, queue_around *around, void *ctx)
{
	struct queue *q = xcalloc(1, sizeof(*q));

	q->settled = settled;
	q->around = around;
	q->ctx = ctx;
	q->forget_at = FORGET_MIN;
	q->odd = hash_numbers((uintptr_t)q, 0) | 1;
	q->bits = BITS_MIN;
	q->buckets = xcalloc((size_t)1 << q->bits, sizeof(*q->buckets));
	account_begin(&q->all);
	return q;
}

static void stay_free(struct stay *s)
{
	free(s->own);
	free(s);
}

/* Its memory serves the next one. */
static void stay_put(struct queue *q, struct stay *s)
{
	s->next_left = q->free;
	q->free = s;
}

static struct stay *stay_new(struct queue *q)
{
	struct stay *s = q->free;
	struct own *own;
	size_t cap;

	if (!s)
		return xcalloc(1, sizeof(*s));
	q->free = s->next_left;
	own = s->own;
	cap = s->cap_own;
	*s = (struct stay){.own = own, .cap_own = cap};
	return s;
}

void queue_free(struct queue *q, void (*drop)(void *user))
{
	struct account *a;
	struct stay *s;
	size_t i, pos = 0;

	if (!q)
		return;
	for (i = 0; i < q->nr; i++) {
		drop(q->stays[i]->user);
		stay_free(q->stays[i]);
	}
	while ((s = q->free)) {
		q->free = s->next_left;
		stay_free(s);
	}
	while ((a = hash_next(&q->accounts, &pos))) {
		free(a->segments);
		free(a);
	}
	hash_free(&q->accounts);
	free(q->all.segments);
	free(q->buckets);
	free(q->stays);
	free(q->shares);
	free(q);
}

static struct bucket *bucket_of(const struct queue *q, int tid)
{
	return &q->buckets[(uint32_t)tid * q->odd >> (64 - q->bits)];
}

static void put_near(struct queue *q, struct stay *s)
{
	struct bucket *b = bucket_of(q, s->tid);

	s->next_near = NULL;
	s->prev_near = b->last;
	if (b->last)
		b->last->next_near = s;
	else
		b->first = s;
	b->last = s;
}

/* Each is cut in two, which keeps the order of what is in it. */
static void add_buckets(struct queue *q)
{
	struct bucket *old = q->buckets;
	size_t nr = (size_t)1 << q->bits, i;
	struct stay *s, *next;

	q->buckets = xcalloc((size_t)1 << ++q->bits, sizeof(*q->buckets));
	for (i = 0; i < nr; i++)
		for (s = old[i].first; s; s = next) {
			next = s->next_near;
			put_near(q, s);
		}
	free(old);
}

struct stay *queue_enter(struct queue *q, void *user, int tid, uint64_t now)
{
	struct stay *s = stay_new(q);

	s->user = user;
	s->tid = tid;
	/* What was told before is not counted. */
	s->begin = now > q->told ? now : q->told;
	/* Time goes forward: see except_own(). */
	if (s->begin < q->last_begin)
		s->begin = q->last_begin;
	q->last_begin = s->begin;
	s->end = UINT64_MAX;
	if (q->nr >> q->bits)
		add_buckets(q);
	s->place = q->nr;
	q->stays = grow(q->stays, q->nr, &q->cap, sizeof(struct stay *));
	q->stays[q->nr++] = s;
	put_near(q, s);
	return s;
}

static void remove_stay(struct queue *q, struct stay *s)
{
	struct bucket *b = bucket_of(q, s->tid);

	q->stays[s->place] = q->stays[--q->nr];
	q->stays[s->place]->place = s->place;
	if (s->prev_near)
		s->prev_near->next_near = s->next_near;
	else
		b->first = s->next_near;
	if (s->next_near)
		s->next_near->prev_near = s->prev_near;
	else
		b->last = s->prev_near;
}

static uint64_t since(uint64_t begin, uint64_t t)
{
	return t > begin ? t - begin : 0;
}

/* Which segment the clock was in, or behind. */
static size_t segment_at(const struct account *a, uint64_t t)
{
	size_t low = 0, high = a->nr;

	/* The first does not begin later. */
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (a->segments[mid].begin <= t)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static struct figures figures_in(const struct segment *g, uint64_t t)
{
	uint64_t ns = since(g->begin, t < g->end ? t : g->end);
	struct figures f = g->before;

	f.ns += ns;
	f.unsure += g->unsure ? ns : 0;
	f.tainted += g->taints ? ns : 0;
	return f;
}

static struct figures figures_less(struct figures a, struct figures b)
{
	return (struct figures){since(b.ns, a.ns), since(b.unsure, a.unsure),
				since(b.tainted, a.tainted)};
}

static const struct segment *last_of(const struct account *a)
{
	return &a->segments[a->nr - 1];
}

static uint64_t ns_in(const struct segment *g, uint64_t t)
{
	return g->before.ns + since(g->begin, t < g->end ? t : g->end);
}

/* What the account had during the stay, up to @end. */
static inline struct figures had(const struct account *a, const struct stay *s, uint64_t end,
				 bool with_doubts, uint64_t *first)
{
	size_t i = segment_at(a, s->begin);
	const struct segment *g = &a->segments[i];
	struct figures f;

	*first = g->end > s->begin || i + 1 == a->nr ? s->begin : g[1].begin;
	if (!with_doubts)
		return (struct figures){
			.ns = since(a->own.ns, since(ns_in(g, s->begin), ns_in(last_of(a), end)))};
	f = figures_less(figures_in(last_of(a), end), figures_in(g, s->begin));
	return figures_less(f, a->own);
}

static int by_first(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* Mostly they are few, and qsort() would cost more than all else. Equal ones keep their order. */
static void sort_shares(struct share *shares, size_t nr)
{
	size_t i, to;

	if (nr > FEW_SHARES) {
		qsort(shares, nr, sizeof(*shares), by_first);
		return;
	}
	for (i = 1; i < nr; i++) {
		struct share share = shares[i];

		for (to = i; to && shares[to - 1].first > share.first; to--)
			shares[to] = shares[to - 1];
		shares[to] = share;
	}
}

static void add_own(struct figures *f, struct figures had)
{
	f->ns += had.ns;
	f->unsure += had.unsure;
	f->tainted += had.tainted;
}

static inline void add_share(struct queue *q, size_t *nr, const struct share *share)
{
	q->shares = grow(q->shares, *nr, &q->cap_shares, sizeof(*q->shares));
	q->shares[(*nr)++] = *share;
}

/* Of one rank. Returns whether there was room for all. */
static bool tell_rank(struct queue *q, const struct stay *s, uint64_t end, unsigned int rank,
		      size_t *nr, bool *is_unsure)
{
	struct account *a;

	for (a = q->newest[rank]; a && last_of(a)->end > s->begin; a = a->older) {
		struct share share = {.who = a->who};
		struct figures f = had(a, s, end, q->has_doubts, &share.first);

		*is_unsure |= f.tainted != 0;
		share.ns = f.ns;
		share.unsure = f.unsure;
		if (!f.ns)
			continue;
		if (*nr == CULPRITS_MAX)
			return false;
		a->share = *nr;
		add_share(q, nr, &share);
	}
	return true;
}

/* What the first @nr shares leave of the stay. */
static struct share share_of_others(struct queue *q, const struct stay *s, uint64_t end, size_t nr,
				    bool *is_unsure)
{
	struct share others = {.who = {.kind = BY_OTHERS}};
	struct figures all;
	size_t i;

	q->all.own = (struct figures){0};
	for (i = 0; i < s->nr_own; i++)
		add_own(&q->all.own, s->own[i].had);
	all = had(&q->all, s, end, q->has_doubts, &others.first);
	*is_unsure = all.tainted != 0;
	for (i = 0; i < nr; i++) {
		all.ns -= q->shares[i].ns;
		all.unsure -= q->shares[i].unsure;
	}
	others.ns = all.ns;
	others.unsure = all.unsure;
	return others;
}

/* That of @who, if it has one. */
static struct share *share_of(struct queue *q, size_t nr, const struct culprit *who)
{
	const struct account *a = hash_get(&q->accounts, culprit_key(who));

	if (!a || a->share >= nr || culprit_key(&q->shares[a->share].who) != culprit_key(who))
		return NULL;
	return &q->shares[a->share];
}

/* Of what is left for @others, who are within one container: it is as unsure of whom as it can be.
 */
static void tell_rest(struct queue *q, size_t *nr, struct share *others,
		      const struct account *within, struct figures rest, uint64_t first)
{
	const struct culprit who = {BY_TASKS, true, within->who.container};
	struct share *share = share_of(q, *nr, &who);

	if (share) {
		share->ns += rest.ns;
		share->unsure += rest.ns;
		share->first = first < share->first ? first : share->first;
	} else {
		add_share(q, nr, &(struct share){who, first, rest.ns, rest.ns});
	}
	others->ns -= rest.ns;
	others->unsure -= rest.unsure;
}

/* Who has no share of his own among the first *@nr is in that of the container that he is within.
 */
static void tell_within(struct queue *q, const struct stay *s, uint64_t end, size_t *nr,
			struct share *others)
{
	size_t told = *nr, i;
	struct account *a;

	for (i = 0; i < told; i++) {
		a = hash_get(&q->accounts, culprit_key(&q->shares[i].who));
		if (a->around)
			add_own(&a->around->told,
				(struct figures){q->shares[i].ns, q->shares[i].unsure, 0});
	}
	for (a = q->newest[WITHIN]; a && last_of(a)->end > s->begin; a = a->older) {
		uint64_t first;
		struct figures rest = figures_less(had(a, s, end, q->has_doubts, &first), a->told);

		a->told = (struct figures){0};
		if (rest.ns && *nr < 2 * CULPRITS_MAX)
			tell_rest(q, nr, others, a, rest, first);
	}
}

static void add_all_own(const struct stay *s)
{
	size_t i;

	for (i = 0; i < s->nr_own; i++) {
		struct account *a = s->own[i].account;

		add_own(&a->own, s->own[i].had);
		if (a->around)
			add_own(&a->around->own, s->own[i].had);
	}
}

static void clear_own(const struct stay *s)
{
	size_t i;

	for (i = 0; i < s->nr_own; i++) {
		struct account *a = s->own[i].account;

		a->own = (struct figures){0};
		if (a->around)
			a->around->own = a->own;
	}
}

/* Up to @end, which is not before the last stretch. The stay is free then. */
static void settle(struct queue *q, struct stay *s, uint64_t end)
{
	bool is_unsure = false, is_whole = true;
	uint64_t ranks = q->ranks;
	struct share others = {0};
	size_t nr = 0;

	add_all_own(s);
	while (ranks && is_whole) {
		unsigned int rank = log2_of(ranks);

		is_whole = tell_rank(q, s, end, rank, &nr, &is_unsure);
		ranks &= ~(1ULL << rank);
	}
	if (!is_whole) {
		others = share_of_others(q, s, end, nr, &is_unsure);
		tell_within(q, s, end, &nr, &others);
	}
	clear_own(s);
	sort_shares(q->shares, nr);
	if (others.ns)
		add_share(q, &nr, &others);
	remove_stay(q, s);
	q->settled(q->ctx, s->user, q->shares, nr, is_unsure);
	stay_put(q, s);
}

void queue_leave(struct queue *q, struct stay *s, uint64_t now, bool at_once)
{
	struct stay **at = &q->left;

	s->end = now;
	if (at_once || s->begin >= now) {
		settle(q, s, UINT64_MAX);
		return;
	}
	/* Time goes forward: it is the last. */
	if (q->last_left && q->last_left->end <= now)
		at = &q->last_left->next_left;
	while (*at && (*at)->end <= now)
		at = &(*at)->next_left;
	s->next_left = *at;
	*at = s;
	if (!s->next_left)
		q->last_left = s;
}

/* Those who left up to then. */
static void settle_left(struct queue *q, uint64_t until)
{
	struct stay *s;

	while ((s = q->left) && s->end <= until) {
		q->left = s->next_left;
		if (!q->left)
			q->last_left = NULL;
		settle(q, s, s->end);
	}
}

static void unlink_account(struct queue *q, struct account *a)
{
	if (a->newer)
		a->newer->older = a->older;
	else if (q->newest[a->rank] == a)
		q->newest[a->rank] = a->older;
	if (a->older)
		a->older->newer = a->newer;
	if (a->rank != WITHIN && !q->newest[a->rank])
		q->ranks &= ~(1ULL << a->rank);
	a->newer = a->older = NULL;
}

static unsigned int rank_of(const struct queue *q, const struct account *a)
{
	if (a->who.kind == BY_OTHERS)
		return WITHIN;
	return q->is_ranked ? log2_of(ns_in(last_of(a), UINT64_MAX)) : 0;
}

static void make_newest(struct queue *q, struct account *a)
{
	unsigned int rank = rank_of(q, a);

	if (q->newest[rank] == a)
		return;
	unlink_account(q, a);
	a->rank = rank;
	a->older = q->newest[rank];
	if (a->older)
		a->older->newer = a;
	q->newest[rank] = a;
	if (rank != WITHIN)
		q->ranks |= 1ULL << rank;
}

static void append_segment(struct queue *q, struct account *a, struct segment g)
{
	a->segments = grow(a->segments, a->nr, &a->cap, sizeof(*a->segments));
	a->segments[a->nr++] = g;
	q->nr_segments++;
}

static struct account *account_new(struct queue *q, const struct culprit *who)
{
	struct account *a = xcalloc(1, sizeof(*a));

	a->who = *who;
	account_begin(a);
	q->nr_segments++;
	hash_put(&q->accounts, culprit_key(who), a);
	return a;
}

/* NULL: it is within none. */
static struct account *account_around(struct queue *q, const struct account *a)
{
	const struct culprit who = {.kind = BY_OTHERS, .container = q->around(q->ctx, &a->who)};
	struct account *around = who.container ? hash_get(&q->accounts, culprit_key(&who)) : NULL;

	return around || !who.container ? around : account_new(q, &who);
}

struct nth_segment {
	struct account *of;
	size_t nr;
};

static int by_begin(const void *a, const void *b)
{
	const struct nth_segment *x = a, *y = b;
	uint64_t t = x->of->segments[x->nr].begin, u = y->of->segments[y->nr].begin;

	return t < u ? -1 : t > u;
}

/* What the clock went on by from the end of the segment before it on. */
static void add_to_around(struct queue *q, const struct nth_segment *nth)
{
	const struct account *a = nth->of;
	struct segment g = a->segments[nth->nr];

	if (nth->nr)
		g.before =
			figures_less(g.before, figures_in(&a->segments[nth->nr - 1], UINT64_MAX));
	add_own(&g.before, figures_in(last_of(a->around), UINT64_MAX));
	append_segment(q, a->around, g);
	make_newest(q, a->around);
}

/* Those around the accounts that there are have had what these have had. */
static void begin_around(struct queue *q)
{
	struct nth_segment *list = xcalloc(q->nr_segments, sizeof(*list));
	struct account *a;
	unsigned int rank;
	size_t nr = 0, i;

	for (rank = 0; rank < RANKS; rank++)
		for (a = q->newest[rank]; a; a = a->older) {
			a->around = account_around(q, a);
			for (i = 0; a->around && i < a->nr; i++)
				list[nr++] = (struct nth_segment){a, i};
		}
	if (nr)
		qsort(list, nr, sizeof(*list), by_begin);
	for (i = 0; i < nr; i++)
		add_to_around(q, &list[i]);
	free(list);
}

/* From now on. */
static void begin_ranks(struct queue *q)
{
	struct account *a = q->newest[0], *newer;

	while (a && a->older)
		a = a->older;
	q->is_ranked = true;
	q->newest[0] = NULL;
	for (; a; a = newer) {
		newer = a->newer;
		a->newer = a->older = NULL;
		make_newest(q, a);
	}
	begin_around(q);
}

static struct account *account_of(struct queue *q, const struct culprit *who)
{
	struct account *a = hash_get(&q->accounts, culprit_key(who));

	if (a)
		return a;
	if (!q->is_ranked && q->accounts.nr == CULPRITS_MAX)
		begin_ranks(q);
	a = account_new(q, who);
	/* Which it is within is asked once, before it has anything. */
	if (q->is_ranked)
		a->around = account_around(q, a);
	return a;
}

static void add_segment(struct queue *q, struct account *a, const struct stretch *r)
{
	const struct segment *last = last_of(a);
	struct segment g = {r->begin, r->end, figures_in(last, UINT64_MAX), r->unsure, r->taints};

	/* The first says what was before; another one, in which no stay began, nobody asks for. */
	if (a->nr > 1 && q->last_begin < last->begin) {
		a->segments[a->nr - 1] = g;
		return;
	}
	append_segment(q, a, g);
}

/* It mostly goes on as it did. */
static void add_to_all(struct queue *q, const struct stretch *r)
{
	struct segment *last = &q->all.segments[q->all.nr - 1];

	if (last->end == r->begin && last->unsure == r->unsure && last->taints == r->taints)
		last->end = r->end;
	else
		add_segment(q, &q->all, r);
}

/*
 * What a task runs itself it does not wait for. Of those that began later, of which there may be
 * many, none was in its way.
 */
static void except_own(struct queue *q, struct account *a, const struct stretch *r)
{
	struct stay *s;

	for (s = bucket_of(q, r->tid)->first; s && s->begin < r->end; s = s->next_near) {
		uint64_t begin = s->begin > r->begin ? s->begin : r->begin;
		uint64_t ns = since(begin, s->end < r->end ? s->end : r->end);
		struct figures f = {ns, r->unsure ? ns : 0, r->taints ? ns : 0};

		if (s->tid != r->tid || !ns)
			continue;
		if (s->nr_own && s->own[s->nr_own - 1].account == a) {
			add_own(&s->own[s->nr_own - 1].had, f);
			continue;
		}
		s->own = grow(s->own, s->nr_own, &s->cap_own, sizeof(*s->own));
		s->own[s->nr_own++] = (struct own){a, f};
	}
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Leaves of an account its last segment, and those in or behind which a stay has begun. */
static void forget_in(struct account *a, const uint64_t *begins, size_t nr)
{
	size_t i, next = 0, kept = 0;

	for (i = 0; i < a->nr; i++) {
		while (next < nr && begins[next] < a->segments[i].begin)
			next++;
		if (i + 1 == a->nr || (next < nr && begins[next] < a->segments[i + 1].begin))
			a->segments[kept++] = a->segments[i];
	}
	a->nr = kept;
}

/* Segments that nobody will ask for. There are so many by now that it costs little for each. */
static void forget(struct queue *q)
{
	uint64_t *begins = xcalloc(q->nr + 1, sizeof(*begins));
	struct account *a;
	size_t i, pos = 0;

	for (i = 0; i < q->nr; i++)
		begins[i] = q->stays[i]->begin;
	qsort(begins, q->nr, sizeof(*begins), by_value);
	forget_in(&q->all, begins, q->nr);
	q->nr_segments = q->all.nr;
	while ((a = hash_next(&q->accounts, &pos))) {
		forget_in(a, begins, q->nr);
		q->nr_segments += a->nr;
	}
	free(begins);
	q->forget_at = 2 * (q->nr_segments + q->nr) + FORGET_MIN;
}

static void add_run(struct queue *q, struct account *a, const struct stretch *r)
{
	add_segment(q, a, r);
	make_newest(q, a);
}

void queue_run(struct queue *q, const struct stretch *r)
{
	struct account *a;

	if (q->nr && r->begin < r->end) {
		settle_left(q, r->begin);
		a = account_of(q, &r->who);
		q->has_doubts = q->has_doubts || r->unsure || r->taints;
		add_to_all(q, r);
		add_run(q, a, r);
		if (a->around)
			add_run(q, a->around, r);
		if (r->tid)
			except_own(q, a, r);
	}
	settle_left(q, r->until);
	q->told = r->until;
	if (q->nr_segments > q->forget_at)
		forget(q);
}

static void account_drop(struct queue *q, struct account *a)
{
	unlink_account(q, a);
	hash_del(&q->accounts, culprit_key(&a->who));
	q->nr_segments -= a->nr;
	free(a->segments);
	free(a);
}

void queue_forget(struct queue *q, void (*culprit)(void *ctx, const struct culprit *who),
		  void (*user)(void *ctx, void *user), void *ctx)
{
	/* No stay to come begins before. */
	uint64_t first = q->told;
	struct account *a, *older;
	unsigned int rank;
	size_t i;

	for (i = 0; i < q->nr; i++) {
		first = q->stays[i]->begin < first ? q->stays[i]->begin : first;
		user(ctx, q->stays[i]->user);
	}
	/* What is within another one has none later than that. */
	for (rank = 0; rank <= WITHIN; rank++)
		for (a = q->newest[rank]; a; a = older) {
			older = a->older;
			if (last_of(a)->end <= first)
				account_drop(q, a);
			else
				culprit(ctx, &a->who);
		}
}

void queue_settle(struct queue *q)
{
	while (q->nr)
		settle(q, q->stays[0], UINT64_MAX);
	q->left = q->last_left = NULL;
}
