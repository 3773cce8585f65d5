/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_GROUPS_H
#define LC_RECORD_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Looks through a hierarchy of cgroups, of which strangers make as many as they like, and as deep.
 * Everything goes by turns: all children of a group first, one after the other; then one of what is
 * below the first of them, one of what is below the second, and so on, at each level. So whoever
 * makes more than there is time for takes it from what is below the same group, as his own, and
 * from nobody beside it more than an equal share.
 */
struct group {
	struct group *parent; /* NULL: the root */
	char *name;
	struct group **below;
	size_t nr_below, cap_below;
	/* The first of those below, which still want turns, and whose turn it is. */
	size_t nr_open, turn;
	/* How many of its turns were taken in advance. */
	unsigned int owes;
	/* Names of those below that were not looked at yet. */
	char **names;
	size_t nr_names;
	unsigned int depth;
	/* Of who looks: */
	int64_t quota_us, period_us;
	uint64_t read_ns; /* when it was; 0: it has no such sums, or they are not wanted */
	int64_t throttled_us, throttles; /* all since the group was made */
	bool is_changed, is_new_quota;
	unsigned int turns; /* how many what was taken is worth; 0: one */
};

struct groups {
	struct group *root;
	size_t nr;   /* all, without the root */
	bool is_cut; /* there are more, or deeper ones */
};

#define GROUPS_MAX	 20000
#define GROUPS_DEPTH_MAX 64

/*
 * Looks through what is below the directory @root, which stays the caller's, and calls @look with
 * each group but the root, and its directory. @first: whose turn is first; to be another each time.
 */
void groups_read(struct groups *g, int root, size_t first,
		 void (*look)(void *ctx, struct group *at, int dir), void *ctx);
/*
 * Gives each group that is changed its turn, once, until @take returns that it is enough: false.
 * What is worth several turns it has at once, and others have theirs before the next one.
 */
void groups_take(struct groups *g, bool (*take)(void *ctx, struct group *at), void *ctx);
/* Its path, which begins with a slash. The caller frees it. NULL: it is too long. */
char *group_path(const struct group *at);
void groups_free(struct groups *g);

#endif
