/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "copy-trace.h"
#include "base/text.h"
#include "base/util.h"

struct clock_copy {
	const bt_clock_class *from;
	bt_clock_class *to;
};

struct trace_class_copy {
	const bt_trace_class *from;
	struct class_copier copier; /* with the copy */
};

struct stream_class_copy {
	const bt_stream_class *from;
	bt_stream_class *to;
	struct trace_class_copy *in;
};

struct event_class_copy {
	const bt_event_class *from;
	bt_event_class *to;
};

struct trace_copy {
	const bt_trace *from;
	bt_trace *to;
};

static int describe_clock(const bt_clock_class *from, bt_clock_class *to)
{
	const char *name = bt_clock_class_get_name(from);
	const char *description = bt_clock_class_get_description(from);
	bt_uuid uuid = bt_clock_class_get_uuid(from);
	int64_t seconds;
	uint64_t cycles;

	bt_clock_class_set_frequency(to, bt_clock_class_get_frequency(from));
	bt_clock_class_get_offset(from, &seconds, &cycles);
	bt_clock_class_set_offset(to, seconds, cycles);
	bt_clock_class_set_precision(to, bt_clock_class_get_precision(from));
	bt_clock_class_set_origin_is_unix_epoch(to, bt_clock_class_origin_is_unix_epoch(from));
	if (uuid)
		bt_clock_class_set_uuid(to, uuid);
	bt_clock_class_set_user_attributes(to, bt_clock_class_borrow_user_attributes_const(from));
	if (name && bt_clock_class_set_name(to, name) != BT_CLOCK_CLASS_SET_NAME_STATUS_OK)
		return -1;
	return description && bt_clock_class_set_description(to, description) !=
				       BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK
		       ? -1
		       : 0;
}

static bt_clock_class *clock_of(struct copies *c, const bt_clock_class *from)
{
	struct clock_copy *copy = hash_get(&c->clocks, (uintptr_t)from);
	bt_clock_class *to;

	if (copy)
		return copy->to;
	to = bt_clock_class_create(c->self);
	if (!to || describe_clock(from, to)) {
		bt_clock_class_put_ref(to);
		return NULL;
	}
	copy = xcalloc(1, sizeof(*copy));
	bt_clock_class_get_ref(from);
	copy->from = from;
	copy->to = to;
	hash_put(&c->clocks, (uintptr_t)from, copy);
	return to;
}

const bt_clock_class *copy_of_clock_class(struct copies *c, const bt_clock_class *from)
{
	return clock_of(c, from);
}

static struct trace_class_copy *trace_class_of(struct copies *c, const bt_trace_class *from)
{
	struct trace_class_copy *copy = hash_get(&c->trace_classes, (uintptr_t)from);
	bt_trace_class *to;

	if (copy)
		return copy;
	to = bt_trace_class_create(c->self);
	if (!to)
		return NULL;
	bt_trace_class_set_assigns_automatic_stream_class_id(to, BT_FALSE);
	bt_trace_class_set_user_attributes(to, bt_trace_class_borrow_user_attributes_const(from));
	copy = xcalloc(1, sizeof(*copy));
	bt_trace_class_get_ref(from);
	copy->from = from;
	copy->copier.tc = to;
	hash_put(&c->trace_classes, (uintptr_t)from, copy);
	return copy;
}

/*
 * After the clock, without which no times can be announced, and before the
 * packets' context.
 */
static void describe_stream_class(const bt_stream_class *from, bt_stream_class *to)
{
	bt_bool packets = bt_stream_class_supports_packets(from);
	bt_bool events = bt_stream_class_supports_discarded_events(from);
	bt_bool lost_packets = bt_stream_class_supports_discarded_packets(from);

	bt_stream_class_set_assigns_automatic_event_class_id(to, BT_FALSE);
	bt_stream_class_set_assigns_automatic_stream_id(to, BT_FALSE);
	bt_stream_class_set_supports_packets(
		to, packets,
		packets && bt_stream_class_packets_have_beginning_default_clock_snapshot(from),
		packets && bt_stream_class_packets_have_end_default_clock_snapshot(from));
	bt_stream_class_set_supports_discarded_events(
		to, events,
		events && bt_stream_class_discarded_events_have_default_clock_snapshots(from));
	bt_stream_class_set_supports_discarded_packets(
		to, lost_packets,
		lost_packets &&
			bt_stream_class_discarded_packets_have_default_clock_snapshots(from));
	bt_stream_class_set_user_attributes(to, bt_stream_class_borrow_user_attributes_const(from));
}

