/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EXPORT_SINK_H
#define LC_EXPORT_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "export-schema.h"

/*
 * Where rows go: a file for each table, or a database. Cells come in the order of the table's
 * columns, each with its column's name.
 */
enum export_format { EXPORT_CSV, EXPORT_JSONL, EXPORT_SQLITE };

struct sqlite;

struct sink {
	enum export_format format;
	FILE *files[EXPORT_NR];
	struct sqlite *db;
	enum export_table table; /* of the row at hand */
	size_t column;
	bool failed;
};

/* Of the name that --format takes; -1 after an error was printed. */
int export_format(enum export_format *format, const char *name);

/*
 * In a directory that is empty and nobody else's: @dir is its descriptor. Nobody
 * but @mode's may read what is made. @stopped: asked now and then whether to end.
 * Returns 0, or -1 if so, or after an error was printed.
 */
int sink_open(struct sink *s, enum export_format format, int dir, int mode, bool (*stopped)(void));
/* Returns 0, or -1 as above if not all was written. Call it in any case. */
int sink_close(struct sink *s);

void sink_row(struct sink *s, enum export_table table);
/* NULL is NULL. */
void sink_text(struct sink *s, const char *column, const char *value);
/* The same of what is escaped already. */
void sink_safe_text(struct sink *s, const char *column, const char *safe);
void sink_int(struct sink *s, const char *column, int64_t value);
/* 0 is not known: NULL. */
void sink_time(struct sink *s, const char *column, uint64_t ns);
void sink_bool(struct sink *s, const char *column, bool value);
void sink_null(struct sink *s, const char *column);
void sink_end(struct sink *s);

#endif
