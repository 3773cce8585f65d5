/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
#ifndef LC_FOREST_H
#define LC_FOREST_H

#include "model.h"

/* The model sorted for showing: namespaces as a tree, the tasks of each in order. */

struct node {
	const struct pidns *ns; /* NULL: tasks whose namespace is not known */
	struct node **children; /* by birth, then inode */
	size_t nr_children, cap_children;
	/* By cgroup, process, thread, birth. */
	struct sorted_task {
		const struct task *task;
		char *cgroup; /* its path or its id as text; NULL: not told */
	} * tasks;
	size_t nr_tasks, cap_tasks;
	bool is_shown; /* lived at the moment, or a descendant did */
};

struct forest {
	struct node *nodes;
	size_t nr_nodes;
	struct node **roots;
	size_t nr_roots, cap_roots;
	struct node unknown;
	size_t nr_tasks; /* shown, the unknown ones included */
};

/* @at: ns since the epoch, 0 for the whole trace. Free with forest_free(). */
void forest_grow(struct forest *f, const struct model *m, uint64_t at);
void forest_free(struct forest *f);

/* The cgroup of the namespace's first process, else of any task; NULL if not known. */
const char *node_cgroup(const struct node *n);

#endif
