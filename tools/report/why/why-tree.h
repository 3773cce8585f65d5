/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WHY_TREE_H
#define LC_WHY_TREE_H

#include "base/hash.h"
#include "analysis/why.h"

enum why_level { NODE_KIND, NODE_WHICH, NODE_STAGE };

/*
 * The causes of an account as they are shown: kinds of causes; below a kind, which one (who had the
 * CPU, who woke, which disk); and below one that woke, the kinds of what it did meanwhile, or below
 * a disk, what was done with the request.
 */
struct why_node {
	enum why_level level;
	bool own;		   /* NODE_STAGE: see why_is_own() */
	const struct cause *cause; /* one of those that it stands for */
	uint64_t ns, unsure;
	struct why_node **list; /* kinds in their order, others with the largest first */
	size_t nr, cap;
	struct hash by_cause; /* the same, while they are found */
};

struct why_node *why_tree(const struct why_account *a);
void why_tree_free(struct why_node *root);

#endif
