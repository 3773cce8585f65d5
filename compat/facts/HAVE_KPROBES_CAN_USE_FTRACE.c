// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.7 to 3.8: kprobes are ftrace's by this macro; later there is CONFIG_KPROBES_ON_FTRACE. */
#include <linux/kprobes.h>

#ifndef KPROBES_CAN_USE_FTRACE
#error no such macro
#endif
