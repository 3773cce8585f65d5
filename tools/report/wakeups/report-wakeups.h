/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_WAKEUPS_H
#define LC_REPORT_WAKEUPS_H

#include <stdio.h>

#include "analysis/selection.h"
#include "analysis/wakeups.h"
#include "report/table.h"

struct wakeups_options {
	const struct selection *selection; /* only wakeups by or of those; NULL: any */
	bool all;		  /* those within a container, too, by interrupts, and unknown */
	enum table_format format; /* of report_wakeups_table() */
	bool histogram;		  /* in text and flat rows: how long the waits were */
};

/* Each host's user is its struct wakeups. */
void report_wakeups_text(FILE *out, const struct loaded *l, const struct wakeups_options *opt);
void report_wakeups_json(FILE *out, const struct loaded *l, const struct wakeups_options *opt);
/* Flat rows: one for each pair. */
void report_wakeups_table(FILE *out, const struct loaded *l, const struct wakeups_options *opt);

#endif
