// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.15: the index of a task's state, as /proc/PID/stat shows it. */
#include <linux/sched.h>

unsigned int fact(struct task_struct *task);
unsigned int fact(struct task_struct *task)
{
	return task_state_index(task);
}
