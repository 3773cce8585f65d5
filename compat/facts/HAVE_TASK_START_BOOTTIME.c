// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.5: start time of a task since boot. */
#include <linux/sched.h>

u64 fact(struct task_struct *task);
u64 fact(struct task_struct *task)
{
	return task->start_boottime;
}
