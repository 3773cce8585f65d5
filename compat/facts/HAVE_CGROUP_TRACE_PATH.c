// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.18: the tracepoints of cgroups are given the path. */
#include <linux/module.h>
#include <trace/events/cgroup.h>

static void probe(void *data, struct cgroup *cgrp, const char *path)
{
}

int fact(void);
int fact(void)
{
	return register_trace_cgroup_mkdir(probe, NULL);
}
