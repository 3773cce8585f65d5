/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check-output.h"
#include "base/text.h"
#include "base/util.h"

/* Standard error is what is tested. */
void broken(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vdprintf(STDERR_FILENO, fmt, ap);
	va_end(ap);
	dprintf(STDERR_FILENO, "\n");
	abort();
}

char *read_whole(int fd, size_t *size)
{
	char *text;

	*size = (size_t)lseek(fd, 0, SEEK_END);
	text = xcalloc(*size + 1, 1);
	if (pread(fd, text, *size, 0) != (ssize_t)*size)
		broken("What was told cannot be read.");
	close(fd);
	return text;
}

void check_text(const char *what, const char *text, size_t size)
{
	const char *s = text;

	while (size) {
		uint32_t c = 0;
		size_t n = utf8_decode(s, size, &c);

		if (!n || (is_unsafe(c) && c != '\n'))
			broken("%s: a byte or character that must not be printed. at=%zu byte=%02x"
			       " character=%x",
			       what, (size_t)(s - text), (unsigned char)*s, c);
		s += n;
		size -= n;
	}
}

static json_int_t number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		broken("JSON: there is no such number, or it is below 0. key=%s", key);
	return json_integer_value(value);
}

/* Each CPU has the whole time. */
static void add_cpus(json_int_t *sums, size_t nr, const json_t *row)
{
	const json_t *list = json_object_get(row, "by_cpu"), *entry;
	size_t i, k;

	json_array_foreach(list, i, entry)
	{
		for (k = 0; k < nr && sums[2 * k] >= 0; k++)
			if (sums[2 * k] == number(entry, "cpu"))
				break;
		if (k == nr)
			broken("cpu: more CPUs than are told");
		sums[2 * k] = number(entry, "cpu");
		sums[2 * k + 1] += number(entry, "ns");
	}
}

static void check_cpu_host(const json_t *host)
{
	static const char *const others[] = {"idle", "interrupts", "unknown"};
	size_t nr = (size_t)number(host, "cpus"), i;
	json_int_t *sums = xcalloc(nr, 2 * sizeof(*sums)), whole = number(host, "whole_ns");
	json_int_t all = 0;
	const json_t *row;

	for (i = 0; i < nr; i++)
		sums[2 * i] = -1;
	json_array_foreach(json_object_get(host, "rows"), i, row)
	{
		json_int_t least = number(row, "own_least_ns"), own = number(row, "own_ns");

		if (least > own || own > number(row, "own_most_ns"))
			broken("cpu: a figure is not within its bounds");
		all += own;
		add_cpus(sums, nr, row);
	}
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		row = json_object_get(host, others[i]);
		all += number(row, "ns");
		add_cpus(sums, nr, row);
	}
	if (all != whole)
		broken("cpu: the sum is not the CPUs times the time. sum=%lld whole=%lld",
		       (long long)all, (long long)whole);
	for (i = 0; i < nr && whole; i++)
		if (sums[2 * i + 1] != whole / (json_int_t)nr)
			broken("cpu: the sum of a CPU is not the time. sum=%lld time=%lld",
			       (long long)sums[2 * i + 1], (long long)(whole / (json_int_t)nr));
	free(sums);
}

static void check_culprits(const json_t *wait)
{
	const json_t *list = json_object_get(wait, "culprits"), *culprit;
	json_int_t sum = 0;
	size_t i;

	json_array_foreach(list, i, culprit) sum += number(culprit, "ns");
	if (sum != number(wait, "waited_ns"))
		broken("delays: the culprits do not add up to the wait. sum=%lld wait=%lld",
		       (long long)sum, (long long)number(wait, "waited_ns"));
}

static void check_delays_host(const json_t *host)
{
	const json_t *wait;
	size_t i;

	json_array_foreach(json_object_get(host, "victims"), i, wait)
	{
		check_culprits(wait);
		if (number(wait, "unsure_ns") > number(wait, "waited_ns") ||
		    number(wait, "longest_ns") > number(wait, "waited_ns"))
			broken("delays: a part is more than the whole");
	}
	json_array_foreach(json_object_get(host, "worst"), i, wait) check_culprits(wait);
}

