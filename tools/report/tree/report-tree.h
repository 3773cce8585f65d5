/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_TREE_H
#define LC_REPORT_TREE_H

#include <stdio.h>

#include "analysis/selection.h"
#include "trace/load.h"

struct tree_options {
	bool at_given; /* only what lived at the hosts' moment (model.attributes_until) */
	const struct selection *selection; /* only these; NULL: all */
	bool all;			   /* kernel threads, too; JSON always has them */
};

void report_tree_text(FILE *out, const struct loaded *l, const struct tree_options *opt);
void report_tree_json(FILE *out, const struct loaded *l, const struct tree_options *opt);

#endif
