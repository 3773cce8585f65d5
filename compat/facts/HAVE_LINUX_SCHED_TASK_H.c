// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.11: linux/sched.h was split. */
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
