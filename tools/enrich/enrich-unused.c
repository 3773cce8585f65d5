/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copy-trace.h"
#include "enrich-unused.h"
#include "base/hash.h"
#include "trace/reader-find.h"
#include "model/schema.h"
#include "base/text.h"
#include "base/util.h"

struct number {
	uint64_t stream_id, id;
};

struct unused_event {
	struct number number;
	char *text;
};

struct unused_trace {
	char uuid[UUID_TEXT_MAX];
	struct unused_event *events;
	size_t nr, cap;
	struct hash numbers; /* of these */
};

/* No record has these: neither layout nor the labels of enumerations matter. */
static void put_integer(FILE *out, const bt_field_class *fc)
{
	bool is_signed = bt_field_class_type_is(bt_field_class_get_type(fc),
						BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);

	fprintf(out, "\t\tinteger { size = %llu; align = 8; signed = %s; }",
		(unsigned long long)bt_field_class_integer_get_field_value_range(fc),
		is_signed ? "true" : "false");
}

static bool is_integer(const bt_field_class *fc)
{
	return bt_field_class_type_is(bt_field_class_get_type(fc), BT_FIELD_CLASS_TYPE_INTEGER);
}

/* What the payload's array takes its length from; NULL if that is not in the payload itself. */
static const char *length_name(const bt_field_class *payload, const bt_field_class *array)
{
	const bt_field_path *path;

	if (bt_field_class_get_type(array) != BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD)
		return NULL;
	path = bt_field_class_array_dynamic_with_length_field_borrow_length_field_path_const(array);
	if (bt_field_path_get_root_scope(path) != BT_FIELD_PATH_SCOPE_EVENT_PAYLOAD ||
	    bt_field_path_get_item_count(path) != 1)
		return NULL;
	return bt_field_class_structure_member_get_name(
		bt_field_class_structure_borrow_member_by_index_const(
			payload, bt_field_path_item_index_get_index(
					 bt_field_path_borrow_item_by_index_const(path, 0))));
}

/* Of CTF 2 every text may be a name. */
static bool is_name(const char *s)
{
	return s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] ==
	       '\0';
}

/* A leading underscore is what readers take off again. */
static void put_field(FILE *out, const bt_field_class *payload, const bt_field_class *fc,
		      const char *name)
{
	bt_field_class_type type = bt_field_class_get_type(fc);
	const bt_field_class *element = NULL;
	const char *length;

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		element = bt_field_class_array_borrow_element_field_class_const(fc);
	if (is_integer(fc)) {
		put_integer(out, fc);
		fprintf(out, " _%s;\n", name);
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		fprintf(out, "\t\tstring { encoding = UTF8; } _%s;\n", name);
	} else if (element && is_integer(element)) {
		put_integer(out, element);
		length = length_name(payload, fc);
		if (length && is_name(length))
			fprintf(out, " _%s[ _%s ];\n", name, length);
		else
			fprintf(out, " _%s[ 1 ];\n", name);
	}
}

/* TSDL knows C's texts (CTF 1.8, C.1.1). */
static void put_text(FILE *out, const char *s)
{
	putc('"', out);
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if ((unsigned char)*s < 0x20 || *s == 0x7f)
			fprintf(out, "\\%03o", (unsigned char)*s);
		else
			putc(*s, out);
	putc('"', out);
}

static char *describe(const bt_event_class *ec, uint64_t stream_id)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(ec);
	uint64_t i, nr = payload ? bt_field_class_structure_get_member_count(payload) : 0;
	size_t size;
	char *text;
	FILE *out = text_stream(&text, &size);

	fputs("event {\n\tname = ", out);
	put_text(out, bt_event_class_get_name(ec));
	fprintf(out, ";\n\tstream_id = %llu;\n\tid = %llu;\n\tfields := struct {\n",
		(unsigned long long)stream_id, (unsigned long long)bt_event_class_get_id(ec));
	for (i = 0; i < nr; i++) {
		const bt_field_class_structure_member *m =
			bt_field_class_structure_borrow_member_by_index_const(payload, i);

		/* Reports use no fields of other names, and no record has them. */
		if (is_name(bt_field_class_structure_member_get_name(m)))
			put_field(out, payload,
				  bt_field_class_structure_member_borrow_field_class_const(m),
				  bt_field_class_structure_member_get_name(m));
	}
	fputs("\t};\n};\n\n", out);
	fclose(out);
	return text;
}

