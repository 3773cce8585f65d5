// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* Must not compile anywhere: otherwise every fact would seem to hold. */
#include <linux/sched.h>

int fact(struct task_struct *task);
int fact(struct task_struct *task)
{
	return task->lttng_no_such_field;
}
