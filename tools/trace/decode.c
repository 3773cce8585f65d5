/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "fit.h"
#include "model/schema.h"
#include "base/util.h"

/* Where in an event a field is. A channel's context, or the event's alone. */
enum place { IN_PAYLOAD, IN_COMMON, IN_SPECIFIC, PLACES };

struct binding {
	enum event_kind kind;
	const bt_event_class *class; /* a reference, so that its address is not reused */
	struct bound_field {
		enum place place;
		uint64_t index; /* in the structure of that place */
		const struct field_desc *desc;
		bool is_signed; /* the integers in the trace, whatever was wanted */
	} * fields;
	size_t nr_fields;
	char *variant; /* see TYPE_VARIANT; NULL if the kind has none */
};

static bool is_integer(const bt_field_class *fc)
{
	return bt_field_class_type_is(bt_field_class_get_type(fc), BT_FIELD_CLASS_TYPE_INTEGER);
}

static bool is_signed(const bt_field_class *fc)
{
	return bt_field_class_type_is(bt_field_class_get_type(fc),
				      BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
}

static bool is_array(const bt_field_class *fc)
{
	return bt_field_class_type_is(bt_field_class_get_type(fc), BT_FIELD_CLASS_TYPE_ARRAY);
}

static bool is_text(const bt_field_class *fc)
{
	return bt_field_class_get_type(fc) == BT_FIELD_CLASS_TYPE_STRING;
}

static const bt_field_class *element_of(const bt_field_class *fc)
{
	return bt_field_class_array_borrow_element_field_class_const(fc);
}

static struct fit fit_of(const bt_field_class *fc)
{
	const bt_field_class *of = fc;
	struct fit saw = {.type = FIT_OTHER};

	if (is_text(fc))
		saw.type = FIT_TEXT;
	if (is_array(fc)) {
		of = element_of(fc);
		saw.type = is_integer(of) ? FIT_INTEGERS : FIT_ARRAY;
	} else if (is_integer(fc)) {
		saw.type = FIT_INTEGER;
	}
	if (saw.type == FIT_INTEGER || saw.type == FIT_INTEGERS) {
		saw.is_signed = is_signed(of);
		saw.bits = (unsigned int)bt_field_class_integer_get_field_value_range(of);
	}
	return saw;
}

static const bt_field_class *payload_field(const bt_event_class *ec, const char *name)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(ec);
	const bt_field_class_structure_member *member;

	if (!payload)
		return NULL;
	member = bt_field_class_structure_borrow_member_by_name_const(payload, name);
	return member ? bt_field_class_structure_member_borrow_field_class_const(member) : NULL;
}

static void check_fields(struct trace_info *trace, enum event_kind kind, const bt_event_class *ec)
{
	const struct event_desc *desc = &event_descs[kind];
	size_t i;

	for (i = 0; i < desc->nr_fields; i++) {
		const bt_field_class *fc = payload_field(ec, desc->fields[i].name);
		struct fit saw = fc ? fit_of(fc) : (struct fit){0};

		fit_check(trace, kind, &desc->fields[i], fc ? &saw : NULL);
	}
}

struct class_walk {
	const bt_trace_class *tc;
	uint64_t stream, event;
};

static const bt_event_class *next_event_class(struct class_walk *w, enum event_kind *kind)
{
	for (; w->stream < bt_trace_class_get_stream_class_count(w->tc); w->stream++) {
		const bt_stream_class *sc =
			bt_trace_class_borrow_stream_class_by_index_const(w->tc, w->stream);

		while (w->event < bt_stream_class_get_event_class_count(sc)) {
			const bt_event_class *ec =
				bt_stream_class_borrow_event_class_by_index_const(sc, w->event++);
			const char *name = bt_event_class_get_name(ec);

			*kind = name ? event_kind_by_name(name) : EV_NR;
			if (*kind != EV_NR)
				return ec;
		}
		w->event = 0;
	}
	return NULL;
}

static bool has_field(const void *event, const char *name)
{
	return payload_field(event, name);
}

