/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "process-map.h"
#include "base/util.h"

#define EACH_MAX   4096
#define LEVELS_MAX 64
#define COPIED_MAX (4u << 20)

/*
 * One level of what a process has: what was mapped since a fork lies over what was there before,
 * which several have, and which does not change while they have it. So a fork that maps something
 * costs no more than the lines that say so, of which each owner can write so many.
 */
struct process_map {
	size_t users; /* processes that have it, and levels that lie on it */
	struct process_map *below;
	struct mapped *all; /* by address; they do not overlap */
	size_t nr, cap;
	size_t nr_below; /* of all levels there, also what is hidden */
	size_t copied;	 /* of them, that others have, too */
};

static void let_go(struct process_maps *p, struct process_map *m)
{
	struct process_map *below;

	for (; m && !--m->users; m = below) {
		below = m->below;
		p->copied -= m->copied;
		free(m->all);
		free(m);
	}
}

/* The first that ends behind @address. */
static size_t first_behind(const struct process_map *m, uint64_t address)
{
	size_t from = 0, to = m->nr;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (m->all[middle].end > address)
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

static void insert(struct process_map *m, size_t at, struct mapped new)
{
	m->all = grow(m->all, m->nr, &m->cap, sizeof(*m->all));
	memmove(m->all + at + 1, m->all + at, (m->nr - at) * sizeof(*m->all));
	m->all[at] = new;
	m->nr++;
}

static void cut_begin(struct mapped *m, uint64_t begin)
{
	if (m->begin >= begin)
		return;
	m->offset += begin - m->begin;
	m->begin = begin;
}

/* What lies there no longer is: all of it, or a part. Returns where something new belongs. */
static size_t cut(struct process_map *m, uint64_t begin, uint64_t end)
{
	size_t at = first_behind(m, begin), last;

	if (at == m->nr)
		return at;
	if (m->all[at].begin < begin) {
		struct mapped rest = m->all[at];

		m->all[at].end = begin;
		cut_begin(&rest, begin);
		insert(m, ++at, rest);
	}
	for (last = at; last < m->nr && m->all[last].end <= end;)
		last++;
	memmove(m->all + at, m->all + last, (m->nr - last) * sizeof(*m->all));
	m->nr -= last - at;
	if (at < m->nr)
		cut_begin(&m->all[at], end);
	return at;
}

/* Puts under it what is not hidden of @below. */
static void merge(struct process_map *m, const struct process_map *below)
{
	struct process_map both = {0};
	uint64_t end = 0;
	size_t i, at = 0;

	for (i = 0; i < below->nr; i++) {
		struct mapped rest = below->all[i];

		cut_begin(&rest, end);
		while (rest.begin < rest.end && at < m->nr && m->all[at].begin < rest.end) {
			struct mapped head = rest;

			head.end = m->all[at].begin;
			if (head.begin < head.end)
				insert(&both, both.nr, head);
			end = m->all[at].end;
			insert(&both, both.nr, m->all[at++]);
			cut_begin(&rest, end);
		}
		if (rest.begin < rest.end)
			insert(&both, both.nr, rest);
	}
	while (at < m->nr)
		insert(&both, both.nr, m->all[at++]);
	free(m->all);
	m->all = both.all;
	m->nr = both.nr;
	m->cap = both.cap;
}

/* Makes it one level, for all who have it, if what others keep of those below can be copied. */
static void flatten(struct process_maps *p, struct process_map *m)
{
	struct process_map *below = m->below, *shared, *each;
	size_t nr;

	for (shared = below; shared && shared->users == 1;)
		shared = shared->below;
	nr = shared ? shared->nr + shared->nr_below : 0;
	if (nr > COPIED_MAX - p->copied)
		return;
	p->copied += nr;
	m->copied += nr;
	for (each = below; each; each = each->below)
		merge(m, each);
	m->below = NULL;
	m->nr_below = 0;
	let_go(p, below);
}

static size_t levels(const struct process_map *m)
{
	size_t nr = 0;

	for (; m; m = m->below)
		nr++;
	return nr;
}

/* A level that this process alone has; NULL: there are too many already. */
static struct process_map *own(struct process_maps *p, uint64_t pid)
{
	struct process_map *m = hash_get(&p->by_pid, pid), *new;

	if (m && m->users == 1)
		return m;
	if (levels(m) >= LEVELS_MAX)
		flatten(p, m);
	if (levels(m) >= LEVELS_MAX)
		return NULL;
	new = xcalloc(1, sizeof(*new));
	new->users = 1;
	new->below = m;
	new->nr_below = m ? m->nr + m->nr_below : 0;
	hash_put(&p->by_pid, pid, new);
	return new;
}

bool process_maps_put(struct process_maps *p, uint64_t pid, struct mapped new)
{
	struct process_map *m = own(p, pid);

	/* It may take one in two. */
	if (m && m->nr + m->nr_below + 2 > EACH_MAX)
		flatten(p, m);
	if (!m || m->nr + m->nr_below + 2 > EACH_MAX)
		return false;
	insert(m, cut(m, new.begin, new.end), new);
	return true;
}

void process_maps_clear(struct process_maps *p, uint64_t pid)
{
	struct process_map *m = hash_get(&p->by_pid, pid);

	if (!m)
		return;
	hash_del(&p->by_pid, pid);
	let_go(p, m);
}

void process_maps_fork(struct process_maps *p, uint64_t pid, uint64_t parent)
{
	struct process_map *m = hash_get(&p->by_pid, parent);

	if (pid == parent)
		return;
	process_maps_clear(p, pid);
	if (!m)
		return;
	m->users++;
	hash_put(&p->by_pid, pid, m);
}

const struct mapped *process_maps_at(const struct process_maps *p, uint64_t pid, uint64_t address)
{
	const struct process_map *m;
	size_t at;

	for (m = hash_get(&p->by_pid, pid); m; m = m->below) {
		at = first_behind(m, address);
		if (at < m->nr && m->all[at].begin <= address)
			return &m->all[at];
	}
	return NULL;
}

void process_maps_free(struct process_maps *p)
{
	struct process_map *m;
	size_t pos = 0;

	while ((m = hash_next(&p->by_pid, &pos)))
		let_go(p, m);
	hash_free(&p->by_pid);
}
