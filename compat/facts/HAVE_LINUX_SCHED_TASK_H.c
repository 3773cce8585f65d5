// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* 4.11: linux/sched.h was split. */
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