/* Rows, causes and wakers: what is below one is together what it is. */
static void check_why_list(const json_t *list, json_int_t whole)
{
	static const char *const below[] = {"causes", "by", "meanwhile"};
	const json_t *node;
	json_int_t sum = 0;
	size_t i, k;

	json_array_foreach(list, i, node)
	{
		sum = whole < 0 ? 0 : sum + number(node, "ns");
		for (k = 0; k < sizeof(below) / sizeof(below[0]); k++)
			if (json_object_get(node, below[k]))
				check_why_list(json_object_get(node, below[k]), number(node, "ns"));
	}
	if (whole >= 0 && sum != whole)
		broken("why: the causes do not add up to the time. sum=%lld time=%lld",
		       (long long)sum, (long long)whole);
}

static void check_sums(const json_t *root)
{
	const char *format = json_string_value(json_object_get(root, "format"));
	const json_t *host;
	size_t i;

	json_array_foreach(json_object_get(root, "hosts"), i, host)
	{
		if (format && !strcmp(format, "lttng-containers-cpu"))
			check_cpu_host(host);
		else if (format && !strcmp(format, "lttng-containers-delays"))
			check_delays_host(host);
		else if (format && !strcmp(format, "lttng-containers-why"))
			check_why_list(json_object_get(host, "rows"), -1);
	}
}

static void check_json(const char *text, size_t size, bool sums)
{
	json_error_t why;
	json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);

	if (root && sums)
		check_sums(root);
	/* Numbers of 64 bits without a sign are JSON's, though not this library's. */
	if (!root && strstr(why.text, "too big"))
		root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
				  &why);
	if (!root)
		broken("This is not JSON. line=%d column=%d why=%s", why.line, why.column,
		       why.text);
	json_decref(root);
}

/* What is between the marks; returns what is behind the second one. */
static const char *check_data(const char *text, const char *begin, const char *behind)
{
	const char *data = strstr(text, begin), *end = data ? strchr(data, '<') : NULL;

	if (!end || strncmp(end, behind, strlen(behind)))
		broken("page: the text of a trace ends its part");
	data += strlen(begin);
	check_text("page", data, (size_t)(end - data));
	check_json(data, (size_t)(end - data), false);
	return end + strlen(behind);
}

