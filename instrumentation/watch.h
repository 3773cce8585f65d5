/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What lttng-watch tells of what it watches for.
 */
#ifndef LTTNG_WATCH_H
#define LTTNG_WATCH_H

#include <compat/facts.h>

#include <linux/types.h>

#ifndef HAVE_SCHED_INFO
#error "the kernel does not keep since when tasks wait (neither SCHEDSTATS nor TASK_DELAY_ACCT is set)"
#endif
/* What brought that, commit 7c65bbc7dcfa in 3.15, came with tracepoints that are found by name. */
#ifndef HAVE_TRACE_ENABLED
#error "the kernel does not tell where its tracepoints are"
#endif

/**
 * lttng_watch_delay_ns() - the longest wait for a CPU that is not told of
 *
 * Return: nanoseconds, 0 while no wait is.
 */
u64 lttng_watch_delay_ns(void);

/**
 * lttng_watch_blocked_ns() - the longest uninterruptible sleep that is not told of
 *
 * Return: nanoseconds, 0 while none is.
 */
u64 lttng_watch_blocked_ns(void);

#endif /* LTTNG_WATCH_H */
