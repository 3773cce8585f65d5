/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Namespaces: where their inode number is.
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

#ifdef HAVE_NS_COMMON
#define compat_ns_inum(nspace) ((nspace)->ns.inum)
#else
/* Before 3.19, commit 435d5f4bb2cc, no struct ns_common. */
#define compat_ns_inum(nspace) ((nspace)->proc_inum)
#endif

/*
 * Fields of struct nsproxy are there in every configuration, and NULL where the kernel was
 * configured without such namespaces (kernel/nsproxy.c, init_nsproxy).
 */
#define compat_ns_inum_or_0(nspace) ((nspace) ? compat_ns_inum(nspace) : 0)

/* Private to kernel/pid_namespace.c before 5.9. */
#ifndef MAX_PID_NS_LEVEL
#define MAX_PID_NS_LEVEL 32
#endif

/* How deep below the initial one. */
static inline int compat_user_ns_level(const struct user_namespace *ns)
{
#ifdef HAVE_USER_NS_LEVEL
	return ns->level;
#else
	/* 3.12, commit 8742f229b635, keeps the number. */
	int level = 0;

	for (; ns->parent; ns = ns->parent)
		level++;
	return level;
#endif
}

static inline u32 compat_cgroup_ns_inum(const struct nsproxy *proxy)
{
#ifdef HAVE_CGROUP_NS
	return compat_ns_inum_or_0(proxy->cgroup_ns);
#else
	return 0;
#endif
}

static inline u32 compat_time_ns_inum(const struct nsproxy *proxy)
{
#ifdef HAVE_TIME_NS
	return compat_ns_inum_or_0(proxy->time_ns);
#else
	return 0;
#endif
}

/* Of the PID namespace that children of the owner of @proxy will live in. */
static inline struct pid_namespace *compat_pid_ns_for_children(const struct nsproxy *proxy)
{
#ifdef HAVE_PID_NS_FOR_CHILDREN
	return proxy->pid_ns_for_children;
#else
	return proxy->pid_ns;
#endif
}

#endif /* LTTNG_COMPAT_NS_H */
