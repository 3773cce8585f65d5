/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "base/util.h"
#include "metrics-shown.h"

/* One that is shown by name, or may be from now on. */
struct candidate {
	struct metric_row *row;
	bool is_nested, is_new;
	ns_sum weight;
	size_t number;	/* of equal ones the first goes first */
	uint64_t owner; /* a key */
	uintptr_t turn; /* the how manieth of its owner, from 1 on */
	uint64_t death; /* 0: it lives */
};

bool metric_is_apart(const struct metric_row *r)
{
	return r->told && r->container;
}

static uint64_t owner_of(struct metrics *m, const struct metric_row *r, struct container *around)
{
	/* If that is added up with others, this is a row of them all. */
	const struct metric_row *outer = around ? metrics_row(m, around) : r;
	struct container *c = around ? around : container_is(r->container);
	uint64_t owner = outer->owner ? outer->owner : r->owner;

	if (c->cgroup)
		owner = cgroup_owner(c->cgroup, c->cgroup);
	return owner ? owner : (uintptr_t)c;
}

static bool is_candidate(const struct metric_row *r)
{
	return metric_is_apart(r) && r->shown <= SHOWN_ITSELF;
}

/*
 * Where the container around one has no row, as nothing ran in it itself, it gets one; and so does
 * the one around that. Who is shown already may have been moved into another one since. From here
 * on there is a row for each that is asked for.
 */
static void add_around(struct metrics *m)
{
	struct container *around;
	size_t i;

	for (i = 0; i < m->nr_rows; i++) {
		around = is_candidate(m->rows[i])
				 ? container_around(m->host->model, m->rows[i]->container)
				 : NULL;
		if (around)
			metrics_row(m, around);
	}
}

/*
 * Those that have a task, and those around them. Who has no PID namespace of his own is taken for
 * the one of what he makes first, and must not be gone with that.
 */
static struct hash living(struct model *m)
{
	struct hash living = {0};
	struct container *c;
	struct task *t;

	for (t = m->tasks; t; t = t->next) {
		c = t->exited ? NULL : task_container(m, t);
		for (; c && !hash_get(&living, (uintptr_t)c); c = container_parent(m, c))
			hash_put(&living, (uintptr_t)c, c);
	}
	return living;
}

static struct candidate candidate(struct metrics *m, struct metric_row *r, size_t number,
				  const struct hash *living)
{
	struct container *around = container_around(m->host->model, r->container);
	bool lives = hash_get(living, (uintptr_t)container_is(r->container));

	return (struct candidate){.row = r,
				  .is_nested = around,
				  .is_new = r->shown == SHOWN_NOT_YET,
				  .weight = r->cpu + r->waited,
				  .number = number,
				  .owner = owner_of(m, r, around),
				  .death = lives ? 0 : container_death(r->container)};
}

/* 0, or as which of them stays. */
static int by_number(const struct candidate *x, const struct candidate *y)
{
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Who ended first is last. */
static int by_death(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	uint64_t x_death = x->death ? x->death : UINT64_MAX;
	uint64_t y_death = y->death ? y->death : UINT64_MAX;

	if (x_death != y_death)
		return x_death > y_death ? -1 : 1;
	return -by_number(x, y);
}

/* The order of an owner's, which gives them their turns. */
static int by_merit(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->is_nested != y->is_nested)
		return x->is_nested ? 1 : -1;
	if (x->is_new != y->is_new)
		return x->is_new ? 1 : -1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return by_number(x, y);
}

static int by_turn(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	return by_merit(x, y);
}

static void give_turns(struct candidate *list, size_t nr)
{
	struct hash turns = {0};
	size_t i;

	qsort(list, nr, sizeof(*list), by_merit);
	for (i = 0; i < nr; i++) {
		list[i].turn = (uintptr_t)hash_get(&turns, list[i].owner) + 1;
		hash_put(&turns, list[i].owner, (void *)list[i].turn);
	}
	hash_free(&turns);
}

static void show(const struct candidate *c, enum metric_shown shown)
{
	c->row->shown = shown;
	c->row->was_itself = !c->is_new;
}

void metrics_choose(struct metrics *m, size_t max)
{
	struct hash alive = living(m->host->model);
	struct candidate *list;
	size_t nr = 0, i;

	add_around(m);
	list = xcalloc(m->nr_rows + 1, sizeof(*list));
	for (i = 0; i < m->nr_rows; i++)
		if (is_candidate(m->rows[i]))
			list[nr++] = candidate(m, m->rows[i], i, &alive);
	hash_free(&alive);
	qsort(list, nr, sizeof(*list), by_death);
	while (nr > max && list[nr - 1].death)
		show(&list[--nr], SHOWN_AS_ENDED);
	if (nr > max) {
		give_turns(list, nr);
		qsort(list, nr, sizeof(*list), by_turn);
	}
	for (i = 0; i < nr; i++)
		show(&list[i], i < max ? SHOWN_ITSELF : SHOWN_AS_OTHER);
	free(list);
	metrics_fold(m);
}
