/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_OWNER_H
#define LC_RECORD_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/*
 * Whose a process is, and how much of what there is for all each has, so that nobody leaves others
 * without.
 */

/*
 * None of both can a process choose. In a user namespace that is not the recorder's it is that
 * user's who made the outermost one, whatever user it is in there; in a PID namespace of the
 * recorder's user namespace it is root's, who alone can make those; else it is its real user's.
 */
struct owner {
	uint32_t user;
	uint64_t pid_ns; /* inode of the outermost but the recorder's; 0: it is in that */
	/*
	 * Which mount namespace it is in, and no other has been since the boot, from Linux 6.11
	 * on; before, its inode. No share depends on it.
	 */
	uint64_t mounts;
};

/* A process that is gone is nobody's: of user UINT32_MAX. */
struct owner owner_of(uint32_t pid);

/* Zero-initialized nobody has anything. */
struct shares {
	struct hash users, groups; /* by user, and by user and PID namespace */
	uint64_t nr, nr_turns;
};

/*
 * @nr more for @o, of @max that there are. Returns whether that may be: a user may have half of
 * what all others leave, and in it each of his PID namespaces half of what the others leave. So
 * there is always some for one who has none.
 */
bool shares_take(struct shares *s, const struct owner *o, uint64_t nr, uint64_t max);
/* So many less; not more than it has. */
void shares_give(struct shares *s, const struct owner *o, uint64_t nr);

/*
 * Turns, for those who have something: whose user had the last one longest ago is next, and of
 * one user's whose PID namespace had. Who is new had one just now.
 */
void shares_turn(struct shares *s, const struct owner *o);
/* Who is next of both: negative: @a; positive: @b; 0: either. */
int shares_order(const struct shares *s, const struct owner *a, const struct owner *b);

#endif
