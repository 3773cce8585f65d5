/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "map.h"
#include "base/util.h"

static bool lived_at(const struct task *t, uint64_t at)
{
	return !at || (t->birth <= at && (!t->exited || t->death > at));
}

static bool has_tid(const struct task *t, int64_t tid)
{
	return t->tid == tid;
}

/*
 * As the container sees it: its own PID namespace's number, of tasks in namespaces
 * below it, too. One that has none of its own shows what the task itself sees.
 */
static bool has_vtid(struct model *m, struct task *t, const struct map_question *q)
{
	struct container *c = task_container(m, t);
	const struct pidns *ns;

	if (selection_has_host(q->where, m) && has_tid(t, q->vtid))
		return true;
	for (ns = t->ns; ns && ns->level; ns = ns->parent)
		if (ns->owner && selection_has(q->where, ns->owner) &&
		    t->vtids[ns->level] == q->vtid)
			return true;
	return t->nr_levels && selection_has(q->where, c) && (!c->ns || c->ns != t->ns) &&
	       t->vtids[t->nr_levels - 1] == q->vtid;
}

static int by_birth(const void *a, const void *b)
{
	const struct task *x = *(struct task *const *)a, *y = *(struct task *const *)b;

	if (x->birth != y->birth)
		return x->birth < y->birth ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

struct lives map_lives(struct model *m, const struct map_question *q)
{
	struct lives l = {0};
	struct task *t;

	for (t = m->tasks; t; t = t->next) {
		/* Who owns a namespace is found when a task of it is asked for. */
		task_container(m, t);
		if (!lived_at(t, q->at) || !(q->tid > 0 ? has_tid(t, q->tid) : has_vtid(m, t, q)))
			continue;
		l.life = grow(l.life, l.nr, &l.cap, sizeof(*l.life));
		l.life[l.nr++] = t;
	}
	if (l.nr)
		qsort(l.life, l.nr, sizeof(*l.life), by_birth);
	return l;
}
