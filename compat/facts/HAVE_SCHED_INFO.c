// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* SCHEDSTATS or TASK_DELAY_ACCT, of which 3.16 does not make a CONFIG_SCHED_INFO yet. */
#include <linux/sched.h>

unsigned long long fact(struct task_struct *task);
unsigned long long fact(struct task_struct *task)
{
	return task->sched_info.last_queued + task->sched_info.last_arrival;
}
