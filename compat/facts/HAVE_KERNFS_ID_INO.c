// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.14 to 5.4: a union of inode number and generation. */
#include <linux/kernfs.h>

unsigned int fact(struct kernfs_node *kn);
unsigned int fact(struct kernfs_node *kn)
{
	return kn->id.ino;
}
