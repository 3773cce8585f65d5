/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_THROTTLING_H
#define LC_THROTTLING_H

#include <stdint.h>

#include "base/hash.h"
#include "condition.h"
#include "known.h"
#include "turns.h"

/*
 * For how long quotas keep control groups from CPUs, as cpu.stat of each says: throttled_usec of
 * version 2, throttled_time of version 1 (Linux, Documentation/scheduler/sched-bwc.rst). It is a
 * sum over CPUs, told when a group may run again. Looked at each second.
 */
struct throttling {
	char *root; /* where the groups' directories are; NULL: nowhere. Owned */
	bool is_v1;
	struct hash meters; /* by condition and path */
	uint64_t looks;
	struct turns turns; /* of those who were told of */
};

/* What was too much. */
struct throttled {
	const struct condition *condition;
	struct known_group group; /* owned: throttled_free() */
	uint64_t ns, period_ns;	  /* so much in so much time */
};

/* @root: where control groups are mounted, /sys/fs/cgroup. */
void throttling_begin(struct throttling *t, const char *root);
/*
 * To be called at @now (ns, of any clock that does not jump) about once a second; one condition at
 * least has to be there, of @nr. Returns whether one is met; then it begins anew for its group. Of
 * several the one comes first whose turn it is, and of his the one that was not told of for
 * longest, so that who is kept from CPUs all the time, in however many groups, hides nobody.
 * @found: NULL: none is told of now.
 */
bool throttling_look(struct throttling *t, const struct condition *conditions, size_t nr,
		     struct known *k, uint64_t host_inum, uint64_t now, struct throttled *found);
/* What was before does not count. */
void throttling_forget(struct throttling *t);
void throttling_end(struct throttling *t);
void throttled_free(struct throttled *found);

#endif
