// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.19: contention_begin, contention_end. */
#include <linux/module.h>
#include <trace/events/lock.h>

static void begin(void *data, void *lock, unsigned int flags)
{
}

static void end(void *data, void *lock, int ret)
{
}

int fact(void);
int fact(void)
{
	return register_trace_contention_begin(begin, NULL) + register_trace_contention_end(end, NULL);
}
