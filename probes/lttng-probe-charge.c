// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Records which cgroup a disk's request is charged to, by the kernel's tracepoint block_getrq,
 * which has a bio alone since 5.11 (commit e8a676d61c07), and bio_blkcg_css(), there since 5.19
 * (commit bbb1ebe7a909).
 */
#include <compat/facts.h>

#ifndef CONFIG_BLK_CGROUP
#error "CONFIG_BLK_CGROUP is not set"
#endif

#ifndef HAVE_BIO_BLKCG_CSS
#error "modules cannot find out which cgroup a request is charged to (kernel 5.19)"
#endif

#include <linux/blktrace_api.h>
#include <linux/module.h>

#include <lttng/tracer.h>

#include <instrumentation/mark.h>

/* The kernel's own declarations: a probe that does not fit them will not compile. */
#include <trace/events/block.h>

#include <wrapper/tracepoint.h>

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE charge

#include <instrumentation/events/charge.h>

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng events of which cgroup a disk's requests are charged to");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
