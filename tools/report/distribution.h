/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_DISTRIBUTION_H
#define LC_DISTRIBUTION_H

#include "base/histogram.h"
#include "base/json.h"
#include "table.h"

/* How a row's times are distributed: of those that were counted, whatever was lost. Times are ns.
 */

/* A line: p50 1.2ms, p95 3.4ms, p99 5.6ms. @max: the longest. Nothing of none. */
void distribution_text(FILE *out, const struct histogram *h, uint64_t max, int indent);
/* A line with a bar for each power of two from the shortest to the longest; see --histogram. */
void distribution_bars(FILE *out, const struct histogram *h, int indent);
/* Members p50_ns, p95_ns, p99_ns (null of none), and histogram. */
void distribution_json(struct json *j, const struct histogram *h, uint64_t max);
/* The same percentiles in a flat row. */
void distribution_table(struct table *t, const struct histogram *h, uint64_t max);

/* Of a flat row of a histogram: from_ns and to_ns, both included, and count. */
void distribution_bucket(struct table *t, const struct histogram_bucket *b);

#endif
