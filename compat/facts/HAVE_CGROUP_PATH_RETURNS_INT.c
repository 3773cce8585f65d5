// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.8: cgroup_path() writes to the start of the buffer and returns a length. */
#include <linux/cgroup.h>

int fact(struct cgroup *cgrp, char *buf);
int fact(struct cgroup *cgrp, char *buf)
{
	return cgroup_path(cgrp, buf, 2) + 1;
}
