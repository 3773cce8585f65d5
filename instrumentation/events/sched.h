/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * The scheduler's events. Names, types and order of the fields are those of
 * lttng-modules; what sched_process_fork adds stands behind them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM sched

#if !defined(LTTNG_TRACE_SCHED_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_SCHED_H

#include <lttng/tracepoint-event.h>

#include <linux/binfmts.h>
#include <linux/sched.h>

#include <compat/cgroup.h>
#include <compat/sched.h>
#include <instrumentation/one-write.h>
#include <instrumentation/pid-levels.h>

/* ---- the life of a task ---- */

/*
 * Fired by the parent after copy_process(), before the child first runs. The child has its
 * struct pid and namespaces, and nobody but the parent can change them. It is in its cgroup,
 * also the one that clone3(CLONE_INTO_CGROUP) chose, where others see it already: one that
 * moves it at once has done so before the event, which then tells the new cgroup, and
 * cgroup_attach_task is the older event.
 */
LTTNG_TRACEPOINT_EVENT_CODE(sched_process_fork,
	TP_PROTO(struct task_struct *parent, struct task_struct *child),
	TP_ARGS(parent, child),
	TP_locvar(
		struct lttng_pid_levels levels;
		u64 cgroup_id;
	),
	TP_code_pre(
		lttng_pid_levels_read(&tp_locvar->levels, task_pid(child));
		tp_locvar->cgroup_id = compat_task_dfl_cgroup_id(child);
	),
	TP_FIELDS(
		LTTNG_ONE_WRITE(2 * TASK_COMM_LEN + 6 * sizeof(pid_t) + 2 + sizeof(u64) +
				LTTNG_PID_NS_LEVELS * (sizeof(pid_t) + sizeof(u32)),
			ctf_array_text(char, parent_comm, parent->comm, TASK_COMM_LEN)
			ctf_integer(pid_t, parent_tid, parent->pid)
			ctf_integer(pid_t, parent_pid, parent->tgid)
			ctf_integer(unsigned int, parent_ns_inum, lttng_pid_ns_inum(task_pid(parent)))
			ctf_array_text(char, child_comm, child->comm, TASK_COMM_LEN)
			ctf_integer(pid_t, child_tid, child->pid)
			ctf_sequence(pid_t, vtids, tp_locvar->levels.vtids, u8, tp_locvar->levels.nr)
			ctf_integer(pid_t, child_pid, child->tgid)
			ctf_integer(unsigned int, child_ns_inum, lttng_pid_ns_inum(task_pid(child)))
			ctf_sequence(unsigned int, ns_inums, tp_locvar->levels.inums,
				     u8, tp_locvar->levels.nr)
			ctf_integer(u64, child_cgroup_id, tp_locvar->cgroup_id)
		)
	),
	TP_code_post()
)

LTTNG_TRACEPOINT_EVENT(sched_process_exec,
	TP_PROTO(struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm),
	TP_ARGS(task, old_pid, bprm),
	TP_FIELDS(
		ctf_string(filename, bprm->filename)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(pid_t, old_tid, old_pid)
	)
)

LTTNG_TRACEPOINT_EVENT_CLASS(sched_task,
	TP_PROTO(struct task_struct *task),
	TP_ARGS(task),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(int, prio, task->prio - MAX_RT_PRIO)
	)
)

/* The task_struct is about to be freed: the last that is heard of a task. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_task, sched_process_free,
	TP_PROTO(struct task_struct *task),
	TP_ARGS(task)
)

#ifdef HAVE_SCHED_PROCESS_EXIT_GROUP_DEAD
LTTNG_TRACEPOINT_EVENT(sched_process_exit,
	TP_PROTO(struct task_struct *task, bool group_dead),
	TP_ARGS(task, group_dead),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(int, prio, task->prio - MAX_RT_PRIO)
		ctf_integer(bool, group_dead, group_dead)
	)
)
#else
LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_task, sched_process_exit,
	TP_PROTO(struct task_struct *task),
	TP_ARGS(task)
)
#endif

LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_task, sched_wait_task,
	TP_PROTO(struct task_struct *task),
	TP_ARGS(task)
)

LTTNG_TRACEPOINT_EVENT(sched_process_wait,
	TP_PROTO(struct pid *pid),
	TP_ARGS(pid),
	TP_FIELDS(
		ctf_array_text(char, comm, current->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, pid_nr(pid))
		ctf_integer(int, prio, current->prio - MAX_RT_PRIO)
	)
)

/* ---- who runs ---- */

/* Waking: seen on the waker's CPU; wakeup: the task is on a run queue. */
LTTNG_TRACEPOINT_EVENT_CLASS(sched_wake,
	TP_PROTO(COMPAT_SCHED_WAKEUP_PROTO),
	TP_ARGS(COMPAT_SCHED_WAKEUP_ARGS),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(int, prio, task->prio - MAX_RT_PRIO)
		ctf_integer(int, target_cpu, task_cpu(task))
	)
)

