// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.17 to 5.4: the same under its old name; before, a struct timespec. */
#include <linux/sched.h>

u64 fact(struct task_struct *task);
u64 fact(struct task_struct *task)
{
	return task->real_start_time + 1;
}