void decode_trace_class(struct trace_info *trace, const bt_trace_class *tc)
{
	struct class_walk w = {.tc = tc};
	const bt_event_class *ec;
	enum event_kind kind;

	while (next_event_class(&w, &kind))
		trace->offers[kind] = true;
	w = (struct class_walk){.tc = tc};
	while ((ec = next_event_class(&w, &kind)))
		fit_shape(trace, kind, has_field, ec);
	w = (struct class_walk){.tc = tc};
	while ((ec = next_event_class(&w, &kind)))
		check_fields(trace, kind, ec);
}

static const struct field_desc *wanted_field(const struct binding *b, enum place place,
					     const char *name, const bt_field_class *fc)
{
	const struct event_desc *desc = &event_descs[b->kind];
	struct fit saw = fit_of(fc);
	size_t i;

	for (i = 0; i < desc->nr_fields; i++) {
		const struct field_desc *f = &desc->fields[i];

		if (!strcmp(f->name, name) && type_is_in(f->type, place != IN_PAYLOAD) &&
		    fit_usable(f, &saw))
			return f;
	}
	return NULL;
}

static void bind_field(struct binding *b, enum place place, const bt_field_class *st,
		       uint64_t index)
{
	const bt_field_class_structure_member *member =
		bt_field_class_structure_borrow_member_by_index_const(st, index);
	const bt_field_class *fc = bt_field_class_structure_member_borrow_field_class_const(member);
	const char *name = bt_field_class_structure_member_get_name(member);
	const struct field_desc *f = wanted_field(b, place, name, fc);

	if (!f)
		return;
	b->fields[b->nr_fields++] = (struct bound_field){
		.place = place,
		.index = index,
		.desc = f,
		.is_signed = is_signed(type_is_sequence(f->type) ? element_of(fc) : fc),
	};
}

static const bt_field_class *class_at(const bt_event_class *ec, enum place place)
{
	switch (place) {
	case IN_PAYLOAD:
		return bt_event_class_borrow_payload_field_class_const(ec);
	case IN_SPECIFIC:
		return bt_event_class_borrow_specific_context_field_class_const(ec);
	default:
		return bt_stream_class_borrow_event_common_context_field_class_const(
			bt_event_class_borrow_stream_class_const(ec));
	}
}

static struct binding *bind_class(const struct decoder *d, const bt_event_class *ec)
{
	const char *name = bt_event_class_get_name(ec);
	struct binding *b = xcalloc(1, sizeof(*b));
	enum place place;

	bt_event_class_get_ref(ec);
	b->class = ec;
	b->kind = name ? event_kind_by_name(name) : EV_NR;
	if (b->kind != EV_NR && b->kind >= EV_FIRST_ON_DEMAND && !(d->wants & 1ull << b->kind))
		b->kind = EV_NR;
	if (b->kind == EV_NR)
		return b;
	b->variant = event_variant(name);
	/* Each field once for each place; the event's own context overrules the channel's. */
	b->fields = xcalloc(event_descs[b->kind].nr_fields * PLACES + 1, sizeof(*b->fields));
	for (place = 0; place < PLACES; place++) {
		const bt_field_class *st = class_at(ec, place);
		uint64_t i, nr = st ? bt_field_class_structure_get_member_count(st) : 0;

		for (i = 0; i < nr && b->nr_fields < event_descs[b->kind].nr_fields * PLACES; i++)
			bind_field(b, place, st, i);
	}
	return b;
}

static const struct binding *binding_of(struct decoder *d, const bt_event_class *ec)
{
	struct decoder_recent *r = &d->recent[(uintptr_t)ec / 64 % DECODER_RECENT];
	struct binding *b;

	if (r->class == ec)
		return r->binding;
	b = hash_get(&d->bindings, (uintptr_t)ec);
	if (!b) {
		b = bind_class(d, ec);
		hash_put(&d->bindings, (uintptr_t)ec, b);
	}
	r->class = ec;
	r->binding = b;
	return b;
}

static int64_t int_value(const bt_field *field, bool sign)
{
	return sign ? bt_field_integer_signed_get_value(field)
		    : (int64_t)bt_field_integer_unsigned_get_value(field);
}

