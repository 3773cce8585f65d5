/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TABLE_H
#define LC_TABLE_H

#include "base/json.h"
#include "trace/load.h"

/*
 * Flat rows for programs: JSON Lines, or CSV (RFC 4180, with a heading). All rows of a table have
 * the same members in the same order.
 */

enum table_format { TABLE_NONE, TABLE_JSONL, TABLE_CSV };

struct table {
	FILE *out;
	bool csv;
	bool has_heading;
	struct json json;
	/* Of CSV: the row at hand. */
	FILE *line;
	char *text;
	size_t size;
	bool has_items;
};

/* Of the name that --format takes; -1 after an error was printed. */
int table_format(enum table_format *format, const char *name);
struct table table_new(FILE *out, enum table_format format);
/* Each row begins with its host's name and session. */
void table_row(struct table *t, const struct host *h);
void table_end(struct table *t);
/* NULL is not told: null, and nothing in CSV. */
void table_text(struct table *t, const char *key, const char *value);
void table_uint(struct table *t, const char *key, uint64_t value);
/* ns since the epoch: in JSON as text, for it has more digits than a double holds. */
void table_time(struct table *t, const char *key, uint64_t ns);
void table_null(struct table *t, const char *key);
void table_int(struct table *t, const char *key, int64_t value);
/* @is_known: else there is none. */
void table_uint_or_null(struct table *t, const char *key, uint64_t value, bool is_known);
void table_bool(struct table *t, const char *key, bool value);
/* As table_time(); 0 is none. */
void table_moment(struct table *t, const char *key, uint64_t ns);
/* tid, vtids (as 57/1, root first), comm: of NULL none of it but the tid, where that is not below
 * 0. */
void table_task(struct table *t, const struct task *task, int tid);
/* label, name, id, runtime, pod, pid_ns: of NULL, the host, its label alone; none of it if not
 * known. */
void table_container(struct table *t, const struct container *c, bool known);

#endif
