/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CPU_LIVE_H
#define LC_CPU_LIVE_H

#include "analysis/account.h"
#include "base/command.h"
#include "trace/live.h"

struct cpu_live_options {
	const char *url; /* see live_find() */
	enum account_by by;
	uint64_t every; /* ns */
	bool cpus, json;
};

/* What ends a table in the output of a process that watches for another; no text has it. */
#define CPU_LIVE_INTERVAL '\x1e'
#define CPU_LIVE_TOTAL	  '\x1d'

/*
 * Watches one session. @framed: standard output is a pipe to who shows what several say: a byte
 * ends each text. Returns an exit status.
 */
int cpu_live_session(const struct cpu_live_options *o, const struct live_session *s, bool framed);
/* Shows the report on the terminal, in place of what is there. Returns 0, or -1 after an error. */
int cpu_live_screen(struct report *r);

/*
 * `cpu --live`: shows the CPU time of a session while it is recorded, a table for each
 * interval, until it ends or a signal comes, and then the total. Returns an exit status.
 */
int cpu_live(const struct cpu_live_options *o);

#endif
