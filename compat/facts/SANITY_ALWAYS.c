// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* Must compile on every kernel: otherwise the tool chain is broken, not the kernel old. */
#include <linux/module.h>
#include <linux/sched.h>

int fact(struct task_struct *task);
int fact(struct task_struct *task)
{
	return task->pid;
}
