/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "why-tree.h"
#include "label/cause-label.h"
#include "base/util.h"

/* Of some kinds there is but one. */
static bool has_which(enum why_kind kind)
{
	return kind != WHY_RAN && kind != WHY_INTERRUPTED && kind != WHY_NOT_WOKEN;
}

static bool has_stages(const struct cause *c)
{
	return c->kind == WHY_DISK || (c->kind == WHY_MEMORY && c->detail == MEMORY_FAULT);
}

static bool is_same_who(const struct cause *a, const struct cause *b)
{
	return a->comm == b->comm && a->who.kind == b->who.kind && a->who.told == b->who.told &&
	       a->who.container == b->who.container;
}

static bool is_same(const struct cause *a, const struct cause *b, enum why_level level)
{
	if (level == NODE_KIND)
		return a->kind == b->kind;
	if (level == NODE_STAGE)
		return a->stage == b->stage && is_same_who(a, b);
	/* Of a disk, who is of the stage. */
	return a->kind == b->kind && a->detail == b->detail && a->dev == b->dev &&
	       a->call == b->call && a->cgroup == b->cgroup &&
	       (a->kind == WHY_DISK || a->kind == WHY_MEMORY || is_same_who(a, b));
}

static uint64_t key_of_who(const struct cause *c)
{
	return hash_numbers(hash_numbers((uintptr_t)c->comm, (uintptr_t)c->who.container),
			    c->who.kind * 2u + c->who.told);
}

/* Of what is_same() compares; there may be one for each container. */
static uint64_t key_of(const struct cause *c, enum why_level level)
{
	uint64_t key = hash_numbers(level, level == NODE_STAGE ? c->stage : c->kind);

	if (level == NODE_STAGE)
		return hash_numbers(key, key_of_who(c));
	if (level == NODE_KIND)
		return key;
	key = hash_numbers(key, hash_numbers(c->detail, (uint64_t)c->dev));
	key = hash_numbers(key, hash_numbers((uintptr_t)c->call, (uintptr_t)c->cgroup));
	return c->kind == WHY_DISK || c->kind == WHY_MEMORY ? key
							    : hash_numbers(key, key_of_who(c));
}

static struct why_node *child(struct why_node *n, const struct cause *c, enum why_level level)
{
	uint64_t key = key_of(c, level);
	struct why_node *new;

	/* Two may have one key. */
	for (; (new = hash_get(&n->by_cause, key)); key++)
		if (new->level == level && is_same(new->cause, c, level))
			return new;
	new = xcalloc(1, sizeof(*new));
	new->level = level;
	new->cause = c;
	n->list = grow(n->list, n->nr, &n->cap, sizeof(struct why_node *));
	n->list[n->nr++] = new;
	hash_put(&n->by_cause, key, new);
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

	if (x->level == NODE_KIND)
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

/* Stages of which none is told. */
static void prune(struct why_node *n)
{
	size_t i;

	if (n->nr == 1 && n->list[0]->level == NODE_STAGE && !n->list[0]->cause->stage) {
		why_tree_free(n->list[0]);
		n->nr = 0;
	}
	for (i = 0; i < n->nr; i++)
		prune(n->list[i]);
}

struct why_node *why_tree(const struct why_account *a)
{
	struct why_node *root = xcalloc(1, sizeof(*root)), *n;
	const struct cause *c, *over;
	size_t i;

	for (i = 0; i < a->nr_sums; i++) {
		/* All of it turned out to be another cause's. */
		if (!a->sums[i]->ns)
			continue;
		n = add(root, a->sums[i]);
		for (c = a->sums[i]->cause, over = NULL; c; over = c, c = c->below) {
			n = add(child(n, c, NODE_KIND), a->sums[i]);
			if (has_which(c->kind))
				n = add(child(n, c, NODE_WHICH), a->sums[i]);
			if (has_stages(c)) {
				n = add(child(n, c, NODE_STAGE), a->sums[i]);
				n->own = why_is_own(c, over, a);
			}
		}
	}
	sort(root);
	prune(root);
	return root;
}

void why_tree_free(struct why_node *n)
{
	size_t i;

	for (i = 0; i < n->nr; i++)
		why_tree_free(n->list[i]);
	hash_free(&n->by_cause);
	free(n->list);
	free(n);
}
