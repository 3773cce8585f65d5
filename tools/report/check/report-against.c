/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "against-int.h"
#include "base/text.h"

void report_against_text(FILE *out, const struct against *a)
{
	size_t i, k;

	for (i = 0; i < a->nr_windows; i++) {
		const struct window *w = &a->windows[i];
		char *path = text_escape(w->snapshot.path);

		for (k = 0; k < w->nr_pairs; k++)
			fprintf(out,
				"snapshot %s\n  threads: %zu, compared: %llu, raced with the"
				" snapshot: %llu\n",
				path, w->snapshot.nr_threads,
				(unsigned long long)w->pairs[k]->nr_compared,
				(unsigned long long)w->pairs[k]->nr_raced);
		free(path);
	}
}

void report_against_json(struct json *j, const struct against *a)
{
	size_t i, k;

	json_open(j, "snapshots", '[');
	for (i = 0; i < a->nr_windows; i++) {
		const struct window *w = &a->windows[i];

		for (k = 0; k < w->nr_pairs; k++) {
			json_open(j, NULL, '{');
			json_text(j, "file", w->snapshot.path);
			json_text(j, "trace", w->pairs[k]->host->trace->path);
			json_time(j, "begin_ns", w->pairs[k]->begin);
			json_time(j, "end_ns", w->pairs[k]->end);
			json_uint(j, "threads", w->snapshot.nr_threads);
			json_uint(j, "compared", w->pairs[k]->nr_compared);
			json_uint(j, "raced", w->pairs[k]->nr_raced);
			json_close(j, '}');
		}
	}
	json_close(j, ']');
}