static struct unused_trace *trace_of(struct unused *u, const char *uuid)
{
	uint64_t key = hash_text(uuid, strlen(uuid));
	struct unused_trace *t;

	/* Two may have one key. */
	for (; (t = hash_get(&u->traces, key)); key++)
		if (!strcmp(t->uuid, uuid))
			return t;
	t = xcalloc(1, sizeof(*t));
	memcpy(t->uuid, uuid, sizeof(t->uuid));
	hash_put(&u->traces, key, t);
	return t;
}

/* Adds the numbers of an event to those of a trace; false if they are there. */
static bool add_number(struct hash *numbers, uint64_t stream_id, uint64_t id)
{
	uint64_t key = hash_numbers(stream_id, id);
	struct number *n;

	for (; (n = hash_get(numbers, key)); key++)
		if (n->stream_id == stream_id && n->id == id)
			return false;
	n = xcalloc(1, sizeof(*n));
	*n = (struct number){stream_id, id};
	hash_put(numbers, key, n);
	return true;
}

static void free_numbers(struct hash *numbers)
{
	struct number *n;
	size_t pos = 0;

	while ((n = hash_next(numbers, &pos)))
		free(n);
	hash_free(numbers);
}

static void note_event(struct unused_trace *t, const bt_event_class *ec, uint64_t stream_id)
{
	const char *name = bt_event_class_get_name(ec);
	uint64_t id = bt_event_class_get_id(ec);

	/* Traces of one uuid are parts of one recording, and number their events alike. */
	if (!name || event_kind_by_name(name) == EV_NR || !add_number(&t->numbers, stream_id, id))
		return;
	t->events = grow(t->events, t->nr, &t->cap, sizeof(*t->events));
	t->events[t->nr++] = (struct unused_event){
		.number = {stream_id, id},
		.text = describe(ec, stream_id),
	};
}

void unused_note(struct unused *u, const bt_trace *trace)
{
	const bt_trace_class *tc = bt_trace_borrow_class_const(trace);
	bt_uuid uuid = bt_trace_get_uuid(trace);
	struct unused_trace *t;
	char text[UUID_TEXT_MAX];
	uint64_t s, i;

	u->nr_noted++;
	if (!uuid)
		return;
	uuid_text(text, uuid);
	t = trace_of(u, text);
	for (s = 0; s < bt_trace_class_get_stream_class_count(tc); s++) {
		const bt_stream_class *sc =
			bt_trace_class_borrow_stream_class_by_index_const(tc, s);

		for (i = 0; i < bt_stream_class_get_event_class_count(sc); i++)
			note_event(t, bt_stream_class_borrow_event_class_by_index_const(sc, i),
				   bt_stream_class_get_id(sc));
	}
}

