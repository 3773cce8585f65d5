/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * The inode number of a mount namespace, whose struct no header outside fs/
 * describes.
 */
#ifndef LTTNG_COMPAT_MNT_NS_H
#define LTTNG_COMPAT_MNT_NS_H

#include <compat/facts.h>

#include <linux/nsproxy.h>
#include <linux/sched.h>
#ifdef HAVE_LINUX_PROC_NS_H
#include <linux/proc_ns.h>
#else
#include <linux/proc_fs.h>
#endif

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

#endif /* LTTNG_COMPAT_MNT_NS_H */
