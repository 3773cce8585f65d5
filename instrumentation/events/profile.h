/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What a CPU was found doing. lttng-profile.c fires this.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM profile

#if !defined(LTTNG_TRACE_PROFILE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_PROFILE_H

#include <lttng/tracepoint-event.h>

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>

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

#endif /* LTTNG_TRACE_PROFILE_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
