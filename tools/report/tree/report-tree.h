/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_TREE_H
#define LC_REPORT_TREE_H

#include <stdio.h>

#include "analysis/selection.h"
#include "report/table.h"
#include "trace/load.h"

struct tree_options {
	bool at_given; /* only what lived at the hosts' moment (model.attributes_until) */
	const struct selection *selection; /* only these; NULL: all */
	enum table_format format;	   /* of report_tree_table() */
	bool all;			   /* kernel threads, too; JSON always has them */
};

void report_tree_text(FILE *out, const struct loaded *l, const struct tree_options *opt);
void report_tree_json(FILE *out, const struct loaded *l, const struct tree_options *opt);
/* Flat rows: one for each task, also the kernel's threads. */
void report_tree_table(FILE *out, const struct loaded *l, const struct tree_options *opt);

#endif
