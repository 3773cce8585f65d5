// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.5: the id of a kernfs node is one 64-bit number. */
#include <linux/kernfs.h>

u64 fact(struct kernfs_node *kn);
u64 fact(struct kernfs_node *kn)
{
	return kn->id + 1;
}
