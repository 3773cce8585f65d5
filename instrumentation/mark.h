/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Marks a module as this project's. A distribution may have one of the same name
 * that records less; /sys/module/NAME/parameters/containers exists for ours only,
 * and tells of the module that is loaded, not of the one on the disk.
 */
#ifndef LTTNG_CONTAINERS_MARK_H
#define LTTNG_CONTAINERS_MARK_H

#include <linux/moduleparam.h>

/* Counts up when events change so that a recorder must know. */
static int lttng_containers_mark = 1;
module_param_named(containers, lttng_containers_mark, int, 0444);
MODULE_PARM_DESC(containers, "marks this module as lttng-containers'; not to be set");

#endif
