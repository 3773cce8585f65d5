/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EXPORT_SQLITE_H
#define LC_EXPORT_SQLITE_H

#include <stdbool.h>
#include <stdint.h>

#include "export-schema.h"

/* A database of SQLite that has the tables of an export, written in one transaction. */
struct sqlite;

#define SQLITE_FILE "trace.sqlite"

/*
 * @dir, @mode and @stopped: as sink_open()'s. NULL after an error was printed, or if it was
 * stopped.
 */
struct sqlite *sqlite_new(int dir, int mode, bool (*stopped)(void));
/* Makes the indices, and frees it. Returns 0, or -1 as above. */
int sqlite_finish(struct sqlite *db);

/* Columns are counted from 0. */
void sqlite_text(struct sqlite *db, enum export_table table, size_t column, const char *value);
void sqlite_int(struct sqlite *db, enum export_table table, size_t column, int64_t value);
/* What was not given is NULL. */
void sqlite_row(struct sqlite *db, enum export_table table);

#endif
