/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_CPU_H
#define LC_REPORT_CPU_H

#include <stdio.h>

#include "analysis/selection.h"
#include "report/table.h"
#include "trace/load.h"

struct cpu_options {
	bool cpus;			   /* in text: each row's time on each CPU */
	bool every;			   /* intervals were asked for */
	const struct selection *selection; /* only rows of these; NULL: all */
	enum table_format format;	   /* of report_cpu_table() */
	const char *part; /* JSON: of what is watched, "interval" or "total"; else NULL */
};

/* Each host's user is its struct account. */
void report_cpu_text(FILE *out, const struct loaded *l, const struct cpu_options *opt);
void report_cpu_json(FILE *out, const struct loaded *l, const struct cpu_options *opt);
/* Flat rows: one for each row, or for each interval of it that is not empty. */
void report_cpu_table(FILE *out, const struct loaded *l, const struct cpu_options *opt);
/* The short table of a session that is watched. */
void report_cpu_live(FILE *out, const struct host *h, const struct cpu_options *opt);

#endif
