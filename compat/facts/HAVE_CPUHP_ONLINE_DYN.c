// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.10: a module may have a state of CPU hotplug, without one of its own in the kernel's list. */
#include <linux/cpuhotplug.h>

int fact(int (*callback)(unsigned int cpu));
int fact(int (*callback)(unsigned int cpu))
{
	return cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "fact:online", callback, callback);
}
