// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* Up to 6.7: sched_stat_runtime told the virtual run time too. */
#include <linux/module.h>
#include <trace/events/sched.h>

static void probe(void *data, struct task_struct *p, u64 runtime, u64 vruntime)
{
}

int fact(void);
int fact(void)
{
	return register_trace_sched_stat_runtime(probe, NULL);
}
