/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "hierarchy.h"
#include "base/hash.h"
#include "base/util.h"

static bool lives_at(uint64_t birth, uint64_t death, uint64_t at)
{
	return !at || (birth <= at && (!death || death > at));
}

/*
 * A task is known from the moment at which it was seen; one without a birth in
 * the trace lived since before the trace.
 */
static bool task_lives_at(const struct task *t, uint64_t at)
{
	return lives_at(t->forked ? t->birth : 0, t->death, at);
}

static int pid_of(const struct task *t)
{
	return t->pid < 0 ? t->tid : t->pid;
}

static int compare_paths(const char *x, const char *y)
{
	return x == y ? 0 : strcmp(x ? x : "", y ? y : "");
}

static uint32_t serial_of(const struct pidns *ns)
{
	return ns ? ns->serial : 0;
}

static int compare_tasks(const void *a, const void *b)
{
	const struct sorted_task *sx = a, *sy = b;
	const struct task *x = sx->task, *y = sy->task;

	if (compare_paths(sx->cgroup, sy->cgroup))
		return compare_paths(sx->cgroup, sy->cgroup);
	if (x->ns != y->ns)
		return serial_of(x->ns) < serial_of(y->ns) ? -1 : 1;
	if (pid_of(x) != pid_of(y))
		return pid_of(x) < pid_of(y) ? -1 : 1;
	if ((x->tid == pid_of(x)) != (y->tid == pid_of(y)))
		return x->tid == pid_of(x) ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->seen < y->seen ? -1 : x->seen > y->seen;
}

static uint64_t birth_of(const struct node *n)
{
	return n->container ? container_birth(n->container) : n->ns ? n->ns->birth : 0;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;

	if (birth_of(x) != birth_of(y))
		return birth_of(x) < birth_of(y) ? -1 : 1;
	if (x->ns && y->ns && x->ns->inum != y->ns->inum)
		return x->ns->inum < y->ns->inum ? -1 : 1;
	/* The nodes are in one array, in the order in which they were met. */
	return x < y ? -1 : x > y;
}

/* Under version 1 the unified hierarchy may hold everything in its root. */
static struct sorted_task sorted_task(const struct model *m, struct task *t)
{
	const struct task_cgroup *c = task_main_cgroup(m, t);
	const struct task_groups of = task_groups(m, t);
	const struct cgroup *best = NULL;
	struct sorted_task s = {.task = t};
	size_t i;

	for (i = 0; i < of.nr; i++) {
		const struct cgroup *known = task_group(m, &of.list[i]);

		if (known && (!best || (!strcmp(best->path, "/") && strcmp(known->path, "/"))))
			best = known;
	}
	if (best && (c->hierarchy || model_cgroup(m, 0, c->id))) {
		s.cgroup = best->path;
		return s;
	}
	if (c)
		s.cgroup = s.id_text =
			xasprintf("id %llu (path unknown)", (unsigned long long)c->id);
	return s;
}

static void node_clear(struct node *n)
{
	size_t i;

	for (i = 0; i < n->nr_tasks; i++)
		free(n->tasks[i].id_text);
	free(n->tasks);
	free(n->children);
}

static void add_task(struct node *n, const struct model *m, struct task *t)
{
	n->tasks = grow(n->tasks, n->nr_tasks, &n->cap_tasks, sizeof(*n->tasks));
	n->tasks[n->nr_tasks++] = sorted_task(m, t);
}

static void add_child(struct node *parent, struct node *n)
{
	parent->children = grow(parent->children, parent->nr_children, &parent->cap_children,
				sizeof(*parent->children));
	parent->children[parent->nr_children++] = n;
}

/* Namespaces and containers are numbered from 1; the host as a container is 0. */
static struct node *node_of_ns(struct hierarchy *f, const struct pidns *ns)
{
	return ns ? &f->nodes[ns->serial] : NULL;
}

static struct node *node_of_container(struct hierarchy *f, const struct container *c)
{
	return &f->nodes[c ? c->serial : 0];
}

static struct node *node_of_task(struct hierarchy *f, struct model *m, struct task *t)
{
	struct container *c;

	if (f->what == OF_NAMESPACES)
		return node_of_ns(f, t->ns);
	c = task_container(m, t);
	return c || t->ns ? node_of_container(f, c) : NULL;
}

