/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "text.h"

/* Beyond 16 bits JSON knows only UTF-16's pairs. */
static void put_escape(FILE *out, uint32_t c)
{
	if (c >= 0x10000) {
		fprintf(out, "\\u%04" PRIx32, 0xd800 + ((c - 0x10000) >> 10));
		c = 0xdc00 + (c & 0x3ff);
	}
	fprintf(out, "\\u%04" PRIx32, c);
}

/* What could end a <script>, or begin a comment in it. */
static bool is_markup(uint32_t c)
{
	return c == '<' || c == '>' || c == '&';
}

static void put_text(const struct json *j, const char *s)
{
	FILE *out = j->out;
	size_t len = strlen(s);

	putc('"', out);
	while (len) {
		uint32_t c;
		size_t n = utf8_decode(s, len, &c);

		if (!n) {
			fputs("\\ufffd", out);
			n = 1;
		} else if (c == '"' || c == '\\') {
			fprintf(out, "\\%c", (int)c);
		} else if (is_unsafe(c) || (j->embedded && is_markup(c))) {
			put_escape(out, c);
		} else {
			fwrite(s, 1, n, out);
		}
		s += n;
		len -= n;
	}
	putc('"', out);
}

static void start(struct json *j, const char *key)
{
	if (j->has_items[j->depth])
		putc(',', j->out);
	if (j->depth && !j->embedded)
		fprintf(j->out, "\n%*s", j->depth * 2, "");
	j->has_items[j->depth] = true;
	if (!key)
		return;
	put_text(j, key);
	fputs(j->embedded ? ":" : ": ", j->out);
}

void json_open(struct json *j, const char *key, char bracket)
{
	start(j, key);
	putc(bracket, j->out);
	if (j->depth < JSON_DEPTH_MAX - 1)
		j->depth++;
	j->has_items[j->depth] = false;
}

void json_close(struct json *j, char bracket)
{
	bool filled = j->has_items[j->depth];

	j->depth--;
	if (filled && !j->embedded)
		fprintf(j->out, "\n%*s", j->depth * 2, "");
	putc(bracket, j->out);
	if (!j->depth && !j->embedded)
		putc('\n', j->out);
}

void json_text(struct json *j, const char *key, const char *value)
{
	start(j, key);
	put_text(j, value);
}

void json_open_document(struct json *j, const char *name)
{
	json_open(j, NULL, '{');
	start(j, "format");
	fprintf(j->out, "\"lttng-containers-%s\"", name);
	json_int(j, "version", 2);
}

void json_int(struct json *j, const char *key, int64_t value)
{
	start(j, key);
	fprintf(j->out, "%" PRId64, value);
}

void json_uint(struct json *j, const char *key, uint64_t value)
{
	start(j, key);
	fprintf(j->out, "%" PRIu64, value);
}

void json_text_or_null(struct json *j, const char *key, const char *value)
{
	if (value && *value)
		json_text(j, key, value);
	else
		json_null(j, key);
}

void json_bool(struct json *j, const char *key, bool value)
{
	start(j, key);
	fputs(value ? "true" : "false", j->out);
}

void json_null(struct json *j, const char *key)
{
	start(j, key);
	fputs("null", j->out);
}

void json_time(struct json *j, const char *key, uint64_t ns)
{
	if (!ns) {
		json_null(j, key);
		return;
	}
	start(j, key);
	fprintf(j->out, "\"%" PRIu64 "\"", ns);
}

void json_micros(struct json *j, const char *key, uint64_t ns)
{
	start(j, key);
	fprintf(j->out, "%" PRIu64 ".%03" PRIu64, ns / 1000, ns % 1000);
}
