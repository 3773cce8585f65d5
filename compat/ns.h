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

/* Of the PID namespace that children of the owner of @proxy will live in. */
static inline struct pid_namespace *compat_pid_ns_for_children(const struct nsproxy *proxy)
{
#ifdef HAVE_PID_NS_FOR_CHILDREN
	return proxy->pid_ns_for_children;
#else
	return proxy->pid_ns;
#endif
}

/**
 * struct compat_mnt_ns_reader - how to read the inode number of a mount namespace
 * @ops:    mntns_operations of the kernel (fs/namespace.c), or NULL: it cannot be read
 * @offset: bytes from a struct mnt_namespace to its struct ns_common
 */
struct compat_mnt_ns_reader {
	const struct proc_ns_operations *ops;
	ptrdiff_t offset;
};

/**
 * compat_mnt_ns_reader_init() - find out from the caller's own mount namespace
 * @ops: mntns_operations, or NULL if they were not found
 *
 * Sleeps. Return: false if the numbers cannot be read on this kernel.
 */
static inline bool compat_mnt_ns_reader_init(struct compat_mnt_ns_reader *reader,
					     const struct proc_ns_operations *ops)
{
#ifdef HAVE_NS_COMMON
	/* What get() returns is part of the struct mnt_namespace, as it is for all kinds. */
	struct ns_common *ns = ops ? ops->get(current) : NULL;

	reader->ops = NULL;
	if (!ns)
		return false;
	reader->offset = (char *)ns - (char *)current->nsproxy->mnt_ns;
	ops->put(ns);
	if (reader->offset < 0 || reader->offset > PAGE_SIZE)
		return false;
#endif
	reader->ops = ops;
	return ops;
}

/* Return: 0 if it cannot be read. The caller sees to it that @ns stays. */
static inline u32 compat_mnt_ns_inum(const struct compat_mnt_ns_reader *reader,
				     struct mnt_namespace *ns)
{
	if (!reader->ops || !ns)
		return 0;
#ifdef HAVE_NS_COMMON
	return ((struct ns_common *)((char *)ns + reader->offset))->inum;
#else
	return reader->ops->inum(ns);
#endif
}

#endif /* LTTNG_COMPAT_NS_H */
