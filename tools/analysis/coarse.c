/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "coarse.h"
#include "base/util.h"

/* Of each cgroup so many waits are kept, for so long; what is dropped stays what it was. */
#define WAITS_MAX   65536
#define KEEP_NS	    5000000000ull
/* Of fewer none are dropped. */
#define WAITS_LEAST 256

/*
 * What a quota took is looked for in all waits of that time. There are so many looks at the waits
 * of each cgroup for each that it has had, and some for a start; then what was taken from it is
 * told of nowhere. A container that has its waits looked at more often so has no part in those of
 * others.
 */
#define LOOKS_EACH  256
#define LOOKS_FIRST 4096

/*
 * So many cgroups are looked at, for each wait and each of what is taken: more than twice what a
 * recorder tells of in a second, and each that is looked at has waited in the last two. Only a
 * trace that none has written can have more.
 */
#define GROUPS_EACH  1024
#define GROUPS_FIRST ((uint64_t)1 << 24)

/* Of one cgroup, those told first at the begin. */
struct group_waits {
	const struct cgroup *group;
	struct coarse_wait *list;
	size_t nr, cap;
	uint64_t nr_told, nr_looks;
};

/* That of the task's from which on upwards there is a quota. */
static const struct cgroup *group_with_quota(const struct model *m, const struct task *t)
{
	const struct cgroup *g, *above;
	struct task_groups of;
	size_t i;

	if (!m->quotas.by_path.nr)
		return NULL;
	of = task_groups(m, t);
	for (i = 0; i < of.nr; i++) {
		g = task_group(m, &of.list[i]);
		above = g;
		for_each_cgroup_up(above)
			if (above->path && quotas_find(&m->quotas, above->path, above->path_hash))
				return g;
	}
	return NULL;
}

static struct group_waits *waits_of(struct coarse *c, const struct cgroup *g)
{
	struct group_waits *waits = hash_get(&c->by_group, (uintptr_t)g);

	if (!waits) {
		waits = xcalloc(1, sizeof(*waits));
		waits->group = g;
		hash_put(&c->by_group, (uintptr_t)g, waits);
		c->list = grow(c->list, c->nr, &c->cap, sizeof(*c->list));
		c->list[c->nr++] = waits;
	}
	return waits;
}

static void drop(struct group_waits *waits, size_t nr)
{
	if (!nr)
		return;
	memmove(waits->list, waits->list + nr, (waits->nr - nr) * sizeof(*waits->list));
	waits->nr -= nr;
}

void coarse_add(struct coarse *c, const struct model *m, const struct task *t,
		const struct coarse_wait *wait)
{
	const struct cgroup *g = group_with_quota(m, t);
	struct group_waits *waits;

	if (!g || !wait->ns)
		return;
	c->nr_told++;
	waits = waits_of(c, g);
	waits->nr_told++;
	if (waits->nr == WAITS_MAX ||
	    (waits->nr >= WAITS_LEAST && waits->list[waits->nr / 2].told + KEEP_NS < wait->told))
		drop(waits, waits->nr / 2);
	waits->list = grow(waits->list, waits->nr, &waits->cap, sizeof(*waits->list));
	waits->list[waits->nr++] = *wait;
}

/* It has no more to do where a group is far below: whoever is in a container can make it so. */
static bool is_within(const struct cgroup *g, const char *path, size_t length)
{
	if (!g->path || strncmp(g->path, path, length))
		return false;
	return !g->path[length] || g->path[length] == '/' || !strcmp(path, "/");
}

