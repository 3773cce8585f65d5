// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.4: sched_switch is told about preemption. */
#include <linux/module.h>
#include <trace/events/sched.h>

static void probe(void *data, bool preempt, struct task_struct *prev,
		  struct task_struct *next)
{
}

int fact(void);
int fact(void)
{
	return register_trace_sched_switch(probe, NULL);
}
