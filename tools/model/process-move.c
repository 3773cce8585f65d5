/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "model-int.h"

/*
 * Moves of whole processes. A process can have as many threads as there are tids, and be moved as
 * often as a trace likes: a move is noted once, and each thread takes it over when it is looked at.
 */

/* The last move of each hierarchy, of one process. */
struct moves {
	struct process_move *list;
	size_t nr, cap;
};

static struct process_move *move_of(struct moves *p, int hierarchy, uint64_t id)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (p->list[i].hierarchy == hierarchy)
			return &p->list[i];
	/* No task has more, see task_join_cgroup(). */
	if (p->nr > HIERARCHIES_MAX)
		return NULL;
	p->list = grow(p->list, p->nr, &p->cap, sizeof(*p->list));
	p->list[p->nr] = (struct process_move){.hierarchy = hierarchy, .id = id};
	return &p->list[p->nr++];
}

void process_move_note(struct model *m, int pid, int hierarchy, uint64_t id)
{
	struct moves *p = hash_get(&m->process_moves, (uint64_t)pid);
	struct process_move *g;

	if (!p) {
		p = xcalloc(1, sizeof(*p));
		hash_put(&m->process_moves, (uint64_t)pid, p);
	}
	g = move_of(p, hierarchy, id);
	if (!g)
		return;
	g->nr = ++m->nr_process_moves;
	g->moved = m->now;
	if (m->attributes_until && m->now > m->attributes_until)
		return;
	g->told_nr = g->nr;
	g->told = m->now;
	g->id = id;
	g->group = model_cgroup(m, hierarchy, id);
}

const struct process_move *process_moves(const struct model *m, int pid, size_t *nr)
{
	const struct moves *p = hash_get(&m->process_moves, (uint64_t)pid);

	*nr = p ? p->nr : 0;
	return p ? p->list : NULL;
}

void process_moves_forget(struct model *m, int pid)
{
	struct moves *p = hash_get(&m->process_moves, (uint64_t)pid);

	if (!p)
		return;
	hash_del(&m->process_moves, (uint64_t)pid);
	free(p->list);
	free(p);
}

void process_moves_free(struct model *m)
{
	struct moves *p;
	size_t pos = 0;

	while ((p = hash_next(&m->process_moves, &pos))) {
		free(p->list);
		free(p);
	}
	hash_free(&m->process_moves);
}
