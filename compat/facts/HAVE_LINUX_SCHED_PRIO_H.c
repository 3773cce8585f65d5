// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* 3.15: MAX_RT_PRIO moved once more. */
#include <linux/sched/prio.h>
