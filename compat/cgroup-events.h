/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * The kernel's tracepoints of control groups: their prototypes, and what they tell.
 */
#ifndef LTTNG_COMPAT_CGROUP_EVENTS_H
#define LTTNG_COMPAT_CGROUP_EVENTS_H

#include <compat/facts.h>

#include <compat/cgroup.h>

/* The number that the kernel's own events call id: cgroup_id since 5.5. */
static inline u64 compat_cgroup_kernel_id(const struct cgroup *cgrp)
{
#ifdef HAVE_CGROUP_ID_FIELD
	return cgrp->id;
#else
	return compat_cgroup_id(cgrp);
#endif
}

/*
 * The kernel's tracepoints of cgroups are given the path since 4.18, commit
 * e4f8d81c738d; before, it is found here, and cut to the buffer.
 */
#ifdef HAVE_CGROUP_TRACE_PATH
#define COMPAT_CGROUP_PROTO struct cgroup *cgrp, const char *path
#define COMPAT_CGROUP_ARGS cgrp, path
#define COMPAT_CGROUP_MIGRATE_PROTO \
	struct cgroup *dst_cgrp, const char *path, struct task_struct *task, bool threadgroup
#define COMPAT_CGROUP_MIGRATE_ARGS dst_cgrp, path, task, threadgroup
#define COMPAT_CGROUP_PATH_BUFFER(path)
#define COMPAT_CGROUP_PATH_FILL(path, cgrp)
#define COMPAT_CGROUP_PATH(path) path
#else
#define COMPAT_CGROUP_PROTO struct cgroup *cgrp
#define COMPAT_CGROUP_ARGS cgrp
#define COMPAT_CGROUP_MIGRATE_PROTO \
	struct cgroup *dst_cgrp, struct task_struct *task, bool threadgroup
#define COMPAT_CGROUP_MIGRATE_ARGS dst_cgrp, task, threadgroup
#define COMPAT_CGROUP_PATH_BUFFER(path) char path[256];
#define COMPAT_CGROUP_PATH_FILL(path, cgrp) \
	compat_cgroup_path(cgrp, tp_locvar->path, sizeof(tp_locvar->path));
#define COMPAT_CGROUP_PATH(path) tp_locvar->path
#endif

#endif /* LTTNG_COMPAT_CGROUP_EVENTS_H */
