/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "reader-first.h"
#include "base/text.h"
#include "user-event.h"
#include "base/util.h"

static char *env_text(const bt_trace *trace, const char *name)
{
	const bt_value *v = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return xstrdup(v && bt_value_is_string(v) ? bt_value_string_get(v) : "");
}

static void read_clock(struct trace_info *t, const bt_clock_class *cc)
{
	bt_uuid u = bt_clock_class_get_uuid(cc);
	int64_t offset;

	if (u)
		uuid_text(t->boot_id, u);
	if (bt_clock_class_cycles_to_ns_from_origin(cc, 0, &offset) ==
	    BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK)
		t->clock_offset = offset;
}

static int first_sight(struct messages *f, struct trace_info *t, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	const bt_stream_class *sc = bt_stream_borrow_class_const(stream);
	const bt_clock_class *cc = bt_stream_class_borrow_default_clock_class_const(sc);
	char *name = env_text(trace, "trace_name");
	char *created = env_text(trace, "trace_creation_datetime");
	char *host = env_text(trace, "hostname"), *domain = env_text(trace, "domain");

	t->seen = true;
	tell_environment(t, host, domain, name, created);
	free(host);
	free(domain);
	free(name);
	free(created);
	if (cc)
		read_clock(t, cc);
	decode_trace_class(t, bt_trace_borrow_class_const(trace));
	t->has_clock = cc;
	tell_kind(t);
	return t->is_kernel ? f->teller.cb->on_trace(f->teller.cb->ctx, t) : 0;
}

/*
 * What the tracer overwrote, or a reader never got, before the first packet that there is, is
 * told by its number alone: the library takes no notice. Returns the end of that, or 0.
 */
static uint64_t missing_until(struct message_stream *s)
{
	const bt_clock_class *cc = bt_stream_class_borrow_default_clock_class_const(
		bt_stream_borrow_class_const(s->bt));
	const char *file = bt_stream_get_name(s->bt);
	struct first_packet first;
	int64_t ns;

	if (!file || !cc || !reader_first_packet(file, &first) || !first.number ||
	    bt_clock_class_cycles_to_ns_from_origin(cc, first.begin, &ns) !=
		    BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK)
		return 0;
	s->told.first_cpu = cpu_of_trace(first.cpu);
	return ns > 0 ? (uint64_t)ns : 0;
}

static void meet_stream(struct messages *f, struct message_stream *s)
{
	const bt_stream_class *sc = bt_stream_borrow_class_const(s->bt);

	s->told.trace = f->trace_of(f->ctx, bt_stream_borrow_trace_const(s->bt));
	s->told.has_begin = bt_stream_class_packets_have_beginning_default_clock_snapshot(sc);
	s->told.has_end = bt_stream_class_packets_have_end_default_clock_snapshot(sc);
	s->told.may_switch = stream_class_offers(sc, EV_SWITCH);
	tell_stream(&f->teller, &s->told);
	if (!s->told.trace->seen && first_sight(f, s->told.trace, s->bt))
		f->stopped = true;
	if (!f->is_live && s->told.trace->is_kernel && stream_class_is_numbered(sc))
		s->told.missing_until = missing_until(s);
}

static struct message_stream *stream_of(struct messages *f, const bt_stream *bt)
{
	struct message_stream *s;

	if (f->last && f->last->bt == bt)
		return f->last;
	s = hash_get(&f->streams, (uintptr_t)bt);
	if (!s) {
		s = xcalloc(1, sizeof(*s));
		bt_stream_get_ref(bt);
		s->bt = bt;
		f->decoder.wants = f->teller.cb->wants;
		hash_put(&f->streams, (uintptr_t)bt, s);
		meet_stream(f, s);
	}
	f->last = s;
	return s;
}

static uint64_t snapshot_ns(const bt_clock_snapshot *snapshot)
{
	int64_t ns;

	if (bt_clock_snapshot_get_ns_from_origin(snapshot, &ns) !=
		    BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK ||
	    ns < 0)
		return 0;
	return (uint64_t)ns;
}

/* From 2.1 on the library goes on where a clock goes back. */
static int take_time(struct messages *f, const struct message_stream *s, uint64_t ns)
{
	if (ns < f->ns && !f->is_live && !f->may_go_back) {
		f->back_in = s->told.trace->path;
		return -1;
	}
	f->ns = ns;
	return 0;
}