/* The first that was told within the interval. */
static size_t first_since(const struct group_waits *waits, uint64_t since)
{
	size_t low = 0, high = waits->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (waits->list[middle].told <= since)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whose of @left, of all that waited, is to be taken. */
struct share {
	uint64_t left, of;
};

static uint64_t share_of(struct share *s, uint64_t ns)
{
	uint64_t part = (uint64_t)((double)ns * ((double)s->left / (double)s->of));
	uint64_t others = s->of - ns;

	/* What is rounded must neither be too much for this one nor for those that come. */
	part = part < ns ? part : ns;
	part = part < s->left ? part : s->left;
	if (s->left - part > others)
		part = s->left - others;
	s->left -= part;
	s->of = others;
	return part;
}

struct taking {
	/* Those that are within the cgroup, of each the waits that were told in the interval. */
	struct of_group {
		struct group_waits *waits;
		size_t first;
	} * groups;
	size_t nr, cap;
	void (*take)(void *ctx, const struct coarse_wait *wait, uint64_t ns);
	void *ctx;
};

/* Returns how long it is, which is taken from only if there is @s. */
static uint64_t take_wait(const struct taking *t, struct coarse_wait *wait, struct share *s)
{
	uint64_t ns = wait->ns, part;

	if (!s || !ns)
		return ns;
	part = share_of(s, ns);
	wait->ns -= part;
	if (part)
		t->take(t->ctx, wait, part);
	return ns;
}

static void find_groups(struct coarse *c, struct taking *t, const char *path, uint64_t since)
{
	size_t length = strlen(path), i, first;

	c->nr_looks += c->nr;
	for (i = 0; i < c->nr; i++) {
		struct group_waits *waits = c->list[i];

		if (!is_within(waits->group, path, length) ||
		    waits->nr_looks > LOOKS_FIRST + LOOKS_EACH * waits->nr_told)
			continue;
		first = first_since(waits, since);
		waits->nr_looks += waits->nr - first;
		t->groups = grow(t->groups, t->nr, &t->cap, sizeof(*t->groups));
		t->groups[t->nr++] = (struct of_group){waits, first};
	}
}

/* Of those whose CPU was idle, or of the others. */
static uint64_t go_over(const struct taking *t, bool idle, struct share *s)
{
	uint64_t sum = 0;
	size_t i, k;

	for (i = 0; i < t->nr; i++) {
		struct group_waits *waits = t->groups[i].waits;

		for (k = t->groups[i].first; k < waits->nr; k++)
			if (waits->list[k].idle == idle)
				time_add(&sum, take_wait(t, &waits->list[k], s));
	}
	return sum;
}

/* Returns what is left of @ns. */
static uint64_t take_from(const struct taking *t, bool idle, uint64_t ns)
{
	uint64_t of = go_over(t, idle, NULL);
	struct share s = {.left = ns < of ? ns : of, .of = of};

	ns -= s.left;
	if (s.left)
		go_over(t, idle, &s);
	return ns;
}

static void group_free(struct group_waits *waits)
{
	free(waits->list);
	free(waits);
}

/* What was told before may belong to the interval of another, which is about as long. */
static void forget(struct coarse *c, uint64_t until)
{
	size_t i, nr = 0;

	for (i = 0; i < c->nr; i++) {
		struct group_waits *waits = c->list[i];

		drop(waits, first_since(waits, until));
		if (waits->nr) {
			c->list[nr++] = waits;
			continue;
		}
		hash_del(&c->by_group, (uintptr_t)waits->group);
		group_free(waits);
	}
	c->nr = nr;
}

static uint64_t before(uint64_t ns, uint64_t by)
{
	return ns > by ? ns - by : 0;
}

void coarse_take(struct coarse *c, const struct model *m, const struct quota_taken *taken,
		 void (*take)(void *ctx, const struct coarse_wait *wait, uint64_t ns), void *ctx)
{
	struct taking t = {.take = take, .ctx = ctx};
	uint64_t since = before(m->now, taken->interval_ns);

	c->nr_told++;
	if (c->nr_looks > GROUPS_FIRST + GROUPS_EACH * c->nr_told)
		return;
	find_groups(c, &t, taken->path, since);
	take_from(&t, false, take_from(&t, true, taken->ns));
	free(t.groups);
	forget(c, before(since, taken->interval_ns));
}

void coarse_free(struct coarse *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		group_free(c->list[i]);
	free(c->list);
	hash_free(&c->by_group);
}
