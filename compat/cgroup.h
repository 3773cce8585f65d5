/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Control groups: identity, parent and path of a cgroup, and the cgroups of a
 * task. Pointers returned here are good until the caller's RCU read lock ends.
 */
#ifndef LTTNG_COMPAT_CGROUP_H
#define LTTNG_COMPAT_CGROUP_H

#include <compat/facts.h>

#include <linux/cgroup.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#ifdef CONFIG_CGROUPS
#if defined(HAVE_CGROUP_KERNFS) || defined(HAVE_CGROUP_DENTRY)
#define COMPAT_HAVE_CGROUPS
#else
/*
 * Before 3.10, struct cgroupfs_root is private to kernel/cgroup.c, and with it
 * the number of a hierarchy: the state dump has no cgroup events.
 */
#endif
#endif

#ifdef COMPAT_HAVE_CGROUPS

#ifdef HAVE_CGROUP_KERNFS
#include <linux/kernfs.h>
#else
#include <linux/dcache.h>
#include <linux/fs.h>
#endif

/* One cgroup of a task per controller's hierarchy, and the unified one. */
#define COMPAT_CGROUP_MAX_HIERARCHIES (CGROUP_SUBSYS_COUNT + 1)

/**
 * compat_cgroup_id() - inode number of the cgroup's directory
 *
 * 64 bits wide since 5.5, commit 743210386c03; before, without the generation
 * that later became its upper half.
 */
static inline u64 compat_cgroup_id(const struct cgroup *cgrp)
{
#if defined(HAVE_KERNFS_ID_U64)
	return cgrp->kn->id;
#elif defined(HAVE_KERNFS_ID_INO)
	return cgrp->kn->id.ino;
#elif defined(HAVE_CGROUP_KERNFS)
	return cgrp->kn->ino;
#else
	/*
	 * Cgroups have inodes of their own, which like their dentries are freed after
	 * a grace period, and none in a hierarchy that is not mounted.
	 */
	struct dentry *dentry = ACCESS_ONCE(cgrp->dentry);
	struct inode *inode = dentry ? ACCESS_ONCE(dentry->d_inode) : NULL;

	return inode ? inode->i_ino : 0;
#endif
}

/* The hierarchy number of /proc/PID/cgroup, 0 for the unified one. */
static inline int compat_cgroup_hierarchy(const struct cgroup *cgrp)
{
	return cgrp->root->hierarchy_id;
}

/* NULL for the root of a hierarchy. */
static inline struct cgroup *compat_cgroup_parent(struct cgroup *cgrp)
{
#ifdef HAVE_CGROUP_PARENT
	return cgroup_parent(cgrp);
#elif defined(HAVE_CGROUP_PARENT_FIELD)
	return cgrp->parent;
#else
	return cgrp->self.parent ? cgrp->self.parent->cgroup : NULL;
#endif
}

/* Paths are told so far below the root, see compat_cgroup_in_limit(). */
#define COMPAT_CGROUP_MAX_LEVEL 64

/* How many cgroups are above it. */
static inline unsigned int compat_cgroup_level(struct cgroup *cgrp)
{
	unsigned int level = 0;

	while ((cgrp = compat_cgroup_parent(cgrp)))
		level++;
	return level;
}

/**
 * compat_cgroup_in_limit() - itself, or its ancestor COMPAT_CGROUP_MAX_LEVEL below the root
 *
 * Users to whom a cgroup is delegated may nest as many as they like. The kernel takes the
 * square of the depth for a path (kernfs_path_from_node() in fs/kernfs/dir.c, with interrupts
 * disabled), and so the cube for all of a chain.
 */
static inline struct cgroup *compat_cgroup_in_limit(struct cgroup *cgrp)
{
	unsigned int level;

	for (level = compat_cgroup_level(cgrp); level > COMPAT_CGROUP_MAX_LEVEL; level--)
		cgrp = compat_cgroup_parent(cgrp);
	return cgrp;
}

/**
 * compat_cgroup_path() - path below the root of the cgroup's hierarchy
 * @buf: at least 2 bytes; the path is cut, never overrun, and always terminated
 *
 * That of a cgroup beyond the limit is its ancestor's within, and "/...".
 */
static inline void compat_cgroup_path(struct cgroup *cgrp, char *buf, size_t size)
{
	struct cgroup *within = compat_cgroup_in_limit(cgrp);
	size_t len;

#ifdef HAVE_CGROUP_PATH_RETURNS_INT
	/* On failure nothing was written: say nothing rather than garbage. */
	buf[0] = '\0';
	cgroup_path(within, buf, size);
#else
	/* Returns the start of the path, which it builds from the end of buf. */
	char *path = cgroup_path(within, buf, size);

	if (path)
		memmove(buf, path, strnlen(path, buf + size - path - 1) + 1);
	else
		buf[0] = '\0';
#endif
	buf[size - 1] = '\0';
	len = strlen(buf);
	if (within != cgrp)
		snprintf(buf + len, size - len, "/...");
}

/* The cgroup of @task in the unified hierarchy; caller holds the RCU read lock. */
static inline struct cgroup *compat_task_dfl_cgroup(struct task_struct *task)
{
#ifdef HAVE_CSS_SET_DFL_CGRP
	return task_css_set(task)->dfl_cgrp;
#else
	return NULL;
#endif
}

/**
 * compat_task_cgroups() - every cgroup that @task is in
 * @cgroups: filled in, the unified hierarchy's first, each hierarchy once
 *
 * A v1 hierarchy is found through its controllers; one that was mounted with
 * none (name=NAME) has no entry, its links are private to kernel/cgroup.
 *
 * Return: how many there are.
 */
static inline unsigned int
compat_task_cgroups(struct task_struct *task, struct cgroup *cgroups[COMPAT_CGROUP_MAX_HIERARCHIES])
{
	struct css_set *cset = task_css_set(task);
	unsigned int nr = 0, ssid, i;

	if (compat_task_dfl_cgroup(task))
		cgroups[nr++] = compat_task_dfl_cgroup(task);
	for (ssid = 0; ssid < CGROUP_SUBSYS_COUNT; ssid++) {
		struct cgroup_subsys_state *css = cset->subsys[ssid];

		if (!css)
			continue;
#ifndef HAVE_CGROUP_KERNFS
		/* One that is not mounted has no numbers. */
		if (!compat_cgroup_id(css->cgroup))
			continue;
#endif
		for (i = 0; i < nr; i++)
			if (cgroups[i]->root == css->cgroup->root)
				break;
		if (i == nr)
			cgroups[nr++] = css->cgroup;
	}
	return nr;
}

#endif /* COMPAT_HAVE_CGROUPS */

/**
 * compat_task_dfl_cgroup_id() - id of the task's cgroup in the unified hierarchy
 *
 * Return: 0 on a kernel without one.
 */
static inline u64 compat_task_dfl_cgroup_id(struct task_struct *task)
{
	u64 id = 0;
#ifdef COMPAT_HAVE_CGROUPS
	struct cgroup *cgrp;

	rcu_read_lock();
	cgrp = compat_task_dfl_cgroup(task);
	if (cgrp)
		id = compat_cgroup_id(cgrp);
	rcu_read_unlock();
#endif
	return id;
}

#endif /* LTTNG_COMPAT_CGROUP_H */
