/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "service-history.h"
#include "base/hash.h"
#include "base/util.h"

/* From @begin to @end the clock goes, from what it said @before; then it stands. */
struct segment {
	uint64_t begin, end, before;
};

struct cpu_clock {
	const struct cause *cause;
	struct segment *segments; /* one at least */
	size_t nr, cap;
	struct cpu_clock *newer, *older; /* by their last segment */
};

static const struct segment *last_of(const struct cpu_clock *k)
{
	return &k->segments[k->nr - 1];
}

static void unlink_clock(struct service_history *c, struct cpu_clock *k)
{
	if (k->newer)
		k->newer->older = k->older;
	else if (c->newest == k)
		c->newest = k->older;
	if (k->older)
		k->older->newer = k->newer;
	k->newer = k->older = NULL;
}

static void clock_free(struct cpu_clock *k)
{
	free(k->segments);
	free(k);
}

static struct cpu_clock *clock_of(struct service_history *c, const struct cause *cause)
{
	struct cpu_clock *k = hash_get(&c->clocks, (uintptr_t)cause);

	if (!k) {
		k = xcalloc(1, sizeof(*k));
		k->cause = cause;
		hash_put(&c->clocks, (uintptr_t)cause, k);
	}
	return k;
}

static void make_newest(struct service_history *c, struct cpu_clock *k)
{
	if (c->newest == k)
		return;
	unlink_clock(c, k);
	k->older = c->newest;
	if (c->newest)
		c->newest->newer = k;
	c->newest = k;
}

static void add_segment(struct service_history *c, const struct piece *p)
{
	struct cpu_clock *k = clock_of(c, p->cause);
	struct segment g = {p->begin, p->end, 0};

	make_newest(c, k);
	if (k->nr && last_of(k)->end == p->begin) {
		k->segments[k->nr - 1].end = p->end;
		return;
	}
	if (k->nr)
		g.before = last_of(k)->before + (last_of(k)->end - last_of(k)->begin);
	k->segments = grow(k->segments, k->nr, &k->cap, sizeof(*k->segments));
	k->segments[k->nr++] = g;
}

/* The last segment that begins by then; the first if there is none. */
static size_t segment_at(const struct cpu_clock *k, uint64_t t)
{
	size_t low = 0, high = k->nr;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (k->segments[middle].begin <= t)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static uint64_t says(const struct segment *g, uint64_t t)
{
	uint64_t until = t < g->end ? t : g->end;

	return g->before + (until > g->begin ? until - g->begin : 0);
}

/* What the history does not have any more. */
static void forget(struct service_history *c, uint64_t before)
{
	struct cpu_clock *k, *older;
	size_t gone;

	for (k = c->newest; k; k = older) {
		older = k->older;
		if (last_of(k)->end <= before) {
			unlink_clock(c, k);
			hash_del(&c->clocks, (uintptr_t)k->cause);
			clock_free(k);
			continue;
		}
		gone = segment_at(k, before);
		k->nr -= gone;
		memmove(k->segments, k->segments + gone, k->nr * sizeof(*k->segments));
	}
}

void service_history_add(struct service_history *c, const struct piece *p)
{
	struct history *h = &c->history;
	uint64_t begin = h->nr ? h->list[0].begin : p->begin;

	if (!h->nr || history_end(h) != p->begin)
		c->solid_since = p->begin;
	history_add(h, p);
	add_segment(c, p);
	if (h->list[0].begin != begin)
		forget(c, h->list[0].begin);
}

bool service_history_has(const struct service_history *c, uint64_t begin)
{
	return c->history.nr && c->history.list[0].begin <= begin;
}

static int by_first(const void *a, const void *b)
{
	const struct share_of *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/*
 * Puts those that had most, to a factor of two, first, in their order; returns how many they are.
 * @ranks: how many there are of each.
 */
static size_t put_most_first(struct share_of *list, size_t nr, const size_t *ranks)
{
	size_t room = CULPRITS_MAX, kept = 0, i;
	unsigned int least = 64;

	while (least && ranks[least - 1] <= room)
		room -= ranks[--least];
	for (i = 0; i < nr; i++) {
		unsigned int rank = log2_of(list[i].ns);
		const struct share_of share = list[i];

		if (rank < least && (rank + 1 < least || !room))
			continue;
		room -= rank < least;
		list[i] = list[kept];
		list[kept++] = share;
	}
	return kept;
}

struct shares *service_history_shares(const struct service_history *c, uint64_t begin, uint64_t end,
				      size_t *nr_others)
{
	struct shares *s = xcalloc(1, sizeof(*s));
	const struct cpu_clock *k;
	size_t ranks[64] = {0}, cap = 0, at;

	s->refs = 1;
	s->of = c;
	*nr_others = 0;
	for (k = c->newest; begin < end && k && last_of(k)->end > begin; k = k->older) {
		struct share_of of = {.cause = k->cause};

		at = segment_at(k, begin);
		of.ns = says(&k->segments[segment_at(k, end)], end) - says(&k->segments[at], begin);
		if (!of.ns)
			continue;
		if (k->segments[at].end <= begin)
			at++;
		of.first = k->segments[at].begin > begin ? k->segments[at].begin : begin;
		s->list = grow(s->list, s->nr, &cap, sizeof(*s->list));
		s->list[s->nr++] = of;
		ranks[log2_of(of.ns)]++;
	}
	if (s->nr > CULPRITS_MAX) {
		*nr_others = s->nr;
		s->nr = put_most_first(s->list, s->nr, ranks);
		*nr_others -= s->nr;
	}
	if (s->nr)
		qsort(s->list, s->nr, sizeof(*s->list), by_first);
	return s;
}

void service_history_free(struct service_history *c)
{
	struct cpu_clock *k;
	size_t pos = 0;

	while ((k = hash_next(&c->clocks, &pos)))
		clock_free(k);
	hash_free(&c->clocks);
	history_free(&c->history);
}
