// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* 3.15: whether a tracepoint has users. */
#include <linux/module.h>
#include <trace/events/sched.h>

bool fact(void);
bool fact(void)
{
	return trace_sched_process_fork_enabled();
}
