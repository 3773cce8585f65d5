// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.15: whether a tracepoint has users. */
#include <linux/module.h>
#include <trace/events/sched.h>

bool fact(void);
bool fact(void)
{
	return trace_sched_process_fork_enabled();
}