static int copy_clock_and_name(struct copies *c, const bt_stream_class *from, bt_stream_class *to)
{
	const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(from);
	const char *name = bt_stream_class_get_name(from);

	if (clock) {
		bt_clock_class *copy = clock_of(c, clock);

		if (!copy || bt_stream_class_set_default_clock_class(to, copy) !=
				     BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK)
			return -1;
	}
	return name && bt_stream_class_set_name(to, name) != BT_STREAM_CLASS_SET_NAME_STATUS_OK ? -1
												: 0;
}

/* From here on, the copier copies what belongs to this stream class. */
static void enter_stream_class(struct class_copier *copier, const bt_stream_class *from)
{
	copier->packet = bt_stream_class_borrow_packet_context_field_class_const(from);
	copier->common = bt_stream_class_borrow_event_common_context_field_class_const(from);
	copier->specific = copier->payload = NULL;
}

static int copy_packet_context(struct class_copier *copier, bt_stream_class *to)
{
	bt_field_class *context;
	int ret;

	if (!copier->packet)
		return 0;
	if (copy_structure(copier, copier->packet, &context))
		return -1;
	ret = bt_stream_class_set_packet_context_field_class(to, context);
	bt_field_class_put_ref(context);
	return ret;
}

static int make_common_context(struct copies *c, struct class_copier *copier, bt_stream_class *to)
{
	bt_field_class *context;
	int ret;

	if (copy_structure(copier, copier->common, &context))
		return -1;
	if (!context)
		context = bt_field_class_structure_create(copier->tc);
	if (!context)
		return -1;
	ret = c->extend(copier->tc, context);
	if (!ret)
		ret = bt_stream_class_set_event_common_context_field_class(to, context);
	bt_field_class_put_ref(context);
	return ret;
}

static struct stream_class_copy *stream_class_of(struct copies *c, const bt_stream_class *from)
{
	struct stream_class_copy *copy = hash_get(&c->stream_classes, (uintptr_t)from);
	struct trace_class_copy *in;
	bt_stream_class *to;

	if (copy)
		return copy;
	in = trace_class_of(c, bt_stream_class_borrow_trace_class_const(from));
	to = in ? bt_stream_class_create_with_id(in->copier.tc, bt_stream_class_get_id(from))
		: NULL;
	if (!to)
		return NULL;
	enter_stream_class(&in->copier, from);
	if (copy_clock_and_name(c, from, to))
		goto err_put;
	describe_stream_class(from, to);
	if (copy_packet_context(&in->copier, to) || make_common_context(c, &in->copier, to))
		goto err_put;
	copy = xcalloc(1, sizeof(*copy));
	bt_stream_class_get_ref(from);
	copy->from = from;
	copy->to = to;
	copy->in = in;
	hash_put(&c->stream_classes, (uintptr_t)from, copy);
	return copy;
err_put:
	bt_stream_class_put_ref(to);
	return NULL;
}

