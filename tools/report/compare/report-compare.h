/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_COMPARE_H
#define LC_REPORT_COMPARE_H

#include <stdio.h>

#include "change.h"
#include "report/table.h"

void report_compare_text(FILE *out, const struct changes *c);
void report_compare_json(FILE *out, const struct changes *c);
/* Flat rows: of each container all its time, the kinds of causes, and which ones. */
void report_compare_table(FILE *out, const struct changes *c, enum table_format format);

#endif
