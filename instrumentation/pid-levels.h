/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What a task is called at each level of PID-namespace nesting.
 */
#ifndef LTTNG_PID_LEVELS_H
#define LTTNG_PID_LEVELS_H

#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/types.h>

#include <compat/ns.h>

/* PID namespaces nest MAX_PID_NS_LEVEL deep below the root one. */
#define LTTNG_PID_NS_LEVELS (MAX_PID_NS_LEVEL + 1)

/**
 * struct lttng_pid_levels - the numbers of one struct pid, root namespace first
 * @nr:     entries in use, 0 for a task that has no struct pid any more
 * @vtids:  thread id in the namespace of that level
 * @inums:  inode number of the namespace of that level, as in /proc/PID/ns/pid
 */
struct lttng_pid_levels {
	u8 nr;
	pid_t vtids[LTTNG_PID_NS_LEVELS];
	u32 inums[LTTNG_PID_NS_LEVELS];
};

/**
 * lttng_pid_levels_read() - copy the numbers of @pid
 * @levels: filled in; entries from @levels->nr on are left alone
 * @pid:    may be NULL; the caller holds a reference or an RCU read lock
 *
 * A struct pid pins its own namespace, and that one its ancestors
 * (kernel/pid.c, put_pid() and kernel/pid_namespace.c, free_pid_ns()).
 */
static inline void lttng_pid_levels_read(struct lttng_pid_levels *levels, struct pid *pid)
{
	unsigned int i;

	levels->nr = 0;
	if (!pid)
		return;
	levels->nr = min_t(unsigned int, pid->level + 1, LTTNG_PID_NS_LEVELS);
	for (i = 0; i < levels->nr; i++) {
		levels->vtids[i] = pid->numbers[i].nr;
		levels->inums[i] = compat_ns_inum(pid->numbers[i].ns);
	}
}

/**
 * lttng_pid_ns_inum() - inode number of the PID namespace that @pid lives in
 * @pid: may be NULL (then 0); referenced or under an RCU read lock
 */
static inline u32 lttng_pid_ns_inum(struct pid *pid)
{
	return pid ? compat_ns_inum(ns_of_pid(pid)) : 0;
}

#endif /* LTTNG_PID_LEVELS_H */