static struct node *parent_of(struct hierarchy *f, struct model *m, const struct node *n)
{
	if (f->what == OF_NAMESPACES)
		return node_of_ns(f, n->ns->parent);
	return n->container ? node_of_container(f, container_parent(m, n->container)) : NULL;
}

static void show_with_ancestors(struct hierarchy *f, struct model *m, struct node *n)
{
	for (; n && !n->is_shown; n = parent_of(f, m, n))
		n->is_shown = true;
}

static void place_tasks(struct hierarchy *f, struct model *m, uint64_t at)
{
	struct task *t;
	size_t i;

	for (t = m->tasks; t; t = t->next) {
		struct node *n = node_of_task(f, m, t);

		if (t->only_ran || !task_lives_at(t, at))
			continue;
		add_task(n ? n : &f->unknown, m, t);
		show_with_ancestors(f, m, n);
		f->nr_tasks++;
	}
	for (i = 0; i < f->nr_nodes; i++)
		qsort(f->nodes[i].tasks, f->nodes[i].nr_tasks, sizeof(*f->nodes[i].tasks),
		      compare_tasks);
	qsort(f->unknown.tasks, f->unknown.nr_tasks, sizeof(*f->unknown.tasks), compare_tasks);
}

static void make_nodes(struct hierarchy *f, const struct model *m)
{
	size_t i;

	f->nr_nodes = (f->what == OF_NAMESPACES ? m->nr_namespaces : m->nr_containers) + 1;
	f->nodes = xcalloc(f->nr_nodes, sizeof(*f->nodes));
	if (f->what == OF_CONTAINERS)
		f->nodes[0].ns = model_namespace(m, m->root_inum);
	for (i = 1; i < f->nr_nodes; i++) {
		if (f->what == OF_CONTAINERS)
			f->nodes[i].container = m->containers[i - 1];
		f->nodes[i].ns =
			f->what == OF_NAMESPACES ? m->namespaces[i - 1] : m->containers[i - 1]->ns;
	}
	/* qsort() must not be given NULL, not even for no elements. */
	for (i = 0; i < f->nr_nodes; i++)
		f->nodes[i].tasks =
			grow(NULL, 0, &f->nodes[i].cap_tasks, sizeof(*f->nodes[i].tasks));
	f->unknown.tasks = grow(NULL, 0, &f->unknown.cap_tasks, sizeof(*f->unknown.tasks));
}

void hierarchy_build(struct hierarchy *f, struct model *m, enum hierarchy_of what, uint64_t at)
{
	size_t i;

	f->what = what;
	containers_meet(m);
	make_nodes(f, m);
	place_tasks(f, m, at);
	for (i = 0; i < f->nr_nodes; i++) {
		struct node *n = &f->nodes[i], *parent;

		if (!n->is_shown)
			continue;
		parent = parent_of(f, m, n);
		if (parent) {
			add_child(parent, n);
			continue;
		}
		f->roots = grow(f->roots, f->nr_roots, &f->cap_roots, sizeof(*f->roots));
		f->roots[f->nr_roots++] = n;
	}
	for (i = 0; i < f->nr_nodes; i++)
		if (f->nodes[i].nr_children)
			qsort(f->nodes[i].children, f->nodes[i].nr_children,
			      sizeof(*f->nodes[i].children), compare_nodes);
}

void hierarchy_free(struct hierarchy *f)
{
	size_t i;

	for (i = 0; i < f->nr_nodes; i++)
		node_clear(&f->nodes[i]);
	node_clear(&f->unknown);
	free(f->nodes);
	free(f->roots);
	*f = (struct hierarchy){0};
}

const char *node_cgroup(const struct node *n)
{
	const char *any = NULL;
	size_t i;

	if (n->container && n->container->cgroup)
		return n->container->cgroup->path;

	for (i = 0; i < n->nr_tasks; i++) {
		const struct task *t = n->tasks[i].task;

		if (!n->tasks[i].cgroup)
			continue;
		any = n->tasks[i].cgroup;
		if (t->nr_levels && t->vtids[t->nr_levels - 1] == 1)
			return any;
	}
	return any;
}
