/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "why-blame.h"
#include "label/cause-label.h"
#include "base/util.h"

/* A cause's end, and its time. */
struct end {
	const struct cause *what, *whose;
	uint64_t ns;
	bool had_disk;
	size_t place; /* among the account's sums */
};

static bool keeps_waiting(const struct cause *first, const struct cause *last)
{
	if (last->kind == WHY_SLEPT || last->kind == WHY_NOT_WOKEN)
		return false;
	return first != last || (first->kind != WHY_RAN && first->kind != WHY_INTERRUPTED &&
				 first->kind != WHY_UNKNOWN);
}

static const struct cause *last_of(const struct cause *c)
{
	while (c->below)
		c = c->below;
	return c;
}

static struct end end_of(struct why *w, const struct why_account *a, const struct cause_sum *s,
			 size_t place)
{
	struct end e = {.what = s->cause, .ns = s->ns, .place = place};

	while (e.what->below) {
		e.whose = e.what;
		e.what = e.what->below;
	}
	/* What the disk has got already it may serve at once, whatever else it has. */
	e.had_disk = e.what->stage == DISK_QUEUED && e.what->who.kind == BY_TASKS &&
		     e.what->who.told && !why_is_own(e.what, e.whose, a);
	/* Whoever waits for it: the same one is to blame. */
	if (e.what->kind == WHY_CPU || e.what->kind == WHY_THROTTLED || e.had_disk)
		e.whose = NULL;
	e.what = why_cause_around(w, e.what, a);
	e.whose = e.whose ? why_cause_around(w, e.whose, a) : NULL;
	return e;
}

static int compare_numbers(uintptr_t x, uintptr_t y)
{
	return x < y ? -1 : x > y;
}

static int compare_who(const struct cause *x, const struct cause *y)
{
	int d;

	if (!x || !y)
		return compare_numbers(x != NULL, y != NULL);
	d = compare_numbers(x->who.kind, y->who.kind);
	d = d ? d : compare_numbers(x->who.told, y->who.told);
	d = d ? d : compare_numbers((uintptr_t)x->who.container, (uintptr_t)y->who.container);
	return d ? d : compare_numbers((uintptr_t)x->comm, (uintptr_t)y->comm);
}

/* 0: they are told as one. */
static int compare_ends(const struct end *x, const struct end *y)
{
	const struct cause *a = x->what, *b = y->what;
	int d = compare_numbers(a->kind, b->kind);

	d = d ? d : compare_numbers(x->had_disk, y->had_disk);
	d = d ? d : compare_numbers((uintptr_t)a->cgroup, (uintptr_t)b->cgroup);
	d = d ? d : compare_numbers((uintptr_t)a->dev, (uintptr_t)b->dev);
	/* By one or by several: who had the CPU is the same. */
	if (!d && a->kind != WHY_CPU)
		d = compare_numbers(a->detail, b->detail);
	if (!d && (a->kind == WHY_CPU || x->had_disk))
		d = compare_who(a, b);
	return d ? d : compare_who(x->whose, y->whose);
}

static int compare(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	int d = compare_ends(x, y);

	return d ? d : compare_numbers(x->place, y->place);
}

/* Of equal ones in the order of the kinds, in which the unknown is last, and of the account. */
static bool is_larger(const struct end *e, const struct end *than)
{
	if (!than || e->ns != than->ns)
		return !than || e->ns > than->ns;
	return e->what->kind == than->what->kind ? e->place < than->place
						 : e->what->kind < than->what->kind;
}

/* The largest of what is told as one; NULL: there is none. Adds them up in the first ones. */
static const struct end *find_largest(struct end *ends, size_t nr)
{
	const struct end *largest = NULL;
	size_t i, first;

	for (first = 0; first < nr; first = i) {
		for (i = first + 1; i < nr && !compare_ends(&ends[first], &ends[i]); i++)
			time_add(&ends[first].ns, ends[i].ns);
		if (is_larger(&ends[first], largest))
			largest = &ends[first];
	}
	return largest;
}

struct why_blame why_blame(struct why *w, const struct why_account *a)
{
	struct end *ends = xcalloc(a->nr_sums + 1, sizeof(*ends)), e;
	struct why_blame b = {0};
	const struct end *largest;
	size_t nr = 0, i;

	for (i = 0; i < a->nr_sums; i++) {
		e = end_of(w, a, a->sums[i], i);
		if (!e.ns || !keeps_waiting(a->sums[i]->cause, last_of(a->sums[i]->cause)))
			continue;
		time_add(&b.of, e.ns);
		ends[nr++] = e;
	}
	qsort(ends, nr, sizeof(*ends), compare);
	largest = find_largest(ends, nr);
	if (largest) {
		b.what = largest->what;
		b.whose = largest->whose;
		b.had_disk = largest->had_disk;
		b.ns = largest->ns;
	}
	free(ends);
	return b;
}
