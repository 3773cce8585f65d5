/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CPU_FLEET_H
#define LC_CPU_FLEET_H

#include "cpu-live.h"

/*
 * `cpu --live` of a relay daemon alone: all its sessions that can be watched, until the last has
 * ended or a signal comes, and then the totals. Returns an exit status.
 */
int cpu_fleet(const struct cpu_live_options *o);

#endif
