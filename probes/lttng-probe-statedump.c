// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Records the events that lttng-statedump fires, each only into the session
 * whose state dump it belongs to.
 */
#include <linux/module.h>

#include <lttng/events.h>
#include <lttng/tracer.h>

#include <instrumentation/mark.h>

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TP_SESSION_CHECK
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE lttng-statedump

#include <instrumentation/events/lttng-statedump.h>

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng state dump events with container identity");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
