/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_MAP_H
#define LC_REPORT_MAP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "analysis/map.h"
#include "report/table.h"

struct map_options {
	struct map_question question;
	const char *at_given;	  /* NULL: any time */
	enum table_format format; /* of report_map_table() */
	bool ust;    /* threads of user-space traces, of containers in question.where */
	bool events; /* each of their events */
};

/* Each host's user is its struct user_map, with ust. */
void report_map_text(FILE *out, const struct loaded *l, const struct map_options *opt);
void report_map_json(FILE *out, const struct loaded *l, const struct map_options *opt);
/* Flat rows: one for each life, or thread; without events. */
void report_map_table(FILE *out, const struct loaded *l, const struct map_options *opt);

/* Whether a thread of any host is what was asked for. Not for --ust. */
bool report_map_has(const struct loaded *l, const struct map_options *opt);

/* report-user-map.c */
void user_map_text(FILE *out, const struct user_map *u, const struct map_options *opt);
void user_map_json(struct json *j, const struct user_map *u, const struct map_options *opt);
void user_map_table(struct table *t, const struct host *h, const struct map_options *opt);

#endif
