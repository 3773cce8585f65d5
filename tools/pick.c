/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "pick.h"
#include "text.h"
#include "util.h"

/* How well a text names a container, the best first. */
enum rank { BY_NAME, BY_INODE, BY_ID, NOT_MEANT };

struct candidates {
	struct container **list;
	size_t nr, cap;
	enum rank rank;
};

static enum rank rank_of(const struct container *c, const char *what)
{
	char inum[16];

	if ((c->name && !strcmp(c->name, what)) || (*c->id && !strcmp(c->id, what)))
		return BY_NAME;
	snprintf(inum, sizeof(inum), "%u", c->ns ? c->ns->inum : 0);
	if (c->ns && !strcmp(inum, what))
		return BY_INODE;
	return *c->id && !strncmp(c->id, what, strlen(what)) ? BY_ID : NOT_MEANT;
}

static bool lived_at(const struct container *c, uint64_t at)
{
	uint64_t death = container_death(c);

	return !at || (container_birth(c) <= at && (!death || death > at));
}

static void consider(struct candidates *all, struct container *c, const char *what)
{
	enum rank rank = rank_of(c, what);

	if (rank > all->rank || rank == NOT_MEANT)
		return;
	if (rank < all->rank)
		all->nr = 0;
	all->rank = rank;
	all->list = grow(all->list, all->nr, &all->cap, sizeof(*all->list));
	all->list[all->nr++] = c;
}

static bool overlap(const struct container *a, const struct container *b)
{
	uint64_t end_a = container_death(a), end_b = container_death(b);

	return (!end_b || container_birth(a) < end_b) && (!end_a || container_birth(b) < end_a);
}

/* Whether both are one for their users: started again, or one after the other under one name. */
static bool is_same(enum rank rank, const struct container *a, const struct container *b)
{
	if (*a->id && !strcmp(a->id, b->id) && !strcmp(a->runtime, b->runtime))
		return true;
	return rank != BY_ID && !overlap(a, b);
}

static bool is_ambiguous(const struct candidates *all)
{
	size_t i, k;

	for (i = 0; i < all->nr; i++)
		for (k = i + 1; k < all->nr; k++)
			if (!is_same(all->rank, all->list[i], all->list[k]))
				return true;
	return false;
}

static int ambiguous(const struct candidates *all, const char *what)
{
	char *text = NULL, *safe, *asked = text_escape(what);
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	for (i = 0; f && i < all->nr; i++) {
		const struct container *c = all->list[i];

		fprintf(f, "%s%s:%s", i ? "," : "", *c->runtime ? c->runtime : "unknown",
			*c->id ? c->id : "");
		if (c->name)
			fprintf(f, "(%s)", c->name);
		if (c->ns)
			fprintf(f, "@%u", c->ns->inum);
	}
	if (f)
		fclose(f);
	safe = text_escape(text ? text : "");
	error("The container is ambiguous; give more of its id, or the inode of its PID"
	      " namespace. container=%s candidates=%s",
	      asked, safe);
	free(text);
	free(safe);
	free(asked);
	return -1;
}

static int pick_of_host(struct pick *p, const struct model *m, const char *what, uint64_t at)
{
	struct candidates all = {.rank = NOT_MEANT};
	int ret = 0;
	size_t i;

	for (i = 0; i < m->nr_containers; i++)
		if (!m->containers[i]->became && lived_at(m->containers[i], at))
			consider(&all, m->containers[i], what);
	if (is_ambiguous(&all))
		ret = ambiguous(&all, what);
	for (i = 0; i < all.nr; i++)
		hash_put(&p->set, (uintptr_t)all.list[i], all.list[i]);
	free(all.list);
	return ret;
}

int pick_containers(struct pick *p, const struct loaded *l, const char *what, uint64_t at)
{
	char *safe;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++)
		if (pick_of_host(p, l->hosts[i]->model, what, at))
			return -1;
	if (p->set.nr)
		return 0;
	safe = text_escape(what);
	error("There is no such container%s; 'lttng-containers tree' lists them by name and id."
	      " container=%s",
	      at ? " at that time" : " in the trace", safe);
	free(safe);
	return -1;
}

bool pick_has(const struct pick *p, struct container *c)
{
	c = container_is(c);
	return c && hash_get(&p->set, (uintptr_t)c);
}

bool pick_holds(const struct pick *p, struct model *m, struct container *c)
{
	for (c = container_is(c); c; c = container_parent(m, c))
		if (pick_has(p, c))
			return true;
	return false;
}

void pick_free(struct pick *p)
{
	hash_free(&p->set);
}
