/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Namespaces: where their inode number is, and how to reach the mount
 * namespace, whose struct no header outside fs/ describes.
 */
#ifndef LTTNG_COMPAT_NS_H
#define LTTNG_COMPAT_NS_H

#include <compat/facts.h>

#include <linux/ipc_namespace.h>
#include <linux/nsproxy.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/user_namespace.h>
#include <linux/utsname.h>
#include <net/net_namespace.h>
#ifdef HAVE_CGROUP_NS
#include <linux/cgroup.h>
#endif
#ifdef HAVE_TIME_NS
#include <linux/time_namespace.h>
#endif
#ifdef HAVE_LINUX_PROC_NS_H
#include <linux/proc_ns.h>
#else
#include <linux/proc_fs.h>
#endif

/* 3.19, commit 435d5f4bb2cc, gave all kinds of namespaces a struct ns_common. */
#ifdef HAVE_NS_COMMON
#define compat_ns_inum(nspace) ((nspace)->ns.inum)
#else
#define compat_ns_inum(nspace) ((nspace)->proc_inum)
#endif

/* Private to kernel/pid_namespace.c before 5.9. */
#ifndef MAX_PID_NS_LEVEL
#define MAX_PID_NS_LEVEL 32
#endif

/* How deep below the initial one; 3.12, commit 8742f229b635, keeps the number. */
static inline int compat_user_ns_level(const struct user_namespace *ns)
{
#ifdef HAVE_USER_NS_LEVEL
	return ns->level;
#else
	int level = 0;

	for (; ns->parent; ns = ns->parent)
		level++;
	return level;
#endif
}

static inline u32 compat_cgroup_ns_inum(const struct nsproxy *proxy)
{
#ifdef HAVE_CGROUP_NS
	return compat_ns_inum(proxy->cgroup_ns);
#else
	return 0;
#endif
}

static inline u32 compat_time_ns_inum(const struct nsproxy *proxy)
{
#ifdef HAVE_TIME_NS
	return compat_ns_inum(proxy->time_ns);
#else
	return 0;
#endif
}

/**
 * compat_mnt_ns_inum() - inode number of the mount namespace of @task
 * @ops:  mntns_operations of the kernel (fs/namespace.c), or NULL
 * @task: referenced by the caller
 *
 * Sleeps: dropping the last reference to a mount namespace unmounts it.
 * Return: 0 if @task is past exit_task_namespaces(), or if @ops is NULL.
 */
static inline u32 compat_mnt_ns_inum(const struct proc_ns_operations *ops,
				     struct task_struct *task)
{
#ifdef HAVE_NS_COMMON
	struct ns_common *ns = ops ? ops->get(task) : NULL;
	u32 inum = ns ? ns->inum : 0;
#else
	void *ns = ops ? ops->get(task) : NULL;
	u32 inum = ns ? ops->inum(ns) : 0;
#endif

	if (ns)
		ops->put(ns);
	return inum;
}

#endif /* LTTNG_COMPAT_NS_H */
