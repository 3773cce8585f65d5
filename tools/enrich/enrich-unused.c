/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enrich-unused.h"
#include "trace/reader-find.h"
#include "model/schema.h"
#include "base/text.h"
#include "base/util.h"

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
		if (length)
			fprintf(out, " _%s[ _%s ];\n", name, length);
		else
			fprintf(out, " _%s[ 1 ];\n", name);
	}
}

static char *describe(const bt_event_class *ec, uint64_t stream_id)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(ec);
	uint64_t i, nr = payload ? bt_field_class_structure_get_member_count(payload) : 0;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	/* The name is one that reports know: it needs no escapes. */
	fprintf(out,
		"event {\n\tname = \"%s\";\n\tstream_id = %llu;\n\tid = %llu;\n\tfields := struct "
		"{\n",
		bt_event_class_get_name(ec), (unsigned long long)stream_id,
		(unsigned long long)bt_event_class_get_id(ec));
	for (i = 0; i < nr; i++) {
		const bt_field_class_structure_member *m =
			bt_field_class_structure_borrow_member_by_index_const(payload, i);

		put_field(out, payload, bt_field_class_structure_member_borrow_field_class_const(m),
			  bt_field_class_structure_member_get_name(m));
	}
	fputs("\t};\n};\n\n", out);
	fclose(out);
	return text;
}

static void note_event(struct unused *u, const char *uuid, const bt_event_class *ec,
		       uint64_t stream_id)
{
	const char *name = bt_event_class_get_name(ec);
	struct unused_event *e;

	if (!name || event_kind_by_name(name) == EV_NR)
		return;
	u->events = grow(u->events, u->nr, &u->cap, sizeof(*u->events));
	e = &u->events[u->nr++];
	*e = (struct unused_event){
		.stream_id = stream_id,
		.id = bt_event_class_get_id(ec),
		.text = describe(ec, stream_id),
	};
	memcpy(e->uuid, uuid, sizeof(e->uuid));
}

void unused_note(struct unused *u, const bt_trace *trace)
{
	const bt_trace_class *tc = bt_trace_borrow_class_const(trace);
	bt_uuid uuid = bt_trace_get_uuid(trace);
	char text[UUID_TEXT_MAX];
	uint64_t s, i;

	if (!uuid)
		return;
	uuid_text(text, uuid);
	for (s = 0; s < bt_trace_class_get_stream_class_count(tc); s++) {
		const bt_stream_class *sc =
			bt_trace_class_borrow_stream_class_by_index_const(tc, s);

		for (i = 0; i < bt_stream_class_get_event_class_count(sc); i++)
			note_event(u, text,
				   bt_stream_class_borrow_event_class_by_index_const(sc, i),
				   bt_stream_class_get_id(sc));
	}
}

/* As the library wrote it: text without packets. */
static char *read_text(FILE *f)
{
	char *text = NULL;
	size_t size = 0;
	ssize_t len = getdelim(&text, &size, '\0', f);

	if (len < 0) {
		free(text);
		return NULL;
	}
	return text;
}

static bool has_event(const char *metadata, const struct unused_event *e)
{
	char *key = xasprintf("stream_id = %llu;\n\tid = %llu;\n", (unsigned long long)e->stream_id,
			      (unsigned long long)e->id);
	bool has = strstr(metadata, key);

	free(key);
	return has;
}

static int append_to(const struct unused *u, FILE *f)
{
	char *metadata = read_text(f);
	size_t i;

	if (!metadata)
		return -1;
	for (i = 0; i < u->nr; i++) {
		const struct unused_event *e = &u->events[i];

		if (strstr(metadata, e->uuid) && e->text && !has_event(metadata, e))
			fputs(e->text, f);
	}
	free(metadata);
	return ferror(f) ? -1 : 0;
}

static int append_to_trace(const struct unused *u, const char *path)
{
	char *file = xasprintf("%s/metadata", path), *shown;
	FILE *f = fopen(file, "a+e");
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

	for (i = 0; i < copies.nr_traces && !ret; i++)
		ret = append_to_trace(u, copies.traces[i].path);
	reader_free(&copies);
	return ret;
}

void unused_free(struct unused *u)
{
	size_t i;

	for (i = 0; i < u->nr; i++)
		free(u->events[i].text);
	free(u->events);
	*u = (struct unused){0};
}
