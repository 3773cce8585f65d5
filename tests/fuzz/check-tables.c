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

/* Also behind what spreadsheets leave away, and as East Asian texts have the sign. */
static void check_formula(const char *at)
{
	static const char *const signs[] = {
		"=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
	size_t i;

	at += strspn(at, " ");
	for (i = 0; i < ARRAY_SIZE(signs); i++)
		if (!strncmp(at, signs[i], strlen(signs[i])))
			broken("csv: a text is a formula. saw=%.20s", at);
}

/* What is behind a cell. */
static const char *skip_cell(const char *at)
{
	if (*at != '"')
		return at + strcspn(at, ",\"\r\n");
	check_formula(at + 1);
	/* Two of them are one of the text. */
	for (at++; *at != '"' || *++at == '"'; at++) {
		if (!*at)
			broken("csv: a text has no end");
		if (*at == ';')
			check_formula(at + 1);
	}
	return at;
}

/* The same of a row, and how many cells it has. */
static const char *skip_row(const char *at, size_t *nr)
{
	*nr = 1;
	for (at = skip_cell(at); *at == ','; at = skip_cell(at + 1))
		++*nr;
	if (strncmp(at, "\r\n", 2))
		broken("csv: behind a cell is neither a comma nor the row's end. saw=%.20s", at);
	return at + 2;
}

void check_csv(const char *text)
{
	const char *next = text, *at;
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

static void check_members(json_t *first, json_t *row)
{
	const char *key;
	json_t *value;

	if (json_object_size(first) != json_object_size(row))
		broken("jsonl: a row has more members than the first, or fewer");
	json_object_foreach(row, key, value) if (!json_object_get(first, key))
		broken("jsonl: a row has another member than the first. member=%s", key);
}

/* There may be a million, and to read them all takes a minute. */
#define ROWS_MAX 10000

void check_lines(const char *text, size_t size)
{
	const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;
	const char *row, *end = text;
	json_t *root, *first = NULL;
	json_error_t why;
	size_t nr = 0;

	check_text("jsonl", text, size);
	for (row = text; *row && nr < ROWS_MAX; row = end + 1, nr++) {
		end = row + strcspn(row, "\n");
		if (!*end)
			broken("jsonl: the last row has no end");
		root = json_loadb(row, (size_t)(end - row), flags, &why);
		if (!json_is_object(root))
			broken("jsonl: a row is no object. why=%s row=%s", why.text, row);
		check_members(first ? first : root, root);
		if (first)
			json_decref(root);
		else
			first = root;
	}
	json_decref(first);
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
		check_lines(text, size);
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