#ifdef HAVE_SCHED_WAKING
LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_wake, sched_waking,
	TP_PROTO(COMPAT_SCHED_WAKEUP_PROTO),
	TP_ARGS(COMPAT_SCHED_WAKEUP_ARGS)
)
#endif

LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_wake, sched_wakeup,
	TP_PROTO(COMPAT_SCHED_WAKEUP_PROTO),
	TP_ARGS(COMPAT_SCHED_WAKEUP_ARGS)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_wake, sched_wakeup_new,
	TP_PROTO(COMPAT_SCHED_WAKEUP_PROTO),
	TP_ARGS(COMPAT_SCHED_WAKEUP_ARGS)
)

LTTNG_TRACEPOINT_EVENT(sched_switch,
	TP_PROTO(COMPAT_SCHED_SWITCH_PROTO),
	TP_ARGS(COMPAT_SCHED_SWITCH_ARGS),
	TP_FIELDS(
		LTTNG_ONE_WRITE(2 * TASK_COMM_LEN + 6 * sizeof(long),
			ctf_array_text(char, prev_comm, prev->comm, TASK_COMM_LEN)
			ctf_integer(pid_t, prev_tid, prev->pid)
			ctf_integer(int, prev_prio, prev->prio - MAX_RT_PRIO)
			ctf_integer(long, prev_state, COMPAT_SCHED_SWITCH_STATE)
			ctf_array_text(char, next_comm, next->comm, TASK_COMM_LEN)
			ctf_integer(pid_t, next_tid, next->pid)
			ctf_integer(int, next_prio, next->prio - MAX_RT_PRIO)
		)
	)
)

LTTNG_TRACEPOINT_EVENT(sched_migrate_task,
	TP_PROTO(struct task_struct *task, int dest_cpu),
	TP_ARGS(task, dest_cpu),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(int, prio, task->prio - MAX_RT_PRIO)
		ctf_integer(int, orig_cpu, task_cpu(task))
		ctf_integer(int, dest_cpu, dest_cpu)
	)
)

#ifdef HAVE_SCHED_PI_SETPRIO_TASK
LTTNG_TRACEPOINT_EVENT(sched_pi_setprio,
	TP_PROTO(struct task_struct *task, struct task_struct *pi_task),
	TP_ARGS(task, pi_task),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(int, oldprio, task->prio - MAX_RT_PRIO)
		ctf_integer(int, newprio, (pi_task ? pi_task->prio : task->prio) - MAX_RT_PRIO)
	)
)
#else
LTTNG_TRACEPOINT_EVENT(sched_pi_setprio,
	TP_PROTO(struct task_struct *task, int newprio),
	TP_ARGS(task, newprio),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(int, oldprio, task->prio - MAX_RT_PRIO)
		ctf_integer(int, newprio, newprio - MAX_RT_PRIO)
	)
)
#endif

/* ---- how long it took ---- */

/* The kernel's schedstat delays, in nanoseconds; fair-class tasks only. */
LTTNG_TRACEPOINT_EVENT_CLASS(sched_delay,
	TP_PROTO(struct task_struct *task, u64 delay),
	TP_ARGS(task, delay),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(u64, delay, delay)
	)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_delay, sched_stat_wait,
	TP_PROTO(struct task_struct *task, u64 delay),
	TP_ARGS(task, delay)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_delay, sched_stat_sleep,
	TP_PROTO(struct task_struct *task, u64 delay),
	TP_ARGS(task, delay)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_delay, sched_stat_iowait,
	TP_PROTO(struct task_struct *task, u64 delay),
	TP_ARGS(task, delay)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(sched_delay, sched_stat_blocked,
	TP_PROTO(struct task_struct *task, u64 delay),
	TP_ARGS(task, delay)
)

#ifdef HAVE_SCHED_STAT_RUNTIME_VRUNTIME
LTTNG_TRACEPOINT_EVENT(sched_stat_runtime,
	TP_PROTO(struct task_struct *task, u64 runtime, u64 vruntime),
	TP_ARGS(task, runtime, vruntime),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(u64, runtime, runtime)
		ctf_integer(u64, vruntime, vruntime)
	)
)
#else
LTTNG_TRACEPOINT_EVENT(sched_stat_runtime,
	TP_PROTO(struct task_struct *task, u64 runtime),
	TP_ARGS(task, runtime),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
		ctf_integer(u64, runtime, runtime)
	)
)
#endif

/* ---- kernel threads ---- */

/* A kernel thread is asked to stop: the request, then its result. */
LTTNG_TRACEPOINT_EVENT(sched_kthread_stop,
	TP_PROTO(struct task_struct *task),
	TP_ARGS(task),
	TP_FIELDS(
		ctf_array_text(char, comm, task->comm, TASK_COMM_LEN)
		ctf_integer(pid_t, tid, task->pid)
	)
)

LTTNG_TRACEPOINT_EVENT(sched_kthread_stop_ret,
	TP_PROTO(int ret),
	TP_ARGS(ret),
	TP_FIELDS(
		ctf_integer(int, ret, ret)
	)
)

#endif /* LTTNG_TRACE_SCHED_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
