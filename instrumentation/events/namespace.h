/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Namespaces change hands and go away. lttng-namespace.c fires these.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM namespace

#if !defined(LTTNG_TRACE_NAMESPACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_NAMESPACE_H

#include <lttng/tracepoint-event.h>

#include <linux/sched.h>
#include <linux/types.h>

#include <instrumentation/namespaces.h>

LTTNG_TRACEPOINT_ENUM(namespace_switch_reason,
	TP_ENUM_VALUES(
		ctf_enum_value("fork", LTTNG_NAMESPACE_SWITCH_FORK)
		ctf_enum_value("setns", LTTNG_NAMESPACE_SWITCH_SETNS)
		ctf_enum_value("unshare", LTTNG_NAMESPACE_SWITCH_UNSHARE)
		ctf_enum_value("exec", LTTNG_NAMESPACE_SWITCH_EXEC)
	)
)

/*
 * The set of namespaces of a task is another than before, or than its parent's.
 * For reason fork, the task is the child and the context is the parent's.
 */
LTTNG_TRACEPOINT_EVENT(namespace_switch,
	TP_PROTO(struct task_struct *task, int reason, const struct lttng_namespaces *set),
	TP_ARGS(task, reason, set),
	TP_FIELDS(
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(pid_t, pid, task->tgid)
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_enum(namespace_switch_reason, int, reason, reason)
		ctf_integer(unsigned int, cgroup_ns_inum, set->cgroup)
		ctf_integer(unsigned int, ipc_ns_inum, set->ipc)
		ctf_integer(unsigned int, mnt_ns_inum, set->mnt)
		ctf_integer(unsigned int, net_ns_inum, set->net)
		ctf_integer(unsigned int, pid_for_children_ns_inum, set->pid_for_children)
		ctf_integer(unsigned int, time_ns_inum, set->time)
		ctf_integer(unsigned int, user_ns_inum, set->user)
		ctf_integer(unsigned int, uts_ns_inum, set->uts)
	)
)

/* A namespace of any kind is gone; its number may be given to another at once. */
LTTNG_TRACEPOINT_EVENT(namespace_free,
	TP_PROTO(u32 inum),
	TP_ARGS(inum),
	TP_FIELDS(
		ctf_integer(unsigned int, ns_inum, inum)
	)
)

#endif /* LTTNG_TRACE_NAMESPACE_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
