/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
#include <stdlib.h>
#include <string.h>

#include "forest.h"
#include "hash.h"
#include "util.h"

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
	return strcmp(x ? x : "", y ? y : "");
}

static int compare_tasks(const void *a, const void *b)
{
	const struct sorted_task *sx = a, *sy = b;
	const struct task *x = sx->task, *y = sy->task;

	if (compare_paths(sx->cgroup, sy->cgroup))
		return compare_paths(sx->cgroup, sy->cgroup);
	if (pid_of(x) != pid_of(y))
		return pid_of(x) < pid_of(y) ? -1 : 1;
	if ((x->tid == pid_of(x)) != (y->tid == pid_of(y)))
		return x->tid == pid_of(x) ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->seen < y->seen ? -1 : x->seen > y->seen;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct pidns *x = (*(struct node *const *)a)->ns;
	const struct pidns *y = (*(struct node *const *)b)->ns;

	if (x->birth != y->birth)
		return x->birth < y->birth ? -1 : 1;
	return x->inum < y->inum ? -1 : x->inum > y->inum;
}

/* Under version 1 the unified hierarchy may hold everything in its root. */
static char *cgroup_label(const struct model *m, const struct task *t)
{
	const struct task_cgroup *c = task_main_cgroup(t);
	const struct cgroup *best = NULL;
	size_t i;

	for (i = 0; i < t->nr_cgroups; i++) {
		const struct cgroup *known =
			model_cgroup(m, t->cgroups[i].hierarchy, t->cgroups[i].id);

		if (known && (!best || (!strcmp(best->path, "/") && strcmp(known->path, "/"))))
			best = known;
	}
	if (best && (c->hierarchy || model_cgroup(m, 0, c->id)))
		return xstrdup(best->path);
	return c ? xasprintf("id %llu (path not told)", (unsigned long long)c->id) : NULL;
}

static void node_clear(struct node *n)
{
	size_t i;

	for (i = 0; i < n->nr_tasks; i++)
		free(n->tasks[i].cgroup);
	free(n->tasks);
	free(n->children);
}

static void add_task(struct node *n, const struct model *m, const struct task *t)
{
	n->tasks = grow(n->tasks, n->nr_tasks, &n->cap_tasks, sizeof(*n->tasks));
	n->tasks[n->nr_tasks++] = (struct sorted_task){t, cgroup_label(m, t)};
}

static void add_child(struct node *parent, struct node *n)
{
	parent->children = grow(parent->children, parent->nr_children, &parent->cap_children,
				sizeof(*parent->children));
	parent->children[parent->nr_children++] = n;
}

static struct node *node_of(struct forest *f, const struct pidns *ns)
{
	return ns ? &f->nodes[ns->serial - 1] : NULL;
}

static void show_with_ancestors(struct forest *f, const struct pidns *ns)
{
	for (; ns && !node_of(f, ns)->is_shown; ns = ns->parent)
		node_of(f, ns)->is_shown = true;
}

static void place_tasks(struct forest *f, const struct model *m, uint64_t at)
{
	const struct task *t;
	size_t i;

	for (t = m->tasks; t; t = t->next) {
		struct node *n = node_of(f, t->ns);

		if (!task_lives_at(t, at))
			continue;
		add_task(n ? n : &f->unknown, m, t);
		show_with_ancestors(f, t->ns);
		f->nr_tasks++;
	}
	for (i = 0; i < f->nr_nodes; i++)
		qsort(f->nodes[i].tasks, f->nodes[i].nr_tasks, sizeof(*f->nodes[i].tasks),
		      compare_tasks);
	qsort(f->unknown.tasks, f->unknown.nr_tasks, sizeof(*f->unknown.tasks), compare_tasks);
}

void forest_grow(struct forest *f, const struct model *m, uint64_t at)
{
	size_t i;

	f->nr_nodes = m->nr_namespaces;
	f->nodes = xcalloc(f->nr_nodes, sizeof(*f->nodes));
	for (i = 0; i < f->nr_nodes; i++)
		f->nodes[i].ns = m->namespaces[i];
	/* qsort() must not be given NULL, not even for no elements. */
	for (i = 0; i < f->nr_nodes; i++)
		f->nodes[i].tasks =
			grow(NULL, 0, &f->nodes[i].cap_tasks, sizeof(*f->nodes[i].tasks));
	f->unknown.tasks = grow(NULL, 0, &f->unknown.cap_tasks, sizeof(*f->unknown.tasks));
	place_tasks(f, m, at);
	for (i = 0; i < f->nr_nodes; i++) {
		struct node *n = &f->nodes[i], *parent = node_of(f, n->ns->parent);

		if (!n->is_shown)
			continue;
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

void forest_free(struct forest *f)
{
	size_t i;

	for (i = 0; i < f->nr_nodes; i++)
		node_clear(&f->nodes[i]);
	node_clear(&f->unknown);
	free(f->nodes);
	free(f->roots);
	*f = (struct forest){0};
}

const char *node_cgroup(const struct node *n)
{
	const char *any = NULL;
	size_t i;

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
