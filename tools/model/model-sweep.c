/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "container-int.h"
#include "sweep.h"

/*
 * What is kept is marked (is_kept), from where it is pointed to on; then the rest is dropped. Who
 * points to it is all of struct model, and the caller's. Not marked through, but mended, are
 * containers' same_path, and parent, which is only what was found last.
 */

struct sweep {
	struct model *m;
	uint64_t before;
	struct container **todo; /* are kept, but not yet what they lead to */
	size_t nr;
};

/*
 * Where events were lost, the end of a namespace or a control group may be among them. So many that
 * hold nobody are taken for such as live; if there are more, somebody makes them.
 */
#define EMPTY_MAX 1024

size_t model_size(const struct model *m)
{
	return m->nr_namespaces + m->by_cgroup.nr + m->nr_containers + m->nr_pods +
	       m->nr_pending_names + m->quotas.by_path.nr;
}

void sweep_keep(struct sweep *s, struct container *c)
{
	if (!c || c->is_kept)
		return;
	c->is_kept = true;
	s->todo[s->nr++] = c;
}

static void keep_pidns(struct sweep *s, struct pidns *ns)
{
	for (; ns && !ns->is_kept; ns = ns->parent) {
		ns->is_kept = true;
		sweep_keep(s, ns->owner);
	}
}

static void keep_cgroup(struct sweep *s, struct cgroup *g)
{
	for (; g && !g->is_kept; g = g->parent) {
		g->is_kept = true;
		sweep_keep(s, g->container);
		sweep_keep(s, g->told);
	}
}

/* What those lead to that are kept by now. */
static void follow(struct sweep *s)
{
	while (s->nr) {
		struct container *c = s->todo[--s->nr];

		keep_pidns(s, c->ns);
		keep_cgroup(s, c->cgroup);
		sweep_keep(s, c->around);
		sweep_keep(s, c->became);
		if (c->pod)
			c->pod->is_kept = true;
	}
}

static void keep_tasks(struct sweep *s)
{
	struct task_groups of;
	struct task *t;
	size_t i;

	for (t = s->m->tasks; t; t = t->next) {
		keep_pidns(s, t->ns);
		of = task_groups(s->m, t);
		for (i = 0; i < of.nr; i++)
			keep_cgroup(s, task_group(s->m, &of.list[i]));
		if (t->has_container)
			sweep_keep(s, t->container);
		else
			t->container = NULL;
		follow(s);
	}
}

/* When last something was heard of it. */
static uint64_t last_heard(const struct pidns *ns)
{
	return ns->emptied > ns->conf ? ns->emptied : ns->conf;
}

/* One that holds nobody, and whose end would have been told for sure if nothing had been lost. */
static bool may_be_dead_pidns(const struct sweep *s, const struct pidns *ns)
{
	return !ns->is_kept && ns->level && !ns->death && !ns->nr_alive &&
	       last_heard(ns) < s->before;
}

static bool may_be_dead_cgroup(const struct sweep *s, const struct cgroup *g)
{
	return !g->is_kept && !g->death && g->conf < s->before && strcmp(g->path, "/") != 0 &&
	       (!s->m->offers[EV_CGROUP_RMDIR] || g->conf <= s->m->loss_until);
}

static bool bury_pidns(struct sweep *s)
{
	const struct model *m = s->m;
	size_t nr = 0, i;

	for (i = 0; i < m->nr_namespaces; i++)
		nr += may_be_dead_pidns(s, m->namespaces[i]);
	for (i = 0; nr > EMPTY_MAX && i < m->nr_namespaces; i++)
		if (may_be_dead_pidns(s, m->namespaces[i]))
			m->namespaces[i]->death = last_heard(m->namespaces[i]);
	return nr > EMPTY_MAX;
}

static bool bury_cgroups(struct sweep *s)
{
	struct cgroup *g;
	size_t nr = 0, pos;

	for (pos = 0; (g = hash_next(&s->m->by_cgroup, &pos));)
		nr += may_be_dead_cgroup(s, g);
	for (pos = 0; nr > EMPTY_MAX && (g = hash_next(&s->m->by_cgroup, &pos));)
		if (may_be_dead_cgroup(s, g))
			g->death = g->conf;
	return nr > EMPTY_MAX;
}

static bool ended_long_ago(const struct sweep *s, uint64_t death)
{
	return death && death < s->before;
}

