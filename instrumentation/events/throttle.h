/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * CFS bandwidth control keeps the tasks of a cgroup off a CPU, and lets them run again.
 * lttng-throttle.c fires these.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM cgroup_throttle

#if !defined(LTTNG_TRACE_THROTTLE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_THROTTLE_H

#include <lttng/tracepoint-event.h>

#include <linux/cgroup.h>
#include <linux/types.h>

#include <compat/cgroup.h>

/*
 * One for the cgroup whose quota is used up, and one for each below it that has the cpu
 * controller. The CPU is seldom the one that the event is recorded on: the end of a
 * period lets tasks of all CPUs run again.
 */
LTTNG_TRACEPOINT_EVENT_CLASS(cgroup_throttle_template,
	TP_PROTO(struct cgroup *cgrp, int target_cpu),
	TP_ARGS(cgrp, target_cpu),
	TP_FIELDS(
		ctf_integer(int, root, compat_cgroup_hierarchy(cgrp))
		ctf_integer(u64, cgroup_id, compat_cgroup_id(cgrp))
		ctf_integer(int, target_cpu, target_cpu)
	)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_throttle_template, cgroup_throttle_begin,
	TP_PROTO(struct cgroup *cgrp, int target_cpu),
	TP_ARGS(cgrp, target_cpu)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(cgroup_throttle_template, cgroup_throttle_end,
	TP_PROTO(struct cgroup *cgrp, int target_cpu),
	TP_ARGS(cgrp, target_cpu)
)

#endif /* LTTNG_TRACE_THROTTLE_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
