/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What the state dump knows when it fires an event: plain copies, taken under
 * whatever lock the kernel wants. No event reads a kernel object.
 */
#ifndef LTTNG_STATEDUMP_H
#define LTTNG_STATEDUMP_H

#include <linux/sched.h>
#include <linux/types.h>

#include <instrumentation/namespaces.h>
#include <instrumentation/statedump-pids.h>

struct files_struct;

/* User namespaces nest 32 deep below the initial one (kernel/user_namespace.c). */
#define LTTNG_USER_NS_LEVELS 33

/* Values of the events' fields, as in lttng-modules. */
enum lttng_statedump_type {
	LTTNG_TYPE_USER_THREAD = 0,
	LTTNG_TYPE_KERNEL_THREAD = 1,
};

enum lttng_statedump_mode {
	LTTNG_MODE_UNKNOWN = 5,
};

enum lttng_statedump_submode {
	LTTNG_SUBMODE_NONE = 0,
};

enum lttng_statedump_status {
	LTTNG_STATUS_UNNAMED = 0,
	LTTNG_STATUS_WAIT_FORK = 1,
	LTTNG_STATUS_WAIT_CPU = 2,
	LTTNG_STATUS_ZOMBIE = 4,
	LTTNG_STATUS_WAIT = 5,
	LTTNG_STATUS_DEAD = 7,
};

/* Who a task is in one user namespace, its own or an ancestor of that. */
struct lttng_statedump_user_ns_entry {
	uid_t vuid;
	gid_t vgid;
	int level;
	u32 inum;
};

/**
 * struct lttng_statedump_task - all that the state dump tells about a thread
 * @pids:          what it is called at each level of PID namespaces
 * @files:         identity of the table of open files; never to be dereferenced
 * @set:           all 0 from exit_task_namespaces() on
 * @nr_user_ns:    entries in @user_ns, the task's own namespace first
 * @start_time:    when it was created: ns since boot, suspend included
 */
struct lttng_statedump_task {
	struct lttng_statedump_pids pids;
	pid_t tid;
	pid_t pid;
	pid_t ppid;
	char comm[TASK_COMM_LEN];
	int type;
	int mode;
	int submode;
	int status;
	unsigned int cpu;
	struct files_struct *files;

	struct lttng_namespaces set;

	unsigned int nr_user_ns;
	struct lttng_statedump_user_ns_entry user_ns[LTTNG_USER_NS_LEVELS];

	u64 start_time;
};

/* One interrupt handler. */
struct lttng_statedump_irq {
	unsigned int irq;
	char chip[64];
	char action[128];
	pid_t tid;
};

#endif /* LTTNG_STATEDUMP_H */
