// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Records the events that lttng-throttle fires.
 */
#ifndef CONFIG_CFS_BANDWIDTH
#error "CONFIG_CFS_BANDWIDTH is not set"
#endif

#include <linux/module.h>

#include <lttng/tracer.h>

#include <instrumentation/mark.h>
#include <instrumentation/throttle.h>

/* Loads lttng-throttle along with this module. */
static bool (*const needs_hooks)(void) __used = lttng_throttle_is_ready;

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE throttle

#include <instrumentation/events/throttle.h>

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng CFS bandwidth control events");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