static void keep_living(struct sweep *s)
{
	struct cgroup *g;
	size_t pos = 0, i;

	for (i = 0; i < s->m->nr_namespaces; i++) {
		struct pidns *ns = s->m->namespaces[i];

		if (!ns->level || ns->nr_alive || !ended_long_ago(s, ns->death))
			keep_pidns(s, ns);
	}
	while ((g = hash_next(&s->m->by_cgroup, &pos)))
		if (!ended_long_ago(s, cgroup_death(g)))
			keep_cgroup(s, g);
	follow(s);
}

/* Those of the path that are kept. */
static struct container *kept_of_path(struct container *c)
{
	while (c && !c->is_kept)
		c = c->same_path;
	return c;
}

/* Nobody who is kept points to who goes, then. */
static void mend(struct model *m)
{
	size_t i;

	for (i = 0; i < m->nr_containers; i++) {
		struct container *c = m->containers[i], *first;

		if (c->is_kept) {
			c->same_path = kept_of_path(c->same_path);
			if (c->parent && !c->parent->is_kept) {
				c->parent = NULL;
				c->parent_gen = m->container_gen - 1;
			}
			/* What is called by its birth is not renamed when a namesake goes. */
			c->keeps_born |= c->is_born_told;
			continue;
		}
		if (!c->cgroup || hash_get(&m->containers_by_path, c->path_key) != c)
			continue;
		first = kept_of_path(c);
		if (first)
			hash_put(&m->containers_by_path, c->path_key, first);
		else
			hash_del(&m->containers_by_path, c->path_key);
	}
}

static void drop_containers(struct model *m, const struct sweep_callbacks *cb)
{
	size_t nr = 0, i;

	mend(m);
	for (i = 0; i < m->nr_containers; i++) {
		struct container *c = m->containers[i];

		if (c->is_kept) {
			c->is_kept = false;
			m->containers[nr++] = c;
			continue;
		}
		cb->on_gone(cb->ctx, c);
		container_free(c);
	}
	m->nr_containers = nr;
}

static void drop_namespaces(struct model *m)
{
	size_t nr = 0, i;

	for (i = 0; i < m->nr_namespaces; i++) {
		struct pidns *ns = m->namespaces[i];

		if (ns->is_kept) {
			ns->is_kept = false;
			m->namespaces[nr++] = ns;
			continue;
		}
		if (model_namespace(m, ns->inum) == ns)
			hash_del(&m->by_inum, ns->inum);
		free(ns);
	}
	m->nr_namespaces = nr;
}

static void drop_cgroups(struct model *m)
{
	struct cgroup **gone = xcalloc(m->by_cgroup.nr + 1, sizeof(*gone)), *g;
	size_t nr = 0, pos = 0;

	while ((g = hash_next(&m->by_cgroup, &pos))) {
		if (!g->is_kept)
			gone[nr++] = g;
		g->is_kept = false;
	}
	while (nr)
		cgroup_drop(m, gone[--nr]);
	free(gone);
}

static void drop_pods(struct model *m)
{
	size_t nr = 0, i;

	for (i = 0; i < m->nr_pods; i++) {
		struct pod *p = m->pods[i];

		if (p->is_kept) {
			p->is_kept = false;
			m->pods[nr++] = p;
			continue;
		}
		hash_del(&m->pods_by_key, p->key);
		pod_free(p);
	}
	m->nr_pods = nr;
}

static bool is_path(void *ctx, const char *path)
{
	return hash_get(ctx, hash_text(path, strlen(path)));
}

/* Those of control groups that are not there any more. */
static void drop_quotas(struct model *m)
{
	struct hash paths = {0};
	struct cgroup *g;
	size_t pos = 0;

	while ((g = hash_next(&m->by_cgroup, &pos)))
		hash_put(&paths, hash_text(g->path, strlen(g->path)), g);
	quotas_forget(&m->quotas, is_path, &paths);
	hash_free(&paths);
}

bool model_sweep(struct model *m, uint64_t before, const struct sweep_callbacks *cb)
{
	struct sweep s = {.m = m, .before = before};
	bool buried;

	s.todo = xcalloc(m->nr_containers + 1, sizeof(*s.todo));
	keep_tasks(&s);
	buried = bury_pidns(&s);
	buried |= bury_cgroups(&s);
	keep_living(&s);
	cb->keep(cb->ctx, &s);
	follow(&s);
	free(s.todo);
	drop_containers(m, cb);
	drop_namespaces(m);
	drop_cgroups(m);
	drop_pods(m);
	drop_quotas(m);
	model_names_forget(m, before);
	return buried;
}
