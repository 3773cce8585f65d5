/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EXPORT_SCHEMA_H
#define LC_EXPORT_SCHEMA_H

#include <stddef.h>

/* The tables of an export, and their columns: an interface, see docs/analysis.md. */

enum column_type {
	COLUMN_TEXT, /* escaped as for a terminal */
	COLUMN_INT,
	COLUMN_TIME, /* ns since the epoch: in JSON as text, for no double holds it */
	COLUMN_BOOL, /* 0 and 1, but in JSON */
};

struct export_column {
	const char *name;
	enum column_type type;
};

enum export_table {
	EXPORT_HOST,
	EXPORT_CONTAINER,
	EXPORT_TASK,
	EXPORT_RUN,
	EXPORT_WAIT,
	EXPORT_BLAME,
	EXPORT_BLOCK,
	EXPORT_WAKEUP,
	EXPORT_SYSCALL,
	EXPORT_SAMPLE,
	EXPORT_NR
};

#define EXPORT_COLUMNS_MAX 20

struct export_schema {
	const char *name;
	const char *key; /* of SQL: the columns that make a row unique; NULL: none do */
	struct export_column columns[EXPORT_COLUMNS_MAX]; /* the last has no name */
};

extern const struct export_schema export_schemas[EXPORT_NR];

#endif
