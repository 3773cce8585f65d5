/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_SYSCALLS_H
#define LC_REPORT_SYSCALLS_H

#include <stdio.h>

#include "base/json.h"
#include "analysis/selection.h"
#include "analysis/syscalls.h"
#include "report/table.h"

struct syscalls_options {
	const struct selection *selection; /* only calls in those; NULL: in any */
	bool by_task;			   /* a table for each task, not only for each container */
	bool histogram;			   /* in text and flat rows: how long the calls were */
	enum table_format format;	   /* of report_syscalls_table() */
	const char *name;		   /* each call of that name; NULL: the tables */
};

/* Each host's user is its struct syscalls. */
void report_syscalls_text(FILE *out, const struct loaded *l, const struct syscalls_options *opt);
void report_syscalls_json(FILE *out, const struct loaded *l, const struct syscalls_options *opt);
/* Flat rows: one for each name a container, or task, calls; or for each call. */
void report_syscalls_table(FILE *out, const struct loaded *l, const struct syscalls_options *opt);

/* Whether the calls of that caller are asked for. */
bool syscalls_asked_for(const struct syscalls *s, const struct caller *c,
			const struct syscalls_options *opt);
/* report-syscall-list.c: single calls, of one host. */
void syscall_list_text(FILE *out, const struct syscalls *s, const struct syscalls_options *opt);
void syscall_list_json(struct json *j, const struct syscalls *s,
		       const struct syscalls_options *opt);
void syscall_list_table(struct table *t, const struct host *h, const struct syscalls_options *opt);

#endif
