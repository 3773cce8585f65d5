/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What took too long. lttng-watch.c fires this.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM watch

#if !defined(LTTNG_TRACE_WATCH_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_WATCH_H

#include <lttng/tracepoint-event.h>

#include <linux/sched.h>
#include <linux/types.h>

#include <compat/cgroup.h>
#include <instrumentation/pid-levels.h>
#include <instrumentation/watch.h>

/*
 * A task gets a CPU for which it has waited longer than was asked for. The context is
 * that of the task that leaves this CPU.
 */
LTTNG_TRACEPOINT_EVENT(watch_delay,
	TP_PROTO(struct task_struct *task, u64 delay),
	TP_ARGS(task, delay),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(pid_t, pid, task->tgid)
		ctf_integer(unsigned int, ns_inum, lttng_pid_ns_inum(task_pid(task)))
		ctf_integer(u64, cgroup_id, compat_task_dfl_cgroup_id(task))
		ctf_integer(u64, delay, delay)
		ctf_integer(u64, threshold, lttng_watch_delay_ns())
		ctf_array_text(char, prev_comm, current->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, prev_tid, current->pid)
	)
)

/*
 * A task is woken that has slept uninterruptibly for longer than was asked for. The
 * context is that of the task that wakes it, or that was interrupted for it.
 */
LTTNG_TRACEPOINT_EVENT(watch_blocked,
	TP_PROTO(struct task_struct *task, u64 blocked),
	TP_ARGS(task, blocked),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(pid_t, pid, task->tgid)
		ctf_integer(unsigned int, ns_inum, lttng_pid_ns_inum(task_pid(task)))
		ctf_integer(u64, cgroup_id, compat_task_dfl_cgroup_id(task))
		ctf_integer(u64, blocked, blocked)
		ctf_integer(u64, threshold, lttng_watch_blocked_ns())
		ctf_integer(unsigned char, in_iowait, task->in_iowait)
		ctf_array_text(char, waker_comm, current->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, waker_tid, current->pid)
	)
)

#endif /* LTTNG_TRACE_WATCH_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
