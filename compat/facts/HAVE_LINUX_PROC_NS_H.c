// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.10: struct proc_ns_operations has a header of its own. */
#include <linux/sched.h>
#include <linux/proc_ns.h>

const char *fact(const struct proc_ns_operations *ops);
const char *fact(const struct proc_ns_operations *ops)
{
	return ops->name;
}
