/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CPU_LIVE_H
#define LC_CPU_LIVE_H

#include "analysis/account.h"

struct cpu_live_options {
	const char *url; /* see live_find() */
	enum account_by by;
	uint64_t every; /* ns */
	bool cpus, json;
};

/*
 * `cpu --live`: shows the CPU time of a session while it is recorded, a table for each
 * interval, until it ends or a signal comes, and then the total. Returns an exit status.
 */
int cpu_live(const struct cpu_live_options *o);

#endif
