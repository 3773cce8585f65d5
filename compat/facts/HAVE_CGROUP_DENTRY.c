// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.10 to 3.14: cgroups have dentries and inodes, and their root is no secret. */
#include <linux/cgroup.h>
#include <linux/fs.h>

unsigned long fact(struct cgroup *cgrp);
unsigned long fact(struct cgroup *cgrp)
{
	return cgrp->dentry->d_inode->i_ino + cgrp->root->hierarchy_id;
}
