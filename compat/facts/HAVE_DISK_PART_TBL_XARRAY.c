// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.12: the partitions of a disk are in an xarray of block devices. */
#include <linux/blkdev.h>

struct block_device *fact(struct gendisk *disk, unsigned long *index);
struct block_device *fact(struct gendisk *disk, unsigned long *index)
{
	return xa_find(&disk->part_tbl, index, ULONG_MAX, XA_PRESENT);
}
