/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "made-functions.h"

/* So many are looked at that begin before an address: some were there at other times. */
#define LOOK_AT	    64
#define PARENTS_MAX 8

static size_t maker_of(const struct made_functions *f, uint64_t pid)
{
	uintptr_t number = (uintptr_t)hash_get(&f->now, pid);

	return number ? number - 1 : NO_MAKER;
}

void made_functions_is(struct made_functions *f, uint64_t pid, size_t maker)
{
	hash_put(&f->now, pid, (void *)(uintptr_t)(maker + 1));
}

void made_functions_fork(struct made_functions *f, uint64_t pid, uint64_t parent)
{
	size_t maker = maker_of(f, parent);

	if (pid == parent)
		return;
	if (maker == NO_MAKER)
		hash_del(&f->now, pid);
	else
		made_functions_is(f, pid, maker);
}

void made_functions_clear(struct made_functions *f, uint64_t pid)
{
	hash_del(&f->now, pid);
}

size_t made_functions_tell(struct made_functions *f, uint64_t pid)
{
	size_t maker = maker_of(f, pid);

	if (maker != NO_MAKER && f->makers[maker].pid == pid)
		return maker;
	f->makers = grow(f->makers, f->nr_makers, &f->cap_makers, sizeof(*f->makers));
	f->makers[f->nr_makers] = (struct maker){.pid = pid, .parent = maker};
	made_functions_is(f, pid, f->nr_makers);
	return f->nr_makers++;
}

void made_functions_put(struct made_functions *f, const struct made_function *function)
{
	f->all = grow(f->all, f->nr, &f->cap, sizeof(*f->all));
	f->all[f->nr++] = *function;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_place(const void *a, const void *b)
{
	const struct made_function *x = a, *y = b;

	if (x->maker != y->maker)
		return compare(x->maker, y->maker);
	if (x->address != y->address)
		return compare(x->address, y->address);
	if (x->since != y->since)
		return compare(x->since, y->since);
	return compare(x->number, y->number);
}

/* Who writes all anew says it of the same functions again. */
static bool is_same(const struct made_function *a, const struct made_function *b)
{
	return a->maker == b->maker && a->address == b->address && a->size == b->size &&
	       !strcmp(a->name, b->name);
}

void made_functions_sort(struct made_functions *f)
{
	size_t i, nr = 0;

	if (f->nr)
		qsort(f->all, f->nr, sizeof(*f->all), by_place);
	for (i = 0; i < f->nr; i++)
		if (!nr || !is_same(&f->all[nr - 1], &f->all[i]))
			f->all[nr++] = f->all[i];
	f->nr = nr;
	for (i = 0; i < nr; i++)
		if (!f->makers[f->all[i].maker].nr++)
			f->makers[f->all[i].maker].first = i;
	hash_free(&f->now);
}

/* The one that was there last; else the first that came later, for it may have been told late. */
static bool is_better(const struct made_function *f, const struct made_function *than, uint64_t ns)
{
	bool was = f->since <= ns, other_was = than && than->since <= ns;

	if (!than || was != other_was)
		return !than || was;
	if (f->since != than->since)
		return was ? f->since > than->since : f->since < than->since;
	return f->number > than->number;
}

static const struct made_function *at(const struct made_functions *f, const struct maker *m,
				      uint64_t ns, uint64_t address)
{
	const struct made_function *all = f->all + m->first, *found = NULL;
	size_t from = 0, to = m->nr, i;

	/* The first that begins behind it. */
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (all[middle].address > address)
			to = middle;
		else
			from = middle + 1;
	}
	for (i = from; i-- > 0 && from - i <= LOOK_AT;)
		if (address - all[i].address < all[i].size && is_better(&all[i], found, ns))
			found = &all[i];
	return found;
}

const struct made_function *made_functions_at(const struct made_functions *f, uint64_t pid,
					      uint64_t ns, uint64_t address)
{
	const struct made_function *found = NULL;
	size_t maker = maker_of(f, pid);
	unsigned int i;

	for (i = 0; i < PARENTS_MAX && maker != NO_MAKER && !found; i++) {
		found = at(f, &f->makers[maker], ns, address);
		maker = f->makers[maker].parent;
	}
	return found;
}

void made_functions_free(struct made_functions *f)
{
	free(f->all);
	free(f->makers);
	hash_free(&f->now);
	*f = (struct made_functions){0};
}
