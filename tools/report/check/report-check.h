/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_CHECK_H
#define LC_REPORT_CHECK_H

#include <stdio.h>

#include "against.h"
#include "trace/load.h"

/* What `check` found. @against is NULL when no snapshot was given. */
void report_check_text(FILE *out, const struct loaded *l, const struct against *against);
void report_check_json(FILE *out, const struct loaded *l, const struct against *against);
void report_rules(FILE *out);

#endif
