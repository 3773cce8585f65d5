/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Which cgroup a disk's request is charged to, from the kernel's own block_getrq: it is made for
 * that bio. Who runs may be another, as a kworker that writes what a container made dirty.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM block_rq

#if !defined(LTTNG_TRACE_CHARGE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_CHARGE_H

#include <lttng/tracepoint-event.h>

#include <linux/bio.h>
#include <linux/blk-cgroup.h>
#include <linux/blkdev.h>
#include <linux/types.h>

#include <compat/cgroup.h>

/*
 * dev and sector are those that block_rq_insert and block_rq_issue of the same request have: the
 * bio names the partition, but its sector is the whole disk's by then. The bio holds its cgroup.
 */
LTTNG_TRACEPOINT_EVENT_CODE_MAP(block_getrq, block_rq_charge,
	TP_PROTO(struct bio *bio),
	TP_ARGS(bio),
	TP_locvar(
		struct cgroup *cgrp;
	),
	TP_code_pre(
		const struct cgroup_subsys_state *css = bio_blkcg_css(bio);

		tp_locvar->cgrp = css ? css->cgroup : NULL;
	),
	TP_FIELDS(
		ctf_integer(dev_t, dev, bio ? disk_devt(bio->bi_bdev->bd_disk) : 0)
		ctf_integer(sector_t, sector, bio ? bio->bi_iter.bi_sector : 0)
		ctf_integer(int, root, tp_locvar->cgrp ? compat_cgroup_hierarchy(tp_locvar->cgrp) : 0)
		ctf_integer(u64, cgroup_id, tp_locvar->cgrp ? compat_cgroup_id(tp_locvar->cgrp) : 0)
	),
	TP_code_post()
)

#endif /* LTTNG_TRACE_CHARGE_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
