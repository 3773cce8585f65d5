// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.16: the unified hierarchy. */
#include <linux/cgroup.h>

struct cgroup *fact(struct task_struct *task);
struct cgroup *fact(struct task_struct *task)
{
	return task_css_set(task)->dfl_cgrp;
}
