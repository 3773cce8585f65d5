// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* Up to 5.10: a partition is a struct hd_struct. */
#include <linux/genhd.h>

dev_t fact(struct hd_struct *part);
dev_t fact(struct hd_struct *part)
{
	return part_devt(part) + part->partno;
}
