// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* Up to 4.2: the wakeups had an argument that was always 1. */
#include <linux/module.h>
#include <trace/events/sched.h>

static void probe(void *data, struct task_struct *p, int success)
{
}

int fact(void);
int fact(void)
{
	return register_trace_sched_wakeup(probe, NULL);
}
