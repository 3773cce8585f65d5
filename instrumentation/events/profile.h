/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What a CPU was found doing, which lttng-profile.c fires; and how tasks leave their CPU and wake
 * others, from the kernel's own sched_switch and sched_waking.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM profile

#if !defined(LTTNG_TRACE_PROFILE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_PROFILE_H

#include <lttng/tracepoint-event.h>

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>

#include <compat/sched.h>
#include <instrumentation/profile.h>

LTTNG_TRACEPOINT_ENUM(profile_sample_mode,
	TP_ENUM_VALUES(
		ctf_enum_value("kernel", LTTNG_PROFILE_KERNEL)
		ctf_enum_value("user", LTTNG_PROFILE_USER)
	)
)

/* ip is of what was interrupted: frames of the kernel that are told before it are the sampler's. */
LTTNG_TRACEPOINT_EVENT(profile_sample,
	TP_PROTO(struct pt_regs *regs, u64 period),
	TP_ARGS(regs, period),
	TP_FIELDS(
		ctf_integer(pid_t, tid, current->pid)
		ctf_integer(pid_t, pid, current->tgid)
		ctf_enum(profile_sample_mode, int, mode,
			user_mode(regs) ? LTTNG_PROFILE_USER : LTTNG_PROFILE_KERNEL)
		ctf_integer_hex(unsigned long, ip, instruction_pointer(regs))
		ctf_integer(u64, period, period)
	)
)

#ifndef LTTNG_INSTRUMENTATION /* The tracepoint is the kernel's. */
/* For the stacks by which tasks begin to wait: sched_switch, and all who need it, do without. */
LTTNG_TRACEPOINT_EVENT_MAP(sched_switch, profile_switch,
	TP_PROTO(COMPAT_SCHED_SWITCH_PROTO),
	TP_ARGS(COMPAT_SCHED_SWITCH_ARGS),
	TP_FIELDS(
		ctf_integer(pid_t, tid, prev->pid)
		ctf_integer(pid_t, pid, prev->tgid)
		ctf_integer(long, state, COMPAT_SCHED_SWITCH_STATE)
		ctf_integer(int, runnable, compat_switch_is_runnable(COMPAT_SCHED_SWITCH_STATE))
	)
)

/* For the stacks by which tasks are woken; in an interrupt they are not of the task that it met. */
LTTNG_TRACEPOINT_EVENT_MAP(sched_waking, profile_waking,
	TP_PROTO(COMPAT_SCHED_WAKEUP_PROTO),
	TP_ARGS(COMPAT_SCHED_WAKEUP_ARGS),
	TP_FIELDS(
		ctf_integer(pid_t, tid, current->pid)
		ctf_integer(pid_t, pid, current->tgid)
		ctf_integer(pid_t, woken_tid, task->pid)
		ctf_integer(int, interrupt, lttng_profile_interrupt())
	)
)
#endif

#endif /* LTTNG_TRACE_PROFILE_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
