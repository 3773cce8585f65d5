// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.18: sched_switch is told the state of the task that leaves. */
#include <linux/module.h>
#include <trace/events/sched.h>

static void probe(void *data, bool preempt, struct task_struct *prev,
		  struct task_struct *next, unsigned int prev_state)
{
}

int fact(void);
int fact(void)
{
	return register_trace_sched_switch(probe, NULL);
}