static int cpu_of_packet(const bt_packet *packet)
{
	const bt_field *context = bt_packet_borrow_context_field_const(packet), *cpu;

	if (!context)
		return -1;
	cpu = bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id");
	if (!cpu || !bt_field_class_type_is(bt_field_get_class_type(cpu),
					    BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return -1;
	return cpu_of_trace(bt_field_integer_unsigned_get_value(cpu));
}

static int on_packet_begin(struct messages *f, const bt_message *msg)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(msg);
	struct message_stream *s = stream_of(f, bt_packet_borrow_stream_const(packet));
	uint64_t ns = 0;

	if (f->stopped)
		return -1;
	if (s->told.has_begin)
		ns = snapshot_ns(
			bt_message_packet_beginning_borrow_default_clock_snapshot_const(msg));
	if (s->told.has_begin && take_time(f, s, ns))
		return -1;
	return tell_packet_begin(&f->teller, &s->told, cpu_of_packet(packet), ns);
}

static int on_packet_end(struct messages *f, const bt_message *msg)
{
	const bt_packet *packet = bt_message_packet_end_borrow_packet_const(msg);
	struct message_stream *s = stream_of(f, bt_packet_borrow_stream_const(packet));
	uint64_t ns;

	if (!s->told.has_end)
		return 0;
	ns = snapshot_ns(bt_message_packet_end_borrow_default_clock_snapshot_const(msg));
	if (take_time(f, s, ns))
		return -1;
	tell_packet_end(&f->teller, &s->told, ns);
	return 0;
}

static uint64_t event_ns(const bt_message *msg)
{
	return snapshot_ns(bt_message_event_borrow_default_clock_snapshot_const(msg));
}

static int on_user_event(struct messages *f, struct message_stream *s, const bt_message *msg)
{
	struct trace_info *trace = s->told.trace;
	struct user_event ev;

	if (!trace->has_clock)
		return 0;
	ev.ns = event_ns(msg);
	if (take_time(f, s, ev.ns))
		return -1;
	if (!f->teller.cb->on_user_event)
		return 0;
	decode_user_event(bt_message_event_borrow_event_const(msg), &ev);
	return f->teller.cb->on_user_event(f->teller.cb->ctx, trace, &ev);
}

static int on_event(struct messages *f, const bt_message *msg)
{
	const bt_event *event = bt_message_event_borrow_event_const(msg);
	struct message_stream *s = stream_of(f, bt_event_borrow_stream_const(event));

	if (f->stopped)
		return -1;
	tell_met(&f->teller, &s->told);
	if (tell_is_endless(&f->teller)) {
		f->stopped = true;
		return -1;
	}
	if (!s->told.trace->is_kernel)
		return on_user_event(f, s, msg);
	f->is_decoded = decode_event(&f->decoder, event, &f->teller.ev);
	tell_time(&f->teller, &s->told, event_ns(msg));
	if (take_time(f, s, f->teller.ev.ns))
		return -1;
	return f->is_decoded ? tell_event(&f->teller, &s->told) : 0;
}

static int on_lost_packets(struct messages *f, const bt_message *msg)
{
	const bt_stream *bt = bt_message_discarded_packets_borrow_stream_const(msg);
	struct message_stream *s = stream_of(f, bt);
	bool has_times = bt_stream_class_discarded_packets_have_default_clock_snapshots(
		bt_stream_borrow_class_const(bt));
	struct loss loss = {.packets = true};

	if (f->stopped)
		return -1;
	if (has_times) {
		loss.begin = snapshot_ns(
			bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
				msg));
		loss.end = snapshot_ns(
			bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(msg));
		if (take_time(f, s, loss.begin))
			return -1;
	}
	if (bt_message_discarded_packets_get_count(msg, &loss.count) !=
	    BT_PROPERTY_AVAILABILITY_AVAILABLE)
		loss.count = 0;
	return tell_loss(&f->teller, &s->told, &loss, has_times);
}

static int on_lost_events(struct messages *f, const bt_message *msg)
{
	const bt_stream *bt = bt_message_discarded_events_borrow_stream_const(msg);
	struct message_stream *s = stream_of(f, bt);
	bool has_times = bt_stream_class_discarded_events_have_default_clock_snapshots(
		bt_stream_borrow_class_const(bt));
	struct loss loss = {0};

	if (f->stopped)
		return -1;
	if (has_times) {
		loss.begin = snapshot_ns(
			bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
				msg));
		loss.end = snapshot_ns(
			bt_message_discarded_events_borrow_end_default_clock_snapshot_const(msg));
		if (take_time(f, s, loss.begin))
			return -1;
	}
	if (bt_message_discarded_events_get_count(msg, &loss.count) !=
	    BT_PROPERTY_AVAILABILITY_AVAILABLE)
		loss.count = 0;
	return tell_loss(&f->teller, &s->told, &loss, has_times);
}

static int on_stream_end(struct messages *f, const bt_message *msg)
{
	struct message_stream *s = stream_of(f, bt_message_stream_end_borrow_stream_const(msg));

	if (f->stopped)
		return -1;
	tell_stream_end(&s->told);
	return 0;
}

int messages_take(struct messages *f, const bt_message *msg)
{
	f->is_decoded = false;
	switch (bt_message_get_type(msg)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		stream_of(f, bt_message_stream_beginning_borrow_stream_const(msg));
		return f->stopped ? -1 : 0;
	case BT_MESSAGE_TYPE_STREAM_END:
		return on_stream_end(f, msg);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return on_packet_begin(f, msg);
	case BT_MESSAGE_TYPE_PACKET_END:
		return on_packet_end(f, msg);
	case BT_MESSAGE_TYPE_EVENT:
		return on_event(f, msg);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return on_lost_events(f, msg);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return on_lost_packets(f, msg);
	default:
		return 0;
	}
}

bt_graph_simple_sink_component_consume_func_status
messages_next(struct messages *f, bt_message_iterator *iterator,
	      int (*take)(void *data, const bt_message *msg), void *data)
{
	bt_message_array_const msgs;
	uint64_t nr, i;

	switch (bt_message_iterator_next(iterator, &msgs, &nr)) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		break;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_MEMORY_ERROR;
	default:
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
	}
	for (i = 0; i < nr; i++) {
		if (!f->stopped && take(data, msgs[i]))
			f->stopped = true;
		bt_message_put_ref(msgs[i]);
	}
	return f->stopped ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR
			  : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

void messages_free(struct messages *f)
{
	struct message_stream *s;
	size_t pos = 0;

	while ((s = hash_next(&f->streams, &pos))) {
		bt_stream_put_ref(s->bt);
		free(s);
	}
	hash_free(&f->streams);
	decoder_free(&f->decoder);
}

void trace_info_free(struct trace_info *t)
{
	size_t k;

	for (k = 0; k < t->nr_problems; k++) {
		free(t->problems[k].wanted);
		free(t->problems[k].saw);
	}
	free(t->problems);
	free(t->path);
	free(t->hostname);
	free(t->session);
	free(t->domain);
}
