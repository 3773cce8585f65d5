/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * The state dump's part about control groups. lttng-statedump-cgroup.c is it.
 */
#ifndef LTTNG_STATEDUMP_CGROUPS_H
#define LTTNG_STATEDUMP_CGROUPS_H

#include <linux/types.h>

#include <compat/cgroup.h>
#include <instrumentation/statedump-known.h>

struct lttng_kernel_session;
struct task_struct;

/**
 * struct lttng_cgroup_dump - the cgroups that a session has been told already
 * @path:  PATH_MAX bytes for the path of a cgroup, free for other uses between calls
 * @known: by id and hierarchy
 */
struct lttng_cgroup_dump {
	struct lttng_kernel_session *session;
	char *path;
	struct lttng_known_set known;
};

#ifdef COMPAT_HAVE_CGROUPS

/**
 * lttng_cgroup_dump_begin() - nothing has been told yet
 * @path: PATH_MAX bytes, which stay the caller's
 *
 * Sleeps. Return: 0 or -ENOMEM; in both cases it may be ended.
 */
int lttng_cgroup_dump_begin(struct lttng_cgroup_dump *dump, struct lttng_kernel_session *session,
			    char *path);

/**
 * lttng_cgroup_dump_task() - tell which cgroups a thread is in, and what is not known of those
 * @p:   the caller holds a reference
 * @tid: its thread id, or the one that it had when it was looked at
 *
 * Sleeps. Return: 0 or -ENOMEM.
 */
int lttng_cgroup_dump_task(struct lttng_cgroup_dump *dump, struct task_struct *p, pid_t tid);

/* Frees what @dump owns. */
void lttng_cgroup_dump_end(struct lttng_cgroup_dump *dump);

#else

static inline int lttng_cgroup_dump_begin(struct lttng_cgroup_dump *dump,
					  struct lttng_kernel_session *session, char *path)
{
	return 0;
}

static inline int lttng_cgroup_dump_task(struct lttng_cgroup_dump *dump, struct task_struct *p,
					 pid_t tid)
{
	return 0;
}

static inline void lttng_cgroup_dump_end(struct lttng_cgroup_dump *dump)
{
}

#endif /* COMPAT_HAVE_CGROUPS */

#endif /* LTTNG_STATEDUMP_CGROUPS_H */
