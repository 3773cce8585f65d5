/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "process-map.h"
#include "base/util.h"

#define EACH_MAX 4096
#define ALL_MAX	 (4u << 20)

struct process_map {
	size_t users;	    /* processes that have it */
	struct mapped *all; /* by address; they do not overlap */
	size_t nr, cap;
};

static void let_go(struct process_maps *p, struct process_map *m)
{
	if (!m || --m->users)
		return;
	p->nr -= m->nr;
	free(m->all);
	free(m);
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

/* That of this process alone. */
static struct process_map *own(struct process_maps *p, uint64_t pid)
{
	struct process_map *m = hash_get(&p->by_pid, pid), *copy;

	if (m && m->users == 1)
		return m;
	copy = xcalloc(1, sizeof(*copy));
	copy->users = 1;
	if (m) {
		copy->nr = copy->cap = m->nr;
		copy->all = xcalloc(m->nr + 1, sizeof(*m->all));
		memcpy(copy->all, m->all, m->nr * sizeof(*m->all));
		p->nr += copy->nr;
		let_go(p, m);
	}
	hash_put(&p->by_pid, pid, copy);
	return copy;
}

static void insert(struct process_map *m, size_t at, struct mapped new)
{
	m->all = grow(m->all, m->nr, &m->cap, sizeof(*m->all));
	memmove(m->all + at + 1, m->all + at, (m->nr - at) * sizeof(*m->all));
	m->all[at] = new;
	m->nr++;
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
		rest.offset += begin - rest.begin;
		rest.begin = begin;
		insert(m, ++at, rest);
	}
	for (last = at; last < m->nr && m->all[last].end <= end;)
		last++;
	memmove(m->all + at, m->all + last, (m->nr - last) * sizeof(*m->all));
	m->nr -= last - at;
	if (at < m->nr && m->all[at].begin < end) {
		m->all[at].offset += end - m->all[at].begin;
		m->all[at].begin = end;
	}
	return at;
}

bool process_maps_put(struct process_maps *p, uint64_t pid, struct mapped new)
{
	struct process_map *m;
	size_t before;

	if (p->nr + EACH_MAX > ALL_MAX)
		return false;
	m = own(p, pid);
	/* It may take one in two. */
	if (m->nr + 2 > EACH_MAX)
		return false;
	before = m->nr;
	insert(m, cut(m, new.begin, new.end), new);
	p->nr += m->nr;
	p->nr -= before;
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
	const struct process_map *m = hash_get(&p->by_pid, pid);
	size_t at = m ? first_behind(m, address) : 0;

	return m && at < m->nr && m->all[at].begin <= address ? &m->all[at] : NULL;
}

void process_maps_free(struct process_maps *p)
{
	struct process_map *m;
	size_t pos = 0;

	while ((m = hash_next(&p->by_pid, &pos)))
		let_go(p, m);
	hash_free(&p->by_pid);
}
