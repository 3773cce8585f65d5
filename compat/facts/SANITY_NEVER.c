// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Must not compile anywhere: where the compiler only warns of pointers of different
 * types, every fact about a prototype would seem to hold.
 */
#include <linux/sched.h>

void (*fact(struct task_struct *task))(char *);
static void takes_task(struct task_struct *task)
{
}

void (*fact(struct task_struct *task))(char *)
{
	takes_task(task);
	return takes_task;
}
