/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_METRICS_TEXT_H
#define LC_METRICS_TEXT_H

#include <stdio.h>

#include "analysis/metrics.h"

/*
 * Metrics as Prometheus reads them; hosts' users are their struct metrics. @openmetrics: in
 * OpenMetrics 1.0, else in the text format 0.0.4. At most @max containers of a host are shown by
 * name, see metrics_choose(); others are added up.
 */
void metrics_text(FILE *out, const struct loaded *l, size_t max, bool openmetrics);

#endif
