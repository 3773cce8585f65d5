/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdio.h>

#include "base/util.h"
#include "column.h"
#include "distribution.h"

#define BAR_WIDTH 40

static const unsigned int percents[] = {50, 95, 99};

void distribution_text(FILE *out, const struct histogram *h, uint64_t max, int indent)
{
	char buf[DURATION_MAX];
	size_t i;

	if (!h->total)
		return;
	fprintf(out, "%*s", indent, "");
	for (i = 0; i < ARRAY_SIZE(percents); i++)
		fprintf(out, "%sp%u %s", i ? ", " : "", percents[i],
			duration(buf, histogram_percentile(h, percents[i], max)));
	putc('\n', out);
}

void distribution_bars(FILE *out, const struct histogram *h, int indent)
{
	static const char bar[BAR_WIDTH + 1] = "########################################";
	char from[DURATION_MAX], to[DURATION_MAX];
	struct histogram_bucket b;
	uint64_t most = 1;
	size_t pos = 0;

	while (histogram_next(h, &pos, &b))
		if (b.count > most)
			most = b.count;
	for (pos = 0; histogram_next(h, &pos, &b);)
		fprintf(out, "%*s%8s to %8s %9" PRIu64 "  %.*s\n", indent, "",
			duration(from, b.from), duration(to, b.to), b.count,
			(int)(((double)b.count * BAR_WIDTH + (double)most - 1) / (double)most),
			bar);
}

void distribution_json(struct json *j, const struct histogram *h, uint64_t max)
{
	struct histogram_bucket b;
	char key[16];
	size_t i, pos = 0;

	for (i = 0; i < ARRAY_SIZE(percents); i++) {
		snprintf(key, sizeof(key), "p%u_ns", percents[i]);
		if (h->total)
			json_uint(j, key, histogram_percentile(h, percents[i], max));
		else
			json_null(j, key);
	}
	json_open(j, "histogram", '[');
	while (histogram_next(h, &pos, &b)) {
		json_open(j, NULL, '{');
		json_uint(j, "from_ns", b.from);
		json_uint(j, "to_ns", b.to);
		json_uint(j, "count", b.count);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void distribution_table(struct table *t, const struct histogram *h, uint64_t max)
{
	char key[16];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(percents); i++) {
		snprintf(key, sizeof(key), "p%u_ns", percents[i]);
		table_uint_or_null(t, key, histogram_percentile(h, percents[i], max), h->total);
	}
}

void distribution_bucket(struct table *t, const struct histogram_bucket *b)
{
	table_uint(t, "from_ns", b->from);
	table_uint(t, "to_ns", b->to);
	table_uint(t, "count", b->count);
}