char *unused_read(FILE *f)
{
	char *text = NULL;
	size_t size = 0;
	ssize_t len = xgetdelim(&text, &size, '\0', f);

	if (len < 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* As sink.ctf.fs writes them. */
static struct hash numbers_in(const char *metadata)
{
	static const char begin[] = "\tstream_id = ", between[] = ";\n\tid = ";
	struct hash numbers = {0};
	const char *at = metadata;
	char *end;

	while ((at = strstr(at, begin))) {
		uint64_t stream_id = strtoull(at + strlen(begin), &end, 10);

		at = end;
		if (strncmp(at, between, strlen(between)))
			continue;
		add_number(&numbers, stream_id, strtoull(at + strlen(between), NULL, 10));
	}
	return numbers;
}

/* What the copy is of. NULL: nothing that was noted. */
static const struct unused_trace *origin_of(const struct unused *u, const char *metadata)
{
	const struct unused_trace *t = NULL;
	const char *at = copy_origin(metadata);
	uint64_t key;

	if (!at)
		return NULL;
	key = hash_text(at, UUID_TEXT_MAX - 1);
	for (; (t = hash_get(&u->traces, key)); key++)
		if (!strncmp(t->uuid, at, UUID_TEXT_MAX - 1))
			return t;
	return NULL;
}

/*
 * The library writes what is not ASCII as \xHH, and takes all digits behind such an x for its own;
 * of octal ones, which take as much room, they are three.
 */
static void use_octal(char *metadata)
{
	char *at = metadata;

	for (; (at = strchr(at, '\\')) && at[1]; at += 2) {
		int high = at[1] == 'x' ? hex_digit(at[2]) : -1;
		int low = high < 0 ? -1 : hex_digit(at[3]);

		if (low < 0)
			continue;
		at[1] = (char)('0' + (high >> 2));
		at[2] = (char)('0' + ((high & 3) << 1 | low >> 3));
		at[3] = (char)('0' + (low & 7));
	}
}

/* The library does not say when the last of it finds no room. */
static bool is_whole(const char *metadata)
{
	size_t len = strlen(metadata);

	while (len && metadata[len - 1] == '\n')
		len--;
	return len >= 2 && !strncmp(metadata + len - 2, "};", 2);
}

static int append_to(const struct unused *u, FILE *f)
{
	char *metadata = unused_read(f);
	const struct unused_trace *t;
	struct hash numbers;
	size_t i;

	if (!metadata || !is_whole(metadata)) {
		free(metadata);
		errno = ENOSPC;
		return -1;
	}
	use_octal(metadata);
	rewind(f);
	/* With one more sign: where what was cut off looks whole, there is no room for that either.
	 */
	fprintf(f, "%s\n", metadata);
	t = origin_of(u, metadata);
	numbers = numbers_in(metadata);
	for (i = 0; t && i < t->nr; i++) {
		const struct unused_event *e = &t->events[i];

		if (e->text && add_number(&numbers, e->number.stream_id, e->number.id))
			fputs(e->text, f);
	}
	free_numbers(&numbers);
	free(metadata);
	return ferror(f) ? -1 : 0;
}

static int append_to_trace(const struct unused *u, const char *path)
{
	char *file = xasprintf("%s/metadata", path), *shown;
	FILE *f = fopen(file, "r+e");
	int ret = f ? append_to(u, f) : -1;

	if (f && fclose(f))
		ret = -1;
	if (ret) {
		shown = text_escape(file);
		error("The copy's metadata cannot be written. path=%s reason=%s", shown,
		      strerror(errno));
		free(shown);
	}
	free(file);
	return ret;
}

int unused_append(const struct unused *u, const char *dir)
{
	char *const dirs[] = {(char *)dir};
	struct reader copies = {0};
	size_t i;
	int ret = reader_find(&copies, dirs, 1);

	if (!ret && copies.nr_traces != u->nr_noted)
		ret = error("Copies of traces lie in one another, by their names; copy them"
			    " one by one. traces=%zu found=%zu",
			    u->nr_noted, copies.nr_traces);
	for (i = 0; i < copies.nr_traces && !ret; i++)
		ret = append_to_trace(u, copies.traces[i].path);
	reader_free(&copies);
	return ret;
}

void unused_free(struct unused *u)
{
	struct unused_trace *t;
	size_t i, pos = 0;

	while ((t = hash_next(&u->traces, &pos))) {
		for (i = 0; i < t->nr; i++)
			free(t->events[i].text);
		free(t->events);
		free_numbers(&t->numbers);
		free(t);
	}
	hash_free(&u->traces);
}
