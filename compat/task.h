/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Tasks: finding them by number, and when they started.
 */
#ifndef LTTNG_COMPAT_TASK_H
#define LTTNG_COMPAT_TASK_H

#include <compat/facts.h>

#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/threads.h>
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
static inline struct pid *compat_next_pid(int *nr, unsigned int budget)
{
#ifdef HAVE_PID_NS_IDR
	struct pid *pid = idr_get_next(&init_pid_ns.idr, nr);

	if (!pid)
		*nr = PID_MAX_LIMIT + 1;
	return pid;
#else
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
#endif
}

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
