/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * The scheduler's tracepoints: their prototypes, and the state of a task that
 * sched_switch reports.
 */
#ifndef LTTNG_COMPAT_SCHED_H
#define LTTNG_COMPAT_SCHED_H

#include <compat/facts.h>

#include <linux/sched.h>
#ifdef HAVE_LINUX_SCHED_RT_H
#include <linux/sched/rt.h>
#endif
#ifdef HAVE_LINUX_SCHED_PRIO_H
#include <linux/sched/prio.h>
#endif

#include <wrapper/compiler.h>

/* 4.3, commit fbd705a0c618, removed the success argument of the wakeups. */
#ifdef HAVE_SCHED_WAKEUP_SUCCESS
#define COMPAT_SCHED_WAKEUP_PROTO struct task_struct *task, int success
#define COMPAT_SCHED_WAKEUP_ARGS  task, success
#else
#define COMPAT_SCHED_WAKEUP_PROTO struct task_struct *task
#define COMPAT_SCHED_WAKEUP_ARGS  task
#endif

/*
 * 4.4, commit c73464b1c843, added preempt to sched_switch; 5.18, commits
 * fa2c3254d7cf and 9c2136be0878, prev_state, first as the second argument and
 * then as the last.
 */
#if defined(HAVE_SCHED_SWITCH_PREV_STATE)
#define COMPAT_SCHED_SWITCH_PROTO                                                                  \
	bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state
#define COMPAT_SCHED_SWITCH_ARGS  preempt, prev, next, prev_state
#define COMPAT_SCHED_SWITCH_STATE compat_switch_state(preempt, prev, prev_state)
#elif defined(HAVE_SCHED_SWITCH_PREV_STATE_SECOND)
#define COMPAT_SCHED_SWITCH_PROTO                                                                  \
	bool preempt, unsigned int prev_state, struct task_struct *prev, struct task_struct *next
#define COMPAT_SCHED_SWITCH_ARGS  preempt, prev_state, prev, next
#define COMPAT_SCHED_SWITCH_STATE compat_switch_state(preempt, prev, prev_state)
#elif defined(HAVE_SCHED_SWITCH_PREEMPT)
#define COMPAT_SCHED_SWITCH_PROTO bool preempt, struct task_struct *prev, struct task_struct *next
#define COMPAT_SCHED_SWITCH_ARGS  preempt, prev, next
#define COMPAT_SCHED_SWITCH_STATE compat_switch_state(preempt, prev, compat_task_state(prev))
#else
#define COMPAT_SCHED_SWITCH_PROTO struct task_struct *prev, struct task_struct *next
#define COMPAT_SCHED_SWITCH_ARGS  prev, next
#define COMPAT_SCHED_SWITCH_STATE                                                                  \
	compat_switch_state(compat_was_preempted(), prev, compat_task_state(prev))
#endif

/* Before sched_switch told: prev is current, and schedule() was entered with the flag set. */
static inline bool compat_was_preempted(void)
{
#if defined(CONFIG_PREEMPT) && defined(PREEMPT_ACTIVE)
	return preempt_count() & PREEMPT_ACTIVE;
#else
	return false;
#endif
}

/* 5.14, commit 2f064a59a11f, renamed the field and made it unsigned. */
static inline unsigned int compat_task_state(struct task_struct *task)
{
#ifdef HAVE_TASK___STATE
	return READ_ONCE(task->__state);
#else
	return *(volatile long *)&task->state;
#endif
}

/**
 * compat_switch_state() - the prev_state that sched_switch records
 * @preempt: the task was preempted, so its state says nothing
 * @task:    the task that leaves the CPU
 * @state:   its state when the scheduler looked at it
 *
 * Since 4.14 the kernel reports a single bit, from the index that it also shows
 * in /proc/PID/stat, and TASK_REPORT_MAX for a preempted task; before that the
 * state itself, with TASK_STATE_MAX added (include/trace/events/sched.h).
 */
static inline long compat_switch_state(bool preempt, struct task_struct *task, unsigned int state)
{
#ifdef TASK_REPORT_MAX
	unsigned int index;

	if (preempt)
		return TASK_REPORT_MAX;
#if defined(HAVE_TASK_STATE_INDEX_OF_STATE)
	index = __task_state_index(state, task->exit_state);
#elif defined(HAVE_TASK_STATE_INDEX)
	index = task_state_index(task);
#else
	index = __get_task_state(task);
#endif
	return index ? 1L << (index - 1) : 0;
#else
	return preempt ? TASK_RUNNING | TASK_STATE_MAX : state;
#endif
}

/* Whether a task with that compat_switch_state() could run on. */
static inline bool compat_switch_is_runnable(long state)
{
#ifdef TASK_REPORT_MAX
	return !state || state == TASK_REPORT_MAX;
#else
	return !state || state == (TASK_RUNNING | TASK_STATE_MAX);
#endif
}

/*
 * Created, but never on a run queue yet: TASK_NEW since 4.8, commit 7dc603c9028e. @state is
 * what compat_task_state() said.
 */
static inline bool compat_task_is_new(const struct task_struct *task, unsigned int state)
{
#ifdef TASK_NEW
	if (state & TASK_NEW)
		return true;
#endif
	return state == TASK_RUNNING && !READ_ONCE(task->on_rq);
}

#endif /* LTTNG_COMPAT_SCHED_H */
