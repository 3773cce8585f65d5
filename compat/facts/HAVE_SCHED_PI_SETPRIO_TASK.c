// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.12: sched_pi_setprio is told the task that lends its priority. */
#include <linux/module.h>
#include <trace/events/sched.h>

static void probe(void *data, struct task_struct *p, struct task_struct *pi_task)
{
}

int fact(void);
int fact(void)
{
	return register_trace_sched_pi_setprio(probe, NULL);
}
