/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "why-int.h"
#include "base/util.h"

/* Where the one at the end of the chain is: at first the thread itself. */
static void find_place(struct path_step *s, const struct place *place)
{
	const struct cause *c;

	s->told = place->known;
	s->container = place->container;
	for (c = s->cause; c->below; c = c->below) {
		s->told = c->who.told;
		s->container = c->who.container;
	}
}

static bool goes_on(const struct path_step *last, const struct path_step *s)
{
	return last->end == s->begin && last->owner == s->owner && last->task == s->task &&
	       last->cause == s->cause && last->unsure == s->unsure &&
	       last->container == s->container && last->told == s->told;
}

bool why_has_path(const struct why *w, const struct life *l)
{
	return w->opt.path_tid && l->task->tid == w->opt.path_tid;
}

void why_path_add(struct why *w, const struct life *l, const struct place *place,
		  const struct piece *p)
{
	struct path_step s = {
		.owner = l->task,
		.task = w->lives[p->leaf]->task,
		.unsure = p->unsure,
		.cause = p->cause,
		.begin = p->begin > w->from ? p->begin : w->from,
		.end = p->end < w->to ? p->end : w->to,
	};

	if (!why_has_path(w, l) || s.begin >= s.end)
		return;
	find_place(&s, place);
	if (w->nr_path && goes_on(&w->path[w->nr_path - 1], &s)) {
		w->path[w->nr_path - 1].end = s.end;
		return;
	}
	w->path = grow(w->path, w->nr_path, &w->cap_path, sizeof(*w->path));
	w->path[w->nr_path++] = s;
}

const struct path_step *why_path(const struct why *w, size_t *nr)
{
	*nr = w->nr_path;
	return w->path;
}
