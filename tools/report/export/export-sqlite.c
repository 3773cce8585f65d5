/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export-sqlite.h"
#include "base/text.h"
#include "base/util.h"

/* Of the library's virtual machine: some milliseconds. */
#define STEPS_BETWEEN 10000

struct sqlite {
	sqlite3 *db;
	bool (*stopped)(void);
	char *path;
	sqlite3_stmt *insert[EXPORT_NR];
	bool failed; /* and it was said why */
};

static void fail(struct sqlite *s)
{
	if (!s->failed && !s->stopped())
		error("The database cannot be written. file=" SQLITE_FILE " reason=\"%s\"",
		      sqlite3_errmsg(s->db));
	s->failed = true;
}

static void run(struct sqlite *s, const char *sql)
{
	if (!s->failed && (s->stopped() || sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK))
		fail(s);
}

/* An index is made in one go, however large it is. */
static int is_stopped(void *ctx)
{
	const struct sqlite *s = ctx;

	return s->stopped();
}

/* Times fit into its integers up to the year 2262. */
static void make_table(struct sqlite *s, enum export_table table)
{
	const struct export_schema *schema = &export_schemas[table];
	char *text = NULL, *sql = NULL, *values = xstrdup("");
	size_t size, i;
	FILE *out = text_stream(&text, &size);

	fprintf(out, "CREATE TABLE \"%s\" (", schema->name);
	for (i = 0; schema->columns[i].name; i++) {
		char *more = xasprintf("%s%s?", values, i ? ", " : "");

		fprintf(out, "%s\"%s\" %s", i ? ", " : "", schema->columns[i].name,
			schema->columns[i].type == COLUMN_TEXT ? "TEXT" : "INTEGER");
		free(values);
		values = more;
	}
	if (schema->key)
		fprintf(out, ", PRIMARY KEY (%s)", schema->key);
	fputs(schema->key ? ") WITHOUT ROWID" : ")", out);
	fclose(out);
	run(s, text);
	sql = xasprintf("INSERT INTO \"%s\" VALUES (%s)", schema->name, values);
	if (!s->failed && sqlite3_prepare_v2(s->db, sql, -1, &s->insert[table], NULL) != SQLITE_OK)
		fail(s);
	free(text);
	free(values);
	free(sql);
}

static void release(struct sqlite *s)
{
	size_t i;

	for (i = 0; i < EXPORT_NR; i++)
		sqlite3_finalize(s->insert[i]);
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}

/* As it is: the library's own follows links to where the file lies at that moment. */
static int keep_path(sqlite3_vfs *unused, const char *name, int size, char *path)
{
	(void)unused;
	return snprintf(path, (size_t)size, "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}

/*
 * Opens the file in the directory that was made, and in no other: whoever owns the one above may
 * put something else in the place of its name at any time.
 */
static int open_there(struct sqlite *s)
{
	static sqlite3_vfs vfs;
	const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);

	if (!usual)
		return SQLITE_CANTOPEN;
	vfs = *usual;
	vfs.zName = "lttng-containers";
	vfs.pNext = NULL;
	vfs.xFullPathname = keep_path;
	if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK)
		return SQLITE_CANTOPEN;
	return sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE, vfs.zName);
}

/* Returns -1 after an error was printed. */
static int make_file(int dir, int mode)
{
	int fd = openat(dir, SQLITE_FILE, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd >= 0 && !fchmod(fd, (mode_t)mode)) {
		close(fd);
		return 0;
	}
	error("The output cannot be made. file=" SQLITE_FILE " reason=\"%s\"", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

struct sqlite *sqlite_new(int dir, int mode, bool (*stopped)(void))
{
	struct sqlite *s = xcalloc(1, sizeof(*s));
	enum export_table table;

	s->stopped = stopped;
	s->path = xasprintf("/proc/self/fd/%d/%s", dir, SQLITE_FILE);
	s->failed = make_file(dir, mode);
	if (!s->failed && open_there(s) != SQLITE_OK)
		fail(s);
	if (!s->failed)
		sqlite3_progress_handler(s->db, STEPS_BETWEEN, is_stopped, s);
	/* What is cut short is removed: there is nothing to roll back. */
	run(s, "PRAGMA journal_mode = OFF");
	run(s, "PRAGMA synchronous = OFF");
	run(s, "BEGIN");
	for (table = 0; table < EXPORT_NR && !s->failed; table++)
		make_table(s, table);
	if (!s->failed)
		return s;
	release(s);
	return NULL;
}

int sqlite_finish(struct sqlite *s)
{
	bool failed;

	run(s, "CREATE INDEX run_by_container ON run (host, container)");
	run(s, "CREATE INDEX blame_by_victim ON blame (host, victim)");
	run(s, "CREATE INDEX syscall_by_name ON syscall (name)");
	run(s, "COMMIT");
	failed = s->failed;
	release(s);
	return failed ? -1 : 0;
}

void sqlite_text(struct sqlite *s, enum export_table table, size_t column, const char *value)
{
	if (sqlite3_bind_text(s->insert[table], (int)column + 1, value, -1, SQLITE_TRANSIENT) !=
	    SQLITE_OK)
		fail(s);
}

void sqlite_int(struct sqlite *s, enum export_table table, size_t column, int64_t value)
{
	if (sqlite3_bind_int64(s->insert[table], (int)column + 1, value) != SQLITE_OK)
		fail(s);
}

void sqlite_row(struct sqlite *s, enum export_table table)
{
	if (s->failed)
		return;
	if (sqlite3_step(s->insert[table]) != SQLITE_DONE)
		fail(s);
	sqlite3_reset(s->insert[table]);
	sqlite3_clear_bindings(s->insert[table]);
}
