/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "why-tree.h"
#include "base/util.h"

/* Of some kinds there is but one. */
static bool has_which(enum why_kind kind)
{
	return kind != WHY_RAN && kind != WHY_INTERRUPTED && kind != WHY_NOT_WOKEN;
}

static bool is_same_which(const struct cause *a, const struct cause *b)
{
	return a->kind == b->kind && a->detail == b->detail && a->dev == b->dev &&
	       a->comm == b->comm && a->call == b->call && a->cgroup == b->cgroup &&
	       a->who.kind == b->who.kind && a->who.told == b->who.told &&
	       a->who.container == b->who.container;
}

static struct why_node *child(struct why_node *n, const struct cause *c, bool is_kind)
{
	struct why_node *new;
	size_t i;

	for (i = 0; i < n->nr; i++)
		if (is_kind ? n->list[i]->cause->kind == c->kind
			    : is_same_which(n->list[i]->cause, c))
			return n->list[i];
	new = xcalloc(1, sizeof(*new));
	new->is_kind = is_kind;
	new->cause = c;
	n->list = grow(n->list, n->nr, &n->cap, sizeof(struct why_node *));
	n->list[n->nr++] = new;
	return new;
}

static struct why_node *add(struct why_node *n, const struct cause_sum *s)
{
	time_add(&n->ns, s->ns);
	time_add(&n->unsure, s->unsure);
	return n;
}

static int compare(const void *a, const void *b)
{
	const struct why_node *x = *(struct why_node *const *)a, *y = *(struct why_node *const *)b;

	if (x->is_kind)
		return (int)x->cause->kind - (int)y->cause->kind;
	return x->ns > y->ns ? -1 : x->ns < y->ns;
}

static void sort(struct why_node *n)
{
	size_t i;

	if (n->nr)
		qsort(n->list, n->nr, sizeof(struct why_node *), compare);
	for (i = 0; i < n->nr; i++)
		sort(n->list[i]);
}

struct why_node *why_tree(const struct why_account *a)
{
	struct why_node *root = xcalloc(1, sizeof(*root)), *n;
	const struct cause *c;
	size_t i;

	for (i = 0; i < a->nr_sums; i++) {
		n = add(root, a->sums[i]);
		for (c = a->sums[i]->cause; c; c = c->below) {
			n = add(child(n, c, true), a->sums[i]);
			if (has_which(c->kind))
				n = add(child(n, c, false), a->sums[i]);
		}
	}
	sort(root);
	return root;
}

void why_tree_free(struct why_node *n)
{
	size_t i;

	for (i = 0; i < n->nr; i++)
		why_tree_free(n->list[i]);
	free(n->list);
	free(n);
}
