/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_HIERARCHY_H
#define LC_HIERARCHY_H

#include "model/label.h"

/* The model sorted for showing: namespaces or containers as a tree, the tasks of each in order. */

enum hierarchy_of { OF_NAMESPACES, OF_CONTAINERS };

struct node {
	/* The container's own, the root's for the host; NULL: none, or not known. */
	const struct pidns *ns;
	struct container *container; /* OF_CONTAINERS; NULL: the host */
	struct node **children;	     /* by birth, then inode */
	size_t nr_children, cap_children;
	/* By cgroup, process, thread, birth. */
	struct sorted_task {
		struct task *task;
		const char *cgroup; /* its path, or its id as text; NULL: not told */
		char *id_text;	    /* NULL: it has a path */
	} * tasks;
	size_t nr_tasks, cap_tasks;
	bool is_shown; /* lived at the moment, or a descendant did */
};

struct hierarchy {
	enum hierarchy_of what;
	struct node *nodes;
	size_t nr_nodes;
	struct node **roots;
	size_t nr_roots, cap_roots;
	struct node unknown; /* tasks of which it is not known where they are */
	size_t nr_tasks;     /* shown, the unknown ones included */
};

/* @at: ns since the epoch, 0 for the whole trace. Free with hierarchy_free(). */
void hierarchy_build(struct hierarchy *f, struct model *m, enum hierarchy_of what, uint64_t at);
void hierarchy_free(struct hierarchy *f);

/* The container's own cgroup, else that of the namespace's first process, else of any task; NULL if
 * not known. */
const char *node_cgroup(const struct node *n);

#endif
