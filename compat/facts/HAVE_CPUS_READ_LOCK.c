// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.13: the CPU hotplug lock was renamed. */
#include <linux/cpu.h>

void fact(void);
void fact(void)
{
	cpus_read_lock();
	cpus_read_unlock();
}