static void check_page(const char *text)
{
	const char *runs = check_data(text, "id=\"head\">",
				      "</script>\n<script type=\"text/plain\" id=\"runs\">");

	runs += strspn(runs, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\n");
	if (strncmp(runs, "</script>", 9))
		broken("page: the runs are not base64. saw=%.20s", runs);
}

/* FUZZ_DOCUMENTS is a file that gets them all, for check-documents. */
static void keep(const char *kind, const char *text, size_t size)
{
	const char *path = getenv("FUZZ_DOCUMENTS");
	FILE *f = path ? fopen(path, "ae") : NULL;

	if (!f)
		return;
	fprintf(f, "%s %.*s", kind, (int)size, text);
	putc(0, f);
	fclose(f);
}

/* A number of 7 bits a byte; moves *@at behind it. */
static uint64_t varint(const char **at, const char *end)
{
	unsigned int shift = 0;
	uint64_t n = 0;

	for (; *at < end && shift < 64; shift += 7) {
		n |= (uint64_t)(**at & 0x7f) << shift;
		if (!(*(*at)++ & 0x80))
			return n;
	}
	broken("protobuf: a number has no end");
}

/* Fields, none of which is longer than what is there. @texts: that field has a text; 0: none. */
static void check_protobuf(const char *at, size_t size, unsigned int texts)
{
	const char *end = at + size;
	uint64_t head, len;

	while (at < end) {
		head = varint(&at, end);
		len = head & 7 ? varint(&at, end) : 0;
		if (!(head & 7))
			varint(&at, end);
		if ((head & 7 && (head & 7) != 2) || !(head >> 3) || len > (size_t)(end - at))
			broken("protobuf: no such field, or it is longer than what is there");
		if (texts && head >> 3 == texts)
			check_text("protobuf", at, len);
		at += len;
	}
}

/* One document behind the other, on a line each. */
static void check_documents(const char *text, size_t size)
{
	const char *end;

	for (; size; size -= (size_t)(end + 1 - text), text = end + 1) {
		end = memchr(text, '\n', size);
		if (!end)
			broken("json: the last line has no end");
		check_output(OUT_JSON, text, (size_t)(end - text));
	}
}

#define SCREEN_LINES   24
#define SCREEN_COLUMNS 80

/* Marks alone: to the corner, to the end of the line, to that of the screen. Returns its length. */
static size_t mark_at(const char *at)
{
	return !strncmp(at, "\033[H", 3) || !strncmp(at, "\033[K", 3) || !strncmp(at, "\033[J", 3)
		       ? 3
		       : 0;
}

/* A character of more than a byte takes two columns at most. */
static void check_screen_line(const char *line, size_t len, size_t *lines)
{
	size_t columns = 0, i;

	for (i = 0; i < len; i++)
		columns += ((unsigned char)line[i] & 0xc0) == 0xc0 ? 2 : !(line[i] & 0x80);
	*lines += 1 + (columns ? (columns - 1) / SCREEN_COLUMNS : 0);
	if (*lines > SCREEN_LINES)
		broken("screen: it scrolls");
}

/* Without what it is told of where to write, it is text; what comes last is below the screen. */
static void check_screen(const char *text, size_t size)
{
	char *plain = xcalloc(size + 1, 1), *to = plain, *line = NULL;
	size_t lines = 0, len;

	for (; *text; text += len) {
		len = mark_at(text);
		if (len && text[2] == 'H') {
			lines = 0;
			line = to;
		}
		if (len) {
			if (text[2] == 'J')
				line = NULL;
			continue;
		}
		*to++ = *text;
		len = 1;
		if (*text == '\n' && line) {
			check_screen_line(line, (size_t)(to - line) - 1, &lines);
			line = to;
		}
	}
	check_text("screen", plain, (size_t)(to - plain));
	free(plain);
}

void check_output(enum output kind, const char *text, size_t size)
{
	if (kind == OUT_SCREEN) {
		check_screen(text, size);
		return;
	}

	if (kind == OUT_PAGE) {
		check_page(text);
		keep("page", text, size);
		return;
	}
	if (kind == OUT_FLAME_PAGE) {
		check_data(text, "id=\"data\">", "</script>\n");
		keep("flame", text, size);
		return;
	}
	if (kind == OUT_PPROF || kind == OUT_PROTOBUF) {
		/* A profile's field 6 is its table of strings. */
		check_protobuf(text, size, kind == OUT_PPROF ? 6 : 0);
		return;
	}
	check_text("standard output", text, size);
	if (kind == OUT_DOCUMENTS)
		check_documents(text, size);
	if (kind != OUT_JSON && kind != OUT_TRACE_EVENTS && kind != OUT_SPEEDSCOPE)
		return;
	check_json(text, size, kind == OUT_JSON);
	if (kind == OUT_SPEEDSCOPE)
		return;
	keep(kind == OUT_JSON ? "json" : "events", text, size);
}

void check_same(const char *what, const char *name_a, const char *a, const char *name_b,
		const char *b)
{
	const char *line = a;

	while (*a && *a == *b) {
		if (*a == '\n')
			line = a + 1;
		a++;
		b++;
	}
	if (*a == *b)
		return;
	b -= a - line;
	broken("%s\n%s: %.*s\n%s: %.*s", what, name_a, (int)strcspn(line, "\n"), line, name_b,
	       (int)strcspn(b, "\n"), b);
}
