/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "waiting.h"
#include "base/util.h"
#include "model/cpus.h"

/* Whose groups are in no container, slice or service. */
#define NOBODY 1

/* What an owner may have looked at for a start. */
#define LOOKS_FIRST ((uint64_t)1 << 18)

static const struct cgroup *group_of(const struct waiting *s, const struct task *t)
{
	struct task_groups of = {0};
	size_t i;

	if (t)
		of = task_groups(s->m, t);
	for (i = 0; i < of.nr; i++)
		if (of.list[i].hierarchy == s->hierarchy)
			return task_group(s->m, &of.list[i]);
	return NULL;
}

/* The same for all that is below a group that is somebody's. */
static uint64_t owner_of(const struct cgroup *g)
{
	const struct cgroup *up = g, *own = NULL;
	uint64_t owner;

	if (!g || !g->path)
		return NOBODY;
	for_each_cgroup_up(up)
		if (up->is_boundary)
			own = up;
	owner = cgroup_owner(own, g);
	if (owner)
		return owner;
	return own ? (uintptr_t)own : NOBODY;
}

static struct waiters_owner *get_owner(struct waiting *s, uint64_t key)
{
	struct waiters_owner *o = hash_get(&s->owners, key);

	if (!o) {
		o = xcalloc(1, sizeof(*o));
		o->key = key;
		o->looks = LOOKS_FIRST;
		hash_put(&s->owners, key, o);
	}
	return o;
}

static struct waiters **cpu_of(struct waiting *s, int cpu)
{
	size_t nr = (size_t)cpu + 1, i;

	if (nr > s->nr_cpus) {
		s->cpus = xrealloc(s->cpus, nr, sizeof(struct waiters *));
		memset(s->cpus + s->nr_cpus, 0, (nr - s->nr_cpus) * sizeof(struct waiters *));
		/* What is first on a CPU points there. */
		for (i = 0; i < s->nr_cpus; i++)
			if (s->cpus[i])
				s->cpus[i]->here = &s->cpus[i];
		s->nr_cpus = nr;
	}
	return &s->cpus[cpu];
}

static struct waiters *find(const struct waiting *s, uint64_t owner, int cpu)
{
	return hash_get(&s->all, hash_numbers(owner, (uint64_t)cpu));
}

static struct waiters *get(struct waiting *s, uint64_t owner, int cpu)
{
	struct waiters *a = find(s, owner, cpu), **first;

	if (a)
		return a;
	a = xcalloc(1, sizeof(*a));
	a->owner = get_owner(s, owner);
	a->owner->nr++;
	a->cpu = cpu;
	first = cpu_of(s, cpu);
	a->next = *first;
	a->here = first;
	if (a->next)
		a->next->here = &a->next;
	*first = a;
	hash_put(&s->all, hash_numbers(owner, (uint64_t)cpu), a);
	return a;
}

/* Those that are nobody's are there again soon. */
static void let_go(struct waiting *s, struct waiters *a)
{
	struct waiters_owner *o = a->owner;

	if (a->is_held || a->first[0] || a->first[1] || o->key == NOBODY)
		return;
	*a->here = a->next;
	if (a->next)
		a->next->here = a->here;
	hash_del(&s->all, hash_numbers(o->key, (uint64_t)a->cpu));
	free(a);
	if (--o->nr)
		return;
	hash_del(&s->owners, o->key);
	free(o);
}

void waiting_add(struct waiting *s, struct waiter *w)
{
	struct waiter **first;

	w->among = get(s, s->is_split ? owner_of(group_of(s, w->task)) : NOBODY, w->cpu);
	first = &w->among->first[w->is_throttled];
	w->prev = NULL;
	w->next = *first;
	if (w->next)
		w->next->prev = w;
	*first = w;
}

void waiting_remove(struct waiting *s, struct waiter *w)
{
	struct waiters *a = w->among;

	if (w->prev)
		w->prev->next = w->next;
	else
		a->first[w->is_throttled] = w->next;
	if (w->next)
		w->next->prev = w->prev;
	let_go(s, a);
}

bool waiting_is_elsewhere(const struct waiting *s, const struct waiter *w)
{
	return s->is_split && w->task && owner_of(group_of(s, w->task)) != w->among->owner->key;
}

/* No quota was known of until now, which keeps nobody off. */
void waiting_split(struct waiting *s, int hierarchy)
{
	struct waiter *w, *next;
	struct waiters *a;
	size_t cpu;

	if (s->is_split)
		return;
	s->is_split = true;
	s->hierarchy = hierarchy;
	for (cpu = 0; cpu < s->nr_cpus; cpu++) {
		a = find(s, NOBODY, (int)cpu);
		w = a ? a->first[0] : NULL;
		if (a)
			a->first[0] = NULL;
		for (; w; w = next) {
			next = w->next;
			waiting_add(s, w);
		}
	}
}

/*
 * Of those who are somebody's one tells for all, unless the group is within what is his: then they
 * are the only ones.
 */
static bool may_be_below(const struct waiting *s, const struct waiters *a, const struct cgroup *g)
{
	const struct waiter *w = a->first[0] ? a->first[0] : a->first[1];
	const struct cgroup *up = w && g ? group_of(s, w->task) : NULL;

	if (!w)
		return false;
	if (!up || a->owner->key == NOBODY || g->hierarchy != s->hierarchy)
		return true;
	for_each_cgroup_up(up)
		if (up == g)
			return true;
	return false;
}

struct waiters *waiting_next(struct waiting *s, int cpu, int hierarchy, uint64_t group,
			     struct waiters *last)
{
	const struct cgroup *g = model_cgroup(s->m, hierarchy, group);
	uint64_t owner = hierarchy == s->hierarchy ? owner_of(g) : NOBODY;
	struct waiters *next;

	if (owner != NOBODY)
		next = last ? NULL : find(s, owner, cpu);
	else
		next = last ? last->next : *cpu_of(s, cpu);
	while (next && owner == NOBODY && !may_be_below(s, next, g))
		next = next->next;
	if (next)
		next->is_held = true;
	if (last) {
		last->is_held = false;
		let_go(s, last);
	}
	return next;
}

void waiting_free(struct waiting *s)
{
	struct waiters_owner *o;
	struct waiters *a;
	size_t pos = 0;

	while ((a = hash_next(&s->all, &pos)))
		free(a);
	for (pos = 0; (o = hash_next(&s->owners, &pos));)
		free(o);
	hash_free(&s->all);
	hash_free(&s->owners);
	free(s->cpus);
}
