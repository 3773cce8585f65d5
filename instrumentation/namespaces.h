/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * The namespaces of a task, by inode number.
 */
#ifndef LTTNG_NAMESPACES_H
#define LTTNG_NAMESPACES_H

#include <linux/cred.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include <wrapper/compiler.h>

#include <compat/mnt-ns.h>
#include <compat/ns.h>

/* Why the namespaces of a task are others now. */
enum lttng_namespace_switch_reason {
	LTTNG_NAMESPACE_SWITCH_FORK = 0,
	LTTNG_NAMESPACE_SWITCH_SETNS = 1,
	LTTNG_NAMESPACE_SWITCH_UNSHARE = 2,
	LTTNG_NAMESPACE_SWITCH_EXEC = 3,
};

/**
 * struct lttng_namespaces - inode numbers, 0 where the kernel lacks the kind
 * @pid_for_children: of the PID namespace that future children live in; that of
 *                    the task itself never changes
 * @time: the task's own; children may get another
 */
struct lttng_namespaces {
	u32 cgroup;
	u32 ipc;
	u32 mnt;
	u32 net;
	u32 pid_for_children;
	u32 time;
	u32 user;
	u32 uts;
};

/**
 * lttng_namespaces_read() - the namespaces that @task has
 * @task: current, or a child of it that has not run yet: nobody else changes these; or any
 *        task whose lock the caller holds, as well as the RCU read lock
 * @mnt:  tells the inode number of a mount namespace
 *
 * Takes no lock and does not sleep. Return: false for a task that has none any more.
 */
static inline bool lttng_namespaces_read(struct lttng_namespaces *set, struct task_struct *task,
					 const struct compat_mnt_ns_reader *mnt)
{
	const struct nsproxy *proxy = READ_ONCE(task->nsproxy);

	if (!proxy)
		return false;
	set->cgroup = compat_cgroup_ns_inum(proxy);
	set->ipc = compat_ns_inum_or_0(proxy->ipc_ns);
	set->mnt = compat_mnt_ns_inum(mnt, proxy->mnt_ns);
	set->net = compat_ns_inum_or_0(proxy->net_ns);
	set->pid_for_children = compat_ns_inum(compat_pid_ns_for_children(proxy));
	set->time = compat_time_ns_inum(proxy);
	set->uts = compat_ns_inum_or_0(proxy->uts_ns);
	rcu_read_lock();
	set->user = compat_ns_inum(__task_cred(task)->user_ns);
	rcu_read_unlock();
	return true;
}

/**
 * lttng_namespaces_are_leaders() - whether a state dump has told the namespaces of @task already
 * @task: whose numbers have been told, which a reader takes for: it has what its leader has
 *
 * Threads mostly share those of their group's leader, which the dump met before if its
 * tid is lower. To be called after @task was told: the leader may change its own until then, which
 * namespace_switch tells. Takes no lock and does not sleep.
 */
static inline bool lttng_namespaces_are_leaders(struct task_struct *task)
{
	struct task_struct *leader;
	bool same;

	rcu_read_lock();
	leader = READ_ONCE(task->group_leader);
	/* A leader is freed a grace period after the last of its threads at the earliest. */
	same = pid_alive(task) && leader->pid < task->pid &&
	       READ_ONCE(task->nsproxy) == READ_ONCE(leader->nsproxy) &&
	       __task_cred(task)->user_ns == __task_cred(leader)->user_ns;
	rcu_read_unlock();
	return same;
}

/**
 * lttng_namespace_is_ready() - whether lttng-namespace found what it hooks into
 */
bool lttng_namespace_is_ready(void);

#endif /* LTTNG_NAMESPACES_H */
