// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 6.16: sched_process_exit tells the last thread of a process. */
#include <linux/module.h>
#include <trace/events/sched.h>

static void probe(void *data, struct task_struct *p, bool group_dead)
{
}

int fact(void);
int fact(void)
{
	return register_trace_sched_process_exit(probe, NULL);
}
