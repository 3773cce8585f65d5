// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.2: cgroup_freeze, cgroup_unfreeze, cgroup_notify_populated, cgroup_notify_frozen. */
#include <linux/module.h>
#include <trace/events/cgroup.h>

static void probe(void *data, struct cgroup *cgrp, const char *path, int val)
{
}

int fact(void);
int fact(void)
{
	return register_trace_cgroup_notify_frozen(probe, NULL);
}
