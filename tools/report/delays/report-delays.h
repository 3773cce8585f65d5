/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_DELAYS_H
#define LC_REPORT_DELAYS_H

#include <stdio.h>

#include "analysis/delays.h"
#include "analysis/selection.h"
#include "report/table.h"

struct delays_options {
	const struct selection *selection; /* of whose delays to tell; NULL: of all */
	size_t nr_worst;
	bool histogram;		  /* in text and flat rows: how long the waits were */
	enum table_format format; /* of report_delays_table() */
};

/* Each host's user is its struct delays. */
void report_delays_text(FILE *out, const struct loaded *l, const struct delays_options *opt);
void report_delays_json(FILE *out, const struct loaded *l, const struct delays_options *opt);
/* Flat rows: one for each victim and culprit, or of the histograms. */
void report_delays_table(FILE *out, const struct loaded *l, const struct delays_options *opt);

#endif
