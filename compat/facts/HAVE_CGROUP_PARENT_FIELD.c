// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* Up to 3.15: the parent of a cgroup is a field of it. */
#include <linux/cgroup.h>

struct cgroup *fact(struct cgroup *cgrp);
struct cgroup *fact(struct cgroup *cgrp)
{
	return cgrp->parent;
}
