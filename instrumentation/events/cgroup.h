/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * The kernel's own events of control groups (include/trace/events/cgroup.h), with
 * its fields, but tid for what it calls pid, and behind them the cgroup's id as the
 * state dump has it, and whether a whole process was moved.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM cgroup

#if !defined(LTTNG_TRACE_CGROUP_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_CGROUP_H

#include <lttng/tracepoint-event.h>

#include <linux/cgroup.h>
#include <linux/sched.h>
#include <linux/types.h>

#include <compat/cgroup-events.h>

/* A hierarchy is mounted, unmounted, mounted with other controllers. */
LTTNG_TRACEPOINT_EVENT_CLASS(cgroup_root_template,
	TP_PROTO(struct cgroup_root *root),
	TP_ARGS(root),
	TP_FIELDS(
		ctf_integer(int, root, root->hierarchy_id)
		ctf_integer_hex(unsigned int, ss_mask, root->subsys_mask)
		ctf_string(name, root->name)
	)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_root_template, cgroup_setup_root,
	TP_PROTO(struct cgroup_root *root),
	TP_ARGS(root)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_root_template, cgroup_destroy_root,
	TP_PROTO(struct cgroup_root *root),
	TP_ARGS(root)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_root_template, cgroup_remount,
	TP_PROTO(struct cgroup_root *root),
	TP_ARGS(root)
)

LTTNG_TRACEPOINT_EVENT_CLASS_CODE(cgroup_template,
	TP_PROTO(COMPAT_CGROUP_PROTO),
	TP_ARGS(COMPAT_CGROUP_ARGS),
	TP_locvar(
		COMPAT_CGROUP_PATH_BUFFER(path)
	),
	TP_code_pre(
		COMPAT_CGROUP_PATH_FILL(path, cgrp)
	),
	TP_FIELDS(
		ctf_integer(int, root, compat_cgroup_hierarchy(cgrp))
		ctf_integer(int, level, cgrp->level)
		ctf_integer(u64, id, compat_cgroup_kernel_id(cgrp))
		ctf_string(path, COMPAT_CGROUP_PATH(path))
		ctf_integer(u64, cgroup_id, compat_cgroup_id(cgrp))
	),
	TP_code_post()
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_template, cgroup_mkdir,
	TP_PROTO(COMPAT_CGROUP_PROTO),
	TP_ARGS(COMPAT_CGROUP_ARGS)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_template, cgroup_rmdir,
	TP_PROTO(COMPAT_CGROUP_PROTO),
	TP_ARGS(COMPAT_CGROUP_ARGS)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_template, cgroup_release,
	TP_PROTO(COMPAT_CGROUP_PROTO),
	TP_ARGS(COMPAT_CGROUP_ARGS)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_template, cgroup_rename,
	TP_PROTO(COMPAT_CGROUP_PROTO),
	TP_ARGS(COMPAT_CGROUP_ARGS)
)

#ifdef HAVE_CGROUP_TRACE_FREEZE
LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_template, cgroup_freeze,
	TP_PROTO(COMPAT_CGROUP_PROTO),
	TP_ARGS(COMPAT_CGROUP_ARGS)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_template, cgroup_unfreeze,
	TP_PROTO(COMPAT_CGROUP_PROTO),
	TP_ARGS(COMPAT_CGROUP_ARGS)
)
#endif

/* The task is in its new cgroup; with threadgroup, so are all threads of its process. */
LTTNG_TRACEPOINT_EVENT_CLASS_CODE(cgroup_migrate_template,
	TP_PROTO(COMPAT_CGROUP_MIGRATE_PROTO),
	TP_ARGS(COMPAT_CGROUP_MIGRATE_ARGS),
	TP_locvar(
		COMPAT_CGROUP_PATH_BUFFER(path)
	),
	TP_code_pre(
		COMPAT_CGROUP_PATH_FILL(path, dst_cgrp)
	),
	TP_FIELDS(
		ctf_integer(int, dst_root, compat_cgroup_hierarchy(dst_cgrp))
		ctf_integer(int, dst_level, dst_cgrp->level)
		ctf_integer(u64, dst_id, compat_cgroup_kernel_id(dst_cgrp))
		ctf_integer(pid_t, tid, task->pid)
		ctf_string(dst_path, COMPAT_CGROUP_PATH(path))
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(u64, dst_cgroup_id, compat_cgroup_id(dst_cgrp))
		ctf_integer(int, threadgroup, threadgroup)
	),
	TP_code_post()
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_migrate_template, cgroup_attach_task,
	TP_PROTO(COMPAT_CGROUP_MIGRATE_PROTO),
	TP_ARGS(COMPAT_CGROUP_MIGRATE_ARGS)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_migrate_template, cgroup_transfer_tasks,
	TP_PROTO(COMPAT_CGROUP_MIGRATE_PROTO),
	TP_ARGS(COMPAT_CGROUP_MIGRATE_ARGS)
)

#ifdef HAVE_CGROUP_TRACE_FREEZE
LTTNG_TRACEPOINT_EVENT_CLASS(cgroup_event_template,
	TP_PROTO(struct cgroup *cgrp, const char *path, int val),
	TP_ARGS(cgrp, path, val),
	TP_FIELDS(
		ctf_integer(int, root, compat_cgroup_hierarchy(cgrp))
		ctf_integer(int, level, cgrp->level)
		ctf_integer(u64, id, compat_cgroup_kernel_id(cgrp))
		ctf_string(path, path)
		ctf_integer(int, val, val)
		ctf_integer(u64, cgroup_id, compat_cgroup_id(cgrp))
	)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_event_template, cgroup_notify_populated,
	TP_PROTO(struct cgroup *cgrp, const char *path, int val),
	TP_ARGS(cgrp, path, val)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_event_template, cgroup_notify_frozen,
	TP_PROTO(struct cgroup *cgrp, const char *path, int val),
	TP_ARGS(cgrp, path, val)
)
#endif

#endif /* LTTNG_TRACE_CGROUP_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
