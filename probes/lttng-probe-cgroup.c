// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Records the kernel's tracepoints of control groups, which it has since 4.13
 * (commit ed1777de2563).
 */
#ifndef CONFIG_CGROUPS
#error "CONFIG_CGROUPS is not set"
#endif

#include <linux/module.h>

#include <lttng/tracer.h>

#include <instrumentation/mark.h>

/* The kernel's own declarations: a probe that does not fit them will not compile. */
#include <trace/events/cgroup.h>

#include <wrapper/tracepoint.h>

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/cgroup.h>

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng control group events");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
