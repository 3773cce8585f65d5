/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What a sampler of CPUs takes: counters of perf, CPUs that come and go, and a tracepoint
 * that says when it has its first and its last user.
 */
#ifndef LTTNG_COMPAT_PROFILE_H
#define LTTNG_COMPAT_PROFILE_H

#include <compat/facts.h>

#include <linux/cpuhotplug.h>
#include <linux/perf_event.h>
#include <linux/tracepoint.h>

#ifndef CONFIG_PERF_EVENTS
#error "CONFIG_PERF_EVENTS is not set"
#endif
#ifndef HAVE_CPUHP_ONLINE_DYN
#error "no states of CPU hotplug for modules (kernel 4.10)"
#endif

/* Prototype and arguments are named where a tracepoint is defined since 5.10, commit d25e37d89dd2. */
#ifdef HAVE_DEFINE_TRACE_PROTO
#define COMPAT_DEFINE_TRACE_FN(name, reg, unreg, proto, args) \
	DEFINE_TRACE_FN(name, reg, unreg, PARAMS(proto), PARAMS(args))
#else
#define COMPAT_DEFINE_TRACE_FN(name, reg, unreg, proto, args) DEFINE_TRACE_FN(name, reg, unreg)
#endif

#endif /* LTTNG_COMPAT_PROFILE_H */
