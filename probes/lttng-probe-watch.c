// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Records the event that lttng-watch fires.
 */
#include <linux/module.h>

#include <lttng/tracer.h>

#include <instrumentation/mark.h>
#include <instrumentation/watch.h>

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE watch

#include <instrumentation/events/watch.h>

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng events of what took too long");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
