// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.19: struct ns_common in every namespace; before, proc_inum. */
#include <linux/pid_namespace.h>

unsigned int fact(struct pid_namespace *ns);
unsigned int fact(struct pid_namespace *ns)
{
	return ns->ns.inum;
}
