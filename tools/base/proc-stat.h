/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_PROC_STAT_H
#define LC_PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>

/* The inode of the host's PID namespace, on every Linux. */
#define ROOT_PID_NS 4026531836

/* What /proc/PID/stat tells of a process, see proc(5). */
struct proc_stat {
	char state; /* Z and X: it has ended */
	int parent, group;
	uint64_t ticks; /* of CPU time, with that of its children who were waited for */
	uint64_t start; /* clock ticks since the boot */
	/* Where they begin; 0: it has no program, or whoever asks may not know. */
	uint64_t code, stack;
};

/* @text: all of that file. Returns false if it is not one. */
bool proc_stat_parse(struct proc_stat *st, const char *text);
/* Returns false if there is no such task. */
bool proc_stat_read(struct proc_stat *st, int64_t tid);

#endif
