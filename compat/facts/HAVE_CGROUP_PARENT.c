// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* Between 4.9 and 4.14: a helper that finds the parent of a cgroup. */
#include <linux/cgroup.h>

struct cgroup *fact(struct cgroup *cgrp);
struct cgroup *fact(struct cgroup *cgrp)
{
	return cgroup_parent(cgrp);
}
