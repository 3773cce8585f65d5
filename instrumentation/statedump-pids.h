/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Who a thread and its relatives are in every PID namespace that sees it, as the
 * state dump tells: plain copies, all taken in one look.
 */
#ifndef LTTNG_STATEDUMP_PIDS_H
#define LTTNG_STATEDUMP_PIDS_H

#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/user_namespace.h>

#include <compat/ns.h>
#include <instrumentation/pid-levels.h>

/**
 * struct lttng_statedump_pid_ns - a thread seen from one PID namespace
 * @vtid:  its thread id there
 * @vpid:  its process id there
 * @vppid: process id of its parent there, 0 for a parent that lives outside
 * @inum:  inode number of the namespace
 */
struct lttng_statedump_pid_ns {
	pid_t vtid;
	pid_t vpid;
	pid_t vppid;
	u32 inum;
};

/**
 * struct lttng_statedump_pids - a thread seen from everywhere
 * @nr:         entries in @ns, root namespace first
 * @is_ns_init: its own PID namespace began with this process
 * @user_inum:  inode number of the user namespace that owns its PID namespace
 */
struct lttng_statedump_pids {
	unsigned int nr;
	struct lttng_statedump_pid_ns ns[LTTNG_PID_NS_LEVELS];
	bool is_ns_init;
	u32 user_inum;
};

/**
 * lttng_statedump_pids_read() - copy what @p is called
 * @pid: what it was found by
 *
 * Caller holds the RCU read lock and a reference to @p and @pid, or has found
 * both under that lock.
 *
 * Return: false if @pid is no longer the thread's, so that its number may become
 * another's.
 */
static inline bool lttng_statedump_pids_read(struct lttng_statedump_pids *pids,
					     struct task_struct *p, struct pid *pid)
{
	struct pid *tgid, *ppid;
	unsigned int i;

	/* Reaped tasks have none, and exec() by a thread exchanges its for its leader's. */
	if (!pid || task_pid(p) != pid)
		return false;
	/*
	 * Not the leader's own: while a thread that does not lead exec()s, the old leader
	 * has the thread's number already (de_thread() in fs/exec.c).
	 */
	tgid = task_tgid(p);
	if (!tgid)
		return false;
	/* Having a pid under RCU vouches for real_parent (pid_alive() in linux/sched.h). */
	ppid = task_tgid(rcu_dereference(p->real_parent));

	pids->nr = min_t(unsigned int, pid->level + 1, LTTNG_PID_NS_LEVELS);
	for (i = 0; i < pids->nr; i++) {
		struct pid_namespace *ns = pid->numbers[i].ns;

		pids->ns[i].vtid = pid->numbers[i].nr;
		pids->ns[i].vpid = pid_nr_ns(tgid, ns);
		pids->ns[i].vppid = pid_nr_ns(ppid, ns);
		pids->ns[i].inum = compat_ns_inum(ns);
	}
	pids->is_ns_init = pid->numbers[pid->level].nr == 1;
	pids->user_inum = compat_ns_inum(pid->numbers[pid->level].ns->user_ns);
	return true;
}

#endif /* LTTNG_STATEDUMP_PIDS_H */
