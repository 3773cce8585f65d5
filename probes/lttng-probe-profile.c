// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Records the samples that lttng-profile fires, and how tasks leave their CPU.
 */
#include <linux/module.h>

#include <lttng/tracer.h>

#include <instrumentation/mark.h>
#include <instrumentation/profile.h>

/* The kernel's own declarations: a probe that does not fit them will not compile. */
#include <trace/events/sched.h>

#include <wrapper/tracepoint.h>

/* Loads lttng-profile along with this module. */
static bool (*const needs_sampler)(void) __used = lttng_profile_is_ready;

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE profile

#include <instrumentation/events/profile.h>

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng samples of what CPUs do");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
