// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* 3.16: the parent of a cgroup is found through its css. */
#include <linux/cgroup.h>

struct cgroup *fact(struct cgroup *cgrp);
struct cgroup *fact(struct cgroup *cgrp)
{
	return cgroup_parent(cgrp);
}
