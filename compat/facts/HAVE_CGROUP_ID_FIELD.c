// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* Up to 5.4: a cgroup has a small number of its own, which the kernel's events tell. */
#include <linux/cgroup.h>

int fact(struct cgroup *cgrp);
int fact(struct cgroup *cgrp)
{
	return cgrp->id + 1;
}
