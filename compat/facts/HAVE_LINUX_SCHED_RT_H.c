// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.9: MAX_RT_PRIO moved. */
#include <linux/sched.h>
#include <linux/sched/rt.h>