static void seq_value(struct seq *seq, size_t room, const bt_field *field, bool sign)
{
	uint64_t i, nr = bt_field_array_get_length(field);

	seq->nr = (int64_t)nr;
	for (i = 0; i < nr && i < room; i++)
		seq->v[i] = int_value(bt_field_array_borrow_element_field_by_index_const(field, i),
				      sign);
}

static const bt_field *field_at(const bt_event *event, enum place place)
{
	switch (place) {
	case IN_PAYLOAD:
		return bt_event_borrow_payload_field_const(event);
	case IN_SPECIFIC:
		return bt_event_borrow_specific_context_field_const(event);
	default:
		return bt_event_borrow_common_context_field_const(event);
	}
}

static void decode_field(const bt_field *st, const struct bound_field *f, struct event *ev)
{
	const bt_field *field = bt_field_structure_borrow_member_field_by_index_const(st, f->index);
	char *to = (char *)ev + f->desc->offset;

	switch (f->desc->type) {
	case TYPE_INT:
	case TYPE_CONTEXT:
		*(int64_t *)to = field_value(f->desc, int_value(field, f->is_signed));
		break;
	case TYPE_TEXT:
		*(const char **)to = bt_field_string_get_value(field);
		break;
	case TYPE_SEQ:
	case TYPE_STACK:
		seq_value((struct seq *)to, type_room(f->desc->type), field, f->is_signed);
		break;
	default:
		break;
	}
}

/* Only events of kinds with members have it, and always at the same place. */
static void set_variant(const struct binding *b, struct event *ev)
{
	const struct event_desc *desc = &event_descs[b->kind];
	size_t i;

	for (i = 0; i < desc->nr_fields; i++)
		if (desc->fields[i].type == TYPE_VARIANT)
			*(const char **)((char *)ev + desc->fields[i].offset) = b->variant;
}

bool decode_event(struct decoder *d, const bt_event *event, struct event *ev)
{
	const struct binding *b = binding_of(d, bt_event_borrow_class_const(event));
	const bt_field *st = NULL;
	enum place place = PLACES;
	size_t i;

	if (b->kind == EV_NR)
		return false;
	event_clear(ev, b->kind);
	for (i = 0; i < b->nr_fields; i++) {
		if (b->fields[i].place != place) {
			place = b->fields[i].place;
			st = field_at(event, place);
		}
		decode_field(st, &b->fields[i], ev);
	}
	if (b->variant)
		set_variant(b, ev);
	return true;
}

bool stream_class_offers(const bt_stream_class *sc, enum event_kind kind)
{
	uint64_t i, nr = bt_stream_class_get_event_class_count(sc);

	for (i = 0; i < nr; i++) {
		const char *name = bt_event_class_get_name(
			bt_stream_class_borrow_event_class_by_index_const(sc, i));

		if (name && !strcmp(name, event_descs[kind].name))
			return true;
	}
	return false;
}

bool stream_class_is_numbered(const bt_stream_class *sc)
{
	const bt_field_class *context = bt_stream_class_borrow_packet_context_field_class_const(sc);
	const bt_field_class_structure_member *first;
	const bt_field_class *fc;

	if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(sc) ||
	    !bt_stream_class_packets_have_end_default_clock_snapshot(sc) ||
	    !bt_stream_class_supports_discarded_packets(sc) || !context ||
	    !bt_field_class_structure_get_member_count(context))
		return false;
	first = bt_field_class_structure_borrow_member_by_index_const(context, 0);
	fc = bt_field_class_structure_member_borrow_field_class_const(first);
	return !strcmp(bt_field_class_structure_member_get_name(first), "cpu_id") &&
	       bt_field_class_type_is(bt_field_class_get_type(fc),
				      BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) &&
	       bt_field_class_integer_get_field_value_range(fc) == 32;
}

void decoder_free(struct decoder *d)
{
	struct binding *b;
	size_t pos = 0;

	while ((b = hash_next(&d->bindings, &pos))) {
		bt_event_class_put_ref(b->class);
		free(b->variant);
		free(b->fields);
		free(b);
	}
	hash_free(&d->bindings);
}
