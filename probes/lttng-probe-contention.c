// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Records the kernel's tracepoints of waits for its own locks, which it has since 5.19
 * (commits 16edd9b511a1, ee042be16cb4).
 */
#include <compat/facts.h>

#ifndef HAVE_CONTENTION_BEGIN
#error "no tracepoints of waits for locks (kernel 5.19)"
#endif

#include <linux/module.h>

#include <lttng/tracer.h>

#include <instrumentation/mark.h>

/* The kernel's own declarations: a probe that does not fit them will not compile. */
#include <trace/events/lock.h>

#include <wrapper/tracepoint.h>

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE contention

#include <instrumentation/events/contention.h>

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng events of waits for the kernel's locks");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
