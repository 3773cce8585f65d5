// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.15: cgroups are kernfs nodes. */
#include <linux/cgroup.h>
#include <linux/kernfs.h>

struct kernfs_node *fact(struct cgroup *cgrp);
struct kernfs_node *fact(struct cgroup *cgrp)
{
	return cgrp->kn;
}
