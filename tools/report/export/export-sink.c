/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/command.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/util.h"
#include "export-sink.h"
#include "export-sqlite.h"

static const char *const format_names[] = {
	[EXPORT_CSV] = "csv",
	[EXPORT_JSONL] = "jsonl",
	[EXPORT_SQLITE] = "sqlite",
};

int export_format(enum export_format *format, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(format_names); i++)
		if (!strcmp(name, format_names[i])) {
			*format = (enum export_format)i;
			return 0;
		}
	return argument_error("There is no such format; give csv, jsonl or sqlite.", "format",
			      name);
}

static void put_heading(FILE *out, const struct export_schema *schema)
{
	size_t i;

	for (i = 0; schema->columns[i].name; i++)
		fprintf(out, "%s%s", i ? "," : "", schema->columns[i].name);
	fputs("\r\n", out);
}

static FILE *open_file(const struct sink *s, const struct export_schema *schema, int dir, int mode)
{
	char *name = xasprintf("%s.%s", schema->name, format_names[s->format]);
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	FILE *out = fd < 0 || fchmod(fd, (mode_t)mode) ? NULL : fdopen(fd, "w");

	if (!out) {
		error("The output cannot be made. file=%s reason=\"%s\"", name, strerror(errno));
		if (fd >= 0)
			close(fd);
	} else if (s->format == EXPORT_CSV) {
		put_heading(out, schema);
	}
	free(name);
	return out;
}

int sink_open(struct sink *s, enum export_format format, int dir, int mode, bool (*stopped)(void))
{
	enum export_table table;

	*s = (struct sink){.format = format};
	if (format == EXPORT_SQLITE) {
		s->db = sqlite_new(dir, mode, stopped);
		return s->db ? 0 : -1;
	}
	for (table = 0; table < EXPORT_NR; table++) {
		s->files[table] = open_file(s, &export_schemas[table], dir, mode);
		if (!s->files[table])
			return -1;
	}
	return 0;
}

int sink_close(struct sink *s)
{
	enum export_table table;
	int ret = s->db ? sqlite_finish(s->db) : 0;

	for (table = 0; table < EXPORT_NR; table++) {
		FILE *out = s->files[table];
		bool failed = out && (fflush(out) || ferror(out));

		if (out && (fclose(out) || failed) && !ret)
			ret = error("The output cannot be written. table=%s reason=\"%s\"",
				    export_schemas[table].name, strerror(errno));
	}
	*s = (struct sink){0};
	return ret;
}

void sink_row(struct sink *s, enum export_table table)
{
	s->table = table;
	s->column = 0;
	if (s->format == EXPORT_JSONL)
		putc('{', s->files[table]);
}

/* Where the cell goes; of JSON with its name. Cells that are not their column's are a bug. */
static FILE *next_cell(struct sink *s, const char *column)
{
	FILE *out = s->files[s->table];
	const char *name = export_schemas[s->table].columns[s->column].name;

	if (!name || strcmp(name, column))
		abort();
	if (s->format != EXPORT_SQLITE && s->column)
		putc(',', out);
	if (s->format == EXPORT_JSONL)
		fprintf(out, "\"%s\":", column);
	s->column++;
	return out;
}

/* What text_escape() returned is UTF-8 without control characters. */
static void put_json(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
	putc('"', out);
}

void sink_safe_text(struct sink *s, const char *column, const char *safe)
{
	FILE *out = next_cell(s, column);

	if (s->format == EXPORT_SQLITE)
		sqlite_text(s->db, s->table, s->column - 1, safe);
	else
		(s->format == EXPORT_JSONL ? put_json : csv_put_text)(out, safe);
}

void sink_text(struct sink *s, const char *column, const char *value)
{
	char *safe;

	if (!value) {
		sink_null(s, column);
		return;
	}
	safe = text_escape(value);
	sink_safe_text(s, column, safe);
	free(safe);
}

void sink_int(struct sink *s, const char *column, int64_t value)
{
	FILE *out = next_cell(s, column);

	if (s->format == EXPORT_SQLITE)
		sqlite_int(s->db, s->table, s->column - 1, value);
	else
		fprintf(out, "%" PRId64, value);
}

void sink_time(struct sink *s, const char *column, uint64_t ns)
{
	FILE *out;

	if (!ns) {
		sink_null(s, column);
		return;
	}
	if (s->format != EXPORT_JSONL) {
		sink_int(s, column, ns > INT64_MAX ? INT64_MAX : (int64_t)ns);
		return;
	}
	out = next_cell(s, column);
	fprintf(out, "\"%" PRIu64 "\"", ns);
}

void sink_bool(struct sink *s, const char *column, bool value)
{
	if (s->format == EXPORT_JSONL)
		fputs(value ? "true" : "false", next_cell(s, column));
	else
		sink_int(s, column, value);
}

void sink_null(struct sink *s, const char *column)
{
	FILE *out = next_cell(s, column);

	if (s->format == EXPORT_JSONL)
		fputs("null", out);
}

void sink_end(struct sink *s)
{
	if (export_schemas[s->table].columns[s->column].name)
		abort();
	if (s->format == EXPORT_SQLITE)
		sqlite_row(s->db, s->table);
	else
		fputs(s->format == EXPORT_JSONL ? "}\n" : "\r\n", s->files[s->table]);
}
