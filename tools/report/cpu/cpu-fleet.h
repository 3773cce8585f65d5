/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CPU_FLEET_H
#define LC_CPU_FLEET_H

#include "cpu-live.h"

/* What is kept at most; a test sets less. */
struct cpu_fleet_limits {
	/* Sessions that have ended, and that the relay daemon does not list any more. */
	size_t ended;
	/* Of their totals, bytes. */
	size_t totals;
	/*
	 * Of a table that has not ended, bytes: everybody has so much; of what all may have
	 * together one has half of what the others leave.
	 */
	size_t said, said_by_all;
	uint64_t ask_ns; /* how often the relay daemon is asked for its sessions */
};

extern struct cpu_fleet_limits cpu_fleet_limits;

/*
 * `cpu --live` of a relay daemon alone: all its sessions that can be watched, until the last has
 * ended or a signal comes, and then the totals. Returns an exit status.
 */
int cpu_fleet(const struct cpu_live_options *o);

#endif
