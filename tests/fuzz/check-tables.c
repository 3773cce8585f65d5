/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check-output.h"
#include "base/util.h"

/* What is behind a cell. */
static char *skip_cell(char *at)
{
	if (*at != '"')
		return at + strcspn(at, ",\"\r\n");
	/* Two of them are one of the text. */
	for (at++; *at != '"' || *++at == '"'; at++)
		if (!*at)
			broken("csv: a text has no end");
	return at;
}

/* The same of a row, and how many cells it has. */
static char *skip_row(char *at, size_t *nr)
{
	*nr = 1;
	for (at = skip_cell(at); *at == ','; at = skip_cell(at + 1))
		++*nr;
	if (strncmp(at, "\r\n", 2))
		broken("csv: behind a cell is neither a comma nor the row's end. saw=%.20s", at);
	return at + 2;
}

static void check_csv(char *text)
{
	char *next = text, *at;
	size_t head = 0, nr;

	while (*next) {
		at = next;
		next = skip_row(at, &nr);
		head = head ? head : nr;
		if (nr != head)
			broken("csv: a row has other cells than the first. cells=%zu first=%zu", nr,
			       head);
		check_text("csv", at, (size_t)(next - at) - 2);
	}
	if (!head)
		broken("csv: there is no heading");
}

static void check_rows(char *text, size_t size)
{
	json_error_t why;
	char *row, *rest = text;
	json_t *root;

	check_text("jsonl", text, size);
	while ((row = strsep(&rest, "\n")) && rest) {
		root = json_loads(row, JSON_REJECT_DUPLICATES, &why);
		if (!json_is_object(root))
			broken("jsonl: a row is no object. why=%s row=%s", why.text, row);
		json_decref(root);
	}
	if (*row)
		broken("jsonl: the last row has no end");
}

static int take_answer(void *ctx, int nr, char **values, char **names)
{
	(void)ctx;
	(void)names;
	if (nr != 1 || !values[0] || strcmp(values[0], "ok"))
		broken("sqlite: the database is damaged");
	return 0;
}

static void check_database(const char *path)
{
	sqlite3 *db;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
	    sqlite3_exec(db, "PRAGMA integrity_check", take_answer, NULL, NULL) != SQLITE_OK)
		broken("sqlite: the database cannot be read. why=%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void check_file(const char *path)
{
	const char *end = strrchr(path, '.');
	char *text;
	size_t size;
	int fd;

	if (!strcmp(end, ".sqlite")) {
		check_database(path);
		return;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		broken("There is no such file. file=%s", path);
	text = read_whole(fd, &size);
	if (strlen(text) != size)
		broken("There is a byte of 0. file=%s", path);
	if (!strcmp(end, ".csv"))
		check_csv(text);
	else
		check_rows(text, size);
	free(text);
}

void check_tables(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *path;

		if (*e->d_name == '.')
			continue;
		path = xasprintf("%s/%s", dir, e->d_name);
		check_file(path);
		unlink(path);
		free(path);
	}
	if (!d || rmdir(dir))
		broken("The directory of tables is not there, or has something else. dir=%s", dir);
	closedir(d);
}
