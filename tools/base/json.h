/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_JSON_H
#define LC_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes JSON, indented, to a stream. @key is NULL inside of lists. Text need
 * not be valid UTF-8: what is not becomes U+FFFD.
 */
#define JSON_DEPTH_MAX 128

struct json {
	FILE *out;
	bool embedded; /* in a <script> of HTML: dense, and without <, > and & */
	int depth;
	bool has_items[JSON_DEPTH_MAX];
};

void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);
/* Opens a document of the program: its format and version; docs/schema/NAME.json tells the rest. */
void json_open_document(struct json *j, const char *name);
void json_text(struct json *j, const char *key, const char *value);
/* null for NULL and for "". */
void json_text_or_null(struct json *j, const char *key, const char *value);
void json_int(struct json *j, const char *key, int64_t value);
void json_uint(struct json *j, const char *key, uint64_t value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
/* A moment, ns since the epoch, as text, for a double cannot hold it; null for 0. */
void json_time(struct json *j, const char *key, uint64_t ns);

/* A duration or an offset as µs with three decimals. */
void json_micros(struct json *j, const char *key, uint64_t ns);

#endif
