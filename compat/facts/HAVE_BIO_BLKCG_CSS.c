// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.11: block_getrq(bio); 5.19: bio_blkcg_css(). */
#include <linux/bio.h>
#include <linux/blk-cgroup.h>
#include <linux/blkdev.h>
#include <linux/module.h>
#include <trace/events/block.h>

static void got(void *data, struct bio *bio)
{
}

int fact(void);
int fact(void)
{
	struct bio bio = {};

	return register_trace_block_getrq(got, NULL) + !bio_blkcg_css(&bio) +
	       (int)disk_devt(bio.bi_bdev->bd_disk);
}
