/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "model-int.h"

struct pidns *model_namespace(const struct model *m, uint32_t inum)
{
	return hash_get(&m->by_inum, inum);
}

struct pidns *pidns_new(struct model *m, uint32_t inum, int level, struct pidns *parent,
			uint64_t birth)
{
	struct pidns *ns = xcalloc(1, sizeof(*ns));

	ns->inum = inum;
	ns->level = level;
	ns->parent = parent;
	ns->birth = birth;
	ns->conf = m->now;
	ns->init_tid = ns->init_start_time = ns->user_ns_inum = ABSENT;
	ns->serial = ++m->last_namespace;
	m->namespaces =
		grow(m->namespaces, m->nr_namespaces, &m->cap_namespaces, sizeof(*m->namespaces));
	m->namespaces[m->nr_namespaces++] = ns;
	hash_put(&m->by_inum, inum, ns);
	return ns;
}

void pidns_emptied(struct model *m, struct pidns *ns, uint64_t when)
{
	ns->emptied = when;
	/* Of one that was born in the trace all tasks are known, if nothing was lost. */
	if (absence_sure(m) == SURE || (ns->birth && told_sure(m, ns->birth) == SURE))
		ns->death = when;
}

void pidns_bury(struct model *m)
{
	size_t i;

	for (i = 0; i < m->nr_namespaces; i++) {
		struct pidns *ns = m->namespaces[i];

		if (!ns->death && !ns->nr_alive && ns->level)
			ns->death = ns->emptied ? ns->emptied : m->dump_start;
	}
}

bool pidns_has_chain(const struct pidns *ns, const struct chain *c, int n)
{
	if (!ns || ns->level != n - 1)
		return false;
	if (!c->has_inums)
		return ns->inum == c->own;
	for (; ns; ns = ns->parent)
		if (ns->inum != c->inums[ns->level])
			return false;
	return true;
}

void judge_root_inum(struct model *m, enum rule rule, int64_t inum, const struct event *ev)
{
	if (!m->root_inum)
		m->root_inum = (uint32_t)inum;
	judge(m->v, rule, SURE, m->root_inum == inum, ev, "level=0 ns_inum=%lld root_ns_inum=%u",
	      (long long)inum, m->root_inum);
}

/*
 * An ancestor whose own tasks are gone may still have living descendants, for
 * the moment that the kernel takes to kill them; an own namespace may not.
 */
static bool usable(const struct pidns *ns, bool is_own, bool task_dead)
{
	return !ns->death || !is_own || task_dead;
}

static struct pidns *level_of_chain(struct model *m, const struct chain *c, int level, bool is_own,
				    bool task_dead, struct pidns *parent, const struct event *ev)
{
	struct pidns *ns = model_namespace(m, c->inums[level]);
	bool fits;

	if (!ns || !usable(ns, is_own, task_dead))
		return pidns_new(m, c->inums[level], level, parent, 0);
	if (ns->level == level && !ns->parent && parent) {
		ns->parent = parent;
		return ns;
	}
	fits = ns->level == level && ns->parent == parent;
	judge(m->v, RULE_NS_NESTING, told_sure(m, ns->conf), fits, ev,
	      "ns_inum=%u level=%d parent_ns_inum=%u known_as=%s", ns->inum, level,
	      parent ? parent->inum : 0, pidns_text(ns));
	return fits ? ns : pidns_new(m, c->inums[level], level, parent, 0);
}

struct pidns *pidns_of_chain(struct model *m, const struct chain *c, int n, bool task_dead,
			     const struct event *ev)
{
	struct pidns *ns = NULL;
	int level;

	if (!c->has_inums) {
		ns = model_namespace(m, c->own);
		if (ns && usable(ns, true, task_dead)) {
			judge(m->v, RULE_NS_NESTING, told_sure(m, ns->conf), ns->level == n - 1, ev,
			      "ns_inum=%u level=%d known_as=%s", ns->inum, n - 1, pidns_text(ns));
			if (ns->level == n - 1)
				return ns;
		}
		return pidns_new(m, c->own, n - 1, NULL, 0);
	}
	for (level = 0; level < n; level++) {
		ns = level_of_chain(m, c, level, level == n - 1, task_dead, ns, ev);
		ns->conf = m->now;
	}
	return ns;
}
