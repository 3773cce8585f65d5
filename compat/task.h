/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Tasks: finding them by number, and when they started.
 */
#ifndef LTTNG_COMPAT_TASK_H
#define LTTNG_COMPAT_TASK_H

#include <compat/facts.h>

#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/radix-tree.h>
#include <linux/sched.h>
#include <linux/threads.h>
#include <linux/version.h>
#ifdef HAVE_LINUX_SCHED_TASK_H
#include <linux/cred.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#endif

/**
 * compat_next_pid() - the struct pid with the lowest number from @nr on
 * @nr: in the root PID namespace, at least 1
 *
 * Caller holds the RCU read lock. Before 4.15, commit 95846ecf9dac, numbers were
 * kept in bitmaps; there, pages of numbers never used are skipped, and at most
 * @budget numbers are tried: the walk goes on from *@nr, which is then past the
 * last number that was tried.
 *
 * Return: NULL and *@nr unchanged or advanced when nothing was found;
 * *@nr > PID_MAX_LIMIT when there is nothing more.
 */
#if !defined(HAVE_PID_NS_IDR)
static inline struct pid *compat_next_pid(int *nr, unsigned int budget)
{
	for (; *nr <= PID_MAX_LIMIT && budget; budget--, (*nr)++) {
		unsigned int page = *nr / (PAGE_SIZE * 8);
		struct pid *pid;

		if (page >= PIDMAP_ENTRIES || !init_pid_ns.pidmap[page].page) {
			*nr = (page + 1) * (PAGE_SIZE * 8) - 1;
			continue;
		}
		pid = find_pid_ns(*nr, &init_pid_ns);
		if (pid)
			return pid;
	}
	return NULL;
}
#elif LINUX_VERSION_CODE < KERNEL_VERSION(5, 4, 0)
/*
 * No compiler can tell: before commit 5c089fd0c734, idr_get_next() returns NULL also when
 * the entry that it has found is removed meanwhile, whatever comes behind that.
 */
static inline struct pid *compat_next_pid(int *nr, unsigned int budget)
{
	struct radix_tree_root *root = &init_pid_ns.idr.idr_rt;
	struct radix_tree_iter iter;
	void __rcu **slot;

	radix_tree_for_each_slot(slot, root, &iter, *nr) {
		struct pid *pid = radix_tree_deref_slot(slot);

		if (radix_tree_deref_retry(pid)) {
			slot = radix_tree_iter_retry(&iter);
		} else if (pid) {
			*nr = iter.index;
			return pid;
		}
	}
	*nr = PID_MAX_LIMIT + 1;
	return NULL;
}
#else
static inline struct pid *compat_next_pid(int *nr, unsigned int budget)
{
	struct pid *pid = idr_get_next(&init_pid_ns.idr, nr);

	if (!pid)
		*nr = PID_MAX_LIMIT + 1;
	return pid;
}
#endif

/* Numbers tried in one RCU section where a kernel cannot skip unused ones. */
#define COMPAT_PID_BUDGET 4096

/**
 * compat_next_task() - the thread with the lowest tid from @tid on
 * @tid: in the root PID namespace, at least 1; set to where to go on
 * @p:   a reference to the thread, or NULL: nothing was found yet, go on
 * @pid: a reference to the struct pid that it had then, if there is a thread
 *
 * Return: false when there is none.
 */
static inline bool compat_next_task(int *tid, struct task_struct **p, struct pid **pid)
{
	*p = NULL;
	rcu_read_lock();
	*pid = compat_next_pid(tid, COMPAT_PID_BUDGET);
	if (*pid) {
		*p = pid_task(*pid, PIDTYPE_PID);
		if (*p) {
			get_task_struct(*p);
			get_pid(*pid);
		}
		(*tid)++;
	}
	rcu_read_unlock();
	return *pid || *tid <= PID_MAX_LIMIT;
}

/* When @task was created, in nanoseconds since boot, time in suspend included. */
static inline u64 compat_task_start_boottime(const struct task_struct *task)
{
#if defined(HAVE_TASK_START_BOOTTIME)
	return task->start_boottime;
#elif defined(HAVE_TASK_REAL_START_TIME_U64)
	return task->real_start_time;
#else
	return timespec_to_ns(&task->real_start_time);
#endif
}

#endif /* LTTNG_COMPAT_TASK_H */