static int describe_event_class(const bt_event_class *from, bt_event_class *to)
{
	const char *name = bt_event_class_get_name(from);
	const char *uri = bt_event_class_get_emf_uri(from);
	bt_event_class_log_level level;

	if (bt_event_class_get_log_level(from, &level) == BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_event_class_set_log_level(to, level);
	bt_event_class_set_user_attributes(to, bt_event_class_borrow_user_attributes_const(from));
	if (name && bt_event_class_set_name(to, name) != BT_EVENT_CLASS_SET_NAME_STATUS_OK)
		return -1;
	return uri && bt_event_class_set_emf_uri(to, uri) != BT_EVENT_CLASS_SET_EMF_URI_STATUS_OK
		       ? -1
		       : 0;
}

static int copy_event_fields(struct class_copier *copier, bt_event_class *to)
{
	bt_field_class *fc;
	int ret = 0;

	if (copier->specific) {
		if (copy_structure(copier, copier->specific, &fc))
			return -1;
		ret = bt_event_class_set_specific_context_field_class(to, fc);
		bt_field_class_put_ref(fc);
	}
	if (!ret && copier->payload) {
		if (copy_structure(copier, copier->payload, &fc))
			return -1;
		ret = bt_event_class_set_payload_field_class(to, fc);
		bt_field_class_put_ref(fc);
	}
	return ret;
}

const bt_event_class *copy_of_event_class(struct copies *c, const bt_event_class *from)
{
	struct event_class_copy *copy = hash_get(&c->event_classes, (uintptr_t)from);
	struct stream_class_copy *in;
	struct class_copier *copier;
	bt_event_class *to;

	if (copy)
		return copy->to;
	in = stream_class_of(c, bt_event_class_borrow_stream_class_const(from));
	to = in ? bt_event_class_create_with_id(in->to, bt_event_class_get_id(from)) : NULL;
	if (!to)
		return NULL;
	copier = &in->in->copier;
	enter_stream_class(copier, in->from);
	copier->specific = bt_event_class_borrow_specific_context_field_class_const(from);
	copier->payload = bt_event_class_borrow_payload_field_class_const(from);
	if (describe_event_class(from, to) || copy_event_fields(copier, to)) {
		bt_event_class_put_ref(to);
		return NULL;
	}
	copy = xcalloc(1, sizeof(*copy));
	bt_event_class_get_ref(from);
	copy->from = from;
	copy->to = to;
	hash_put(&c->event_classes, (uintptr_t)from, copy);
	return to;
}

/* sink.ctf.fs makes directories of these; of a slash it would make one more. */
static bool is_directory(const char *name)
{
	return !strcmp(name, "hostname") || !strcmp(name, "trace_name") ||
	       !strcmp(name, "procname");
}

static int copy_text(const struct copies *c, const char *name, const char *text, bt_trace *to)
{
	char *copy = xstrdup(text), *slash;
	int ret;

	for (slash = copy; c->is_unnamed && is_directory(name) && (slash = strchr(slash, '/'));)
		*slash = '_';
	ret = bt_trace_set_environment_entry_string(to, name, copy);
	free(copy);
	return ret;
}

static int copy_environment(const struct copies *c, const bt_trace *from, bt_trace *to)
{
	uint64_t i, nr = bt_trace_get_environment_entry_count(from);
	int ret = 0;

	for (i = 0; i < nr && !ret; i++) {
		const char *name;
		const bt_value *value;

		bt_trace_borrow_environment_entry_by_index_const(from, i, &name, &value);
		ret = bt_value_is_string(value)
			      ? copy_text(c, name, bt_value_string_get(value), to)
			      : bt_trace_set_environment_entry_integer(
					to, name, bt_value_integer_signed_get(value));
	}
	return ret;
}

/* Also the classes of events that never happen: they tell what was recorded. */
static int copy_all_classes(struct copies *c, const bt_trace_class *from)
{
	uint64_t i, k;

	for (i = 0; i < bt_trace_class_get_stream_class_count(from); i++) {
		const bt_stream_class *sc =
			bt_trace_class_borrow_stream_class_by_index_const(from, i);

		if (!stream_class_of(c, sc))
			return -1;
		for (k = 0; k < bt_stream_class_get_event_class_count(sc); k++)
			if (!copy_of_event_class(
				    c, bt_stream_class_borrow_event_class_by_index_const(sc, k)))
				return -1;
	}
	return 0;
}

#define ORIGIN "enriched_from_uuid"

const char *copy_origin(const char *metadata)
{
	static const char begin[] = "\t" ORIGIN " = \"";
	const char *at = strstr(metadata, begin);

	return at && strlen(at) >= strlen(begin) + UUID_TEXT_MAX - 1 ? at + strlen(begin) : NULL;
}

/* A sink gives its trace a uuid of its own. */
static int say_origin(bt_trace *to, bt_uuid uuid)
{
	char text[UUID_TEXT_MAX];

	uuid_text(text, uuid);
	return bt_trace_set_environment_entry_string(to, ORIGIN, text);
}

static int describe_trace(const struct copies *c, const bt_trace *from, bt_trace *to)
{
	const char *name = c->is_unnamed ? NULL : bt_trace_get_name(from);
	bt_uuid uuid = bt_trace_get_uuid(from);

	if (uuid)
		bt_trace_set_uuid(to, uuid);
	bt_trace_set_user_attributes(to, bt_trace_borrow_user_attributes_const(from));
	if (name && bt_trace_set_name(to, name) != BT_TRACE_SET_NAME_STATUS_OK)
		return -1;
	return copy_environment(c, from, to) || (uuid && say_origin(to, uuid)) ? -1 : 0;
}

static bt_trace *trace_of(struct copies *c, const bt_trace *from)
{
	struct trace_copy *copy = hash_get(&c->traces, (uintptr_t)from);
	struct trace_class_copy *class;
	bt_trace *to;

	if (copy)
		return copy->to;
	class = trace_class_of(c, bt_trace_borrow_class_const(from));
	if (!class || copy_all_classes(c, class->from))
		return NULL;
	to = bt_trace_create(class->copier.tc);
	if (!to || describe_trace(c, from, to)) {
		bt_trace_put_ref(to);
		return NULL;
	}
	copy = xcalloc(1, sizeof(*copy));
	bt_trace_get_ref(from);
	copy->from = from;
	copy->to = to;
	hash_put(&c->traces, (uintptr_t)from, copy);
	return to;
}

static bt_stream *new_stream(struct copies *c, const bt_stream *from)
{
	bt_trace *trace = trace_of(c, bt_stream_borrow_trace_const(from));
	struct stream_class_copy *class =
		trace ? stream_class_of(c, bt_stream_borrow_class_const(from)) : NULL;
	const char *name = bt_stream_get_name(from);
	bt_stream *to;

	to = class ? bt_stream_create_with_id(class->to, trace, bt_stream_get_id(from)) : NULL;
	if (!to)
		return NULL;
	bt_stream_set_user_attributes(to, bt_stream_borrow_user_attributes_const(from));
	if (name && bt_stream_set_name(to, name) != BT_STREAM_SET_NAME_STATUS_OK)
		BT_STREAM_PUT_REF_AND_RESET(to);
	return to;
}

struct stream_copy *copy_of_stream(struct copies *c, const bt_stream *from)
{
	const bt_field_class *context;
	struct stream_copy *copy;
	bt_stream *to;

	if (c->last && c->last->from == from)
		return c->last;
	c->last = hash_get(&c->streams, (uintptr_t)from);
	if (c->last)
		return c->last;
	to = new_stream(c, from);
	if (!to)
		return NULL;
	context = bt_stream_class_borrow_event_common_context_field_class_const(
		bt_stream_borrow_class_const(from));
	copy = xcalloc(1, sizeof(*copy));
	bt_stream_get_ref(from);
	copy->from = from;
	copy->to = to;
	copy->nr_members = context ? bt_field_class_structure_get_member_count(context) : 0;
	hash_put(&c->streams, (uintptr_t)from, copy);
	c->last = copy;
	return copy;
}

static void free_streams(struct hash *h)
{
	struct stream_copy *s;
	size_t pos = 0;

	while ((s = hash_next(h, &pos))) {
		bt_packet_put_ref(s->packet);
		bt_stream_put_ref(s->from);
		bt_stream_put_ref(s->to);
		free(s);
	}
	hash_free(h);
}

static void free_traces(struct hash *h)
{
	struct trace_copy *t;
	size_t pos = 0;

	while ((t = hash_next(h, &pos))) {
		bt_trace_put_ref(t->from);
		bt_trace_put_ref(t->to);
		free(t);
	}
	hash_free(h);
}

static void free_event_classes(struct hash *h)
{
	struct event_class_copy *e;
	size_t pos = 0;

	while ((e = hash_next(h, &pos))) {
		bt_event_class_put_ref(e->from);
		bt_event_class_put_ref(e->to);
		free(e);
	}
	hash_free(h);
}

static void free_stream_classes(struct hash *h)
{
	struct stream_class_copy *s;
	size_t pos = 0;

	while ((s = hash_next(h, &pos))) {
		bt_stream_class_put_ref(s->from);
		bt_stream_class_put_ref(s->to);
		free(s);
	}
	hash_free(h);
}

static void free_trace_classes(struct hash *h)
{
	struct trace_class_copy *t;
	size_t pos = 0;

	while ((t = hash_next(h, &pos))) {
		bt_trace_class_put_ref(t->from);
		bt_trace_class_put_ref(t->copier.tc);
		hash_free(&t->copier.classes);
		free(t);
	}
	hash_free(h);
}

static void free_clocks(struct hash *h)
{
	struct clock_copy *k;
	size_t pos = 0;

	while ((k = hash_next(h, &pos))) {
		bt_clock_class_put_ref(k->from);
		bt_clock_class_put_ref(k->to);
		free(k);
	}
	hash_free(h);
}

void copies_free(struct copies *c)
{
	free_streams(&c->streams);
	free_traces(&c->traces);
	free_event_classes(&c->event_classes);
	free_stream_classes(&c->stream_classes);
	free_trace_classes(&c->trace_classes);
	free_clocks(&c->clocks);
}
