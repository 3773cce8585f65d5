// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.14: the task's state is unsigned, and not to be touched by its old name. */
#include <linux/sched.h>

unsigned int fact(struct task_struct *task);
unsigned int fact(struct task_struct *task)
{
	return task->__state;
}
