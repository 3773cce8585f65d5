/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "feed.h"
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

static bool offers_any(const struct trace_info *t)
{
	enum event_kind k;

	for (k = 0; k < EV_NR; k++)
		if (t->offers[k])
			return true;
	return false;
}

static int first_sight(struct feed *f, struct trace_info *t, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	const bt_stream_class *sc = bt_stream_borrow_class_const(stream);
	const bt_clock_class *cc = bt_stream_class_borrow_default_clock_class_const(sc);
	char *name = env_text(trace, "trace_name");
	char *created = env_text(trace, "trace_creation_datetime");

	t->seen = true;
	t->hostname = env_text(trace, "hostname");
	t->domain = env_text(trace, "domain");
	t->session = xasprintf("%s%s%s", name, *name && *created ? " " : "", created);
	free(name);
	free(created);
	if (cc)
		read_clock(t, cc);
	decode_trace_class(t, bt_trace_borrow_class_const(trace));
	t->has_clock = cc;
	t->is_kernel = cc && (*t->domain ? !strcmp(t->domain, "kernel") : offers_any(t));
	return t->is_kernel ? f->cb->on_trace(f->cb->ctx, t) : 0;
}

/*
 * What the tracer overwrote, or a reader never got, before the first packet that there is, is
 * told by its number alone: the library takes no notice. Returns the end of that, or 0.
 */
static uint64_t missing_until(struct feed_stream *s)
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
	s->first_cpu = cpu_of_trace(first.cpu);
	return ns > 0 ? (uint64_t)ns : 0;
}

/* The trace begins with its first packet; other streams of it may lack what they had then. */
static int tell_missing_begins(struct feed *f, struct trace_info *trace, uint64_t begin)
{
	struct feed_stream *s;
	size_t pos = 0;
	int ret = 0;

	trace->has_begun = true;
	while (!ret && (s = hash_next(&f->streams, &pos))) {
		struct loss loss = {.cpu = s->first_cpu,
				    .may_switch = s->may_switch,
				    .packets = true,
				    .begin = begin,
				    .end = s->missing_until,
				    .trace = trace->path};

		if (s->trace == trace && s->missing_until > begin)
			ret = f->cb->on_loss(f->cb->ctx, trace, &loss);
	}
	return ret;
}

static struct feed_stream *stream_of(struct feed *f, const bt_stream *bt)
{
	struct feed_stream *s;

	if (f->last && f->last->bt == bt)
		return f->last;
	s = hash_get(&f->streams, (uintptr_t)bt);
	if (!s) {
		s = xcalloc(1, sizeof(*s));
		bt_stream_get_ref(bt);
		s->bt = bt;
		s->cpu = -1;
		s->packets_end = bt_stream_class_packets_have_end_default_clock_snapshot(
			bt_stream_borrow_class_const(bt));
		s->may_switch = stream_class_offers(bt_stream_borrow_class_const(bt), EV_SWITCH);
		f->decoder.wants = f->cb->wants;
		s->trace = f->trace_of(f->ctx, bt_stream_borrow_trace_const(bt));
		hash_put(&f->streams, (uintptr_t)bt, s);
		if (!s->trace->seen && first_sight(f, s->trace, bt))
			f->stopped = true;
		s->missing_until = s->trace->is_kernel ? missing_until(s) : 0;
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

/* At a time that is told. */
static bool packets_begin(const struct feed_stream *s)
{
	return bt_stream_class_packets_have_beginning_default_clock_snapshot(
		bt_stream_borrow_class_const(s->bt));
}

static uint64_t packet_begin(const bt_message *msg)
{
	return snapshot_ns(bt_message_packet_beginning_borrow_default_clock_snapshot_const(msg));
}

static int on_first_packet(struct feed *f, struct feed_stream *s, const bt_message *msg)
{
	uint64_t ns = 0;
	int ret = 0;

	if (!s->trace->is_kernel)
		return 0;
	if (packets_begin(s))
		ns = packet_begin(msg);
	if (f->cb->on_cpu && s->may_switch)
		ret = f->cb->on_cpu(f->cb->ctx, s->trace, s->cpu, ns);
	if (!ret && s->has_early_loss) {
		s->early_loss.cpu = s->cpu;
		ret = f->cb->on_loss(f->cb->ctx, s->trace, &s->early_loss);
	}
	return ret;
}

static int on_packet_begin(struct feed *f, const bt_message *msg)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(msg);
	struct feed_stream *s = stream_of(f, bt_packet_borrow_stream_const(packet));
	bool first = s->cpu < 0;

	s->has_events = false;
	s->cpu = cpu_of_packet(packet);
	if (f->stopped || (s->trace->is_kernel && !s->trace->has_begun && packets_begin(s) &&
			   tell_missing_begins(f, s->trace, packet_begin(msg))))
		return -1;
	return first && s->cpu >= 0 ? on_first_packet(f, s, msg) : 0;
}

/*
 * Buffers are made before tracing starts, and flushed again after it: only a
 * packet with events vouches that tracing was on up to its end.
 */
static void on_packet_end(struct feed *f, const bt_message *msg)
{
	const bt_packet *packet = bt_message_packet_end_borrow_packet_const(msg);
	struct feed_stream *s = stream_of(f, bt_packet_borrow_stream_const(packet));

	if (!s->packets_end)
		return;
	s->end = snapshot_ns(bt_message_packet_end_borrow_default_clock_snapshot_const(msg));
	if (s->has_events)
		trace_extend(s->trace, s->end);
}

static void on_stream_end(struct feed *f, struct feed_stream *s)
{
	if (f->stopped || !s->trace->is_kernel || !s->end)
		return;
	s->next = f->ended;
	f->ended = s;
}

/*
 * Whoever records flushes all buffers at the end. If others go on after the last packet of a
 * stream, what followed there was lost: its reader was killed, or no sub-buffer was left.
 */
static int tell_missing_ends(struct feed *f, const struct trace_info *trace, uint64_t now)
{
	struct feed_stream **at = &f->ended, *s;
	int ret = 0;

	while (!ret && (s = *at)) {
		struct loss loss = {.cpu = s->cpu,
				    .may_switch = s->may_switch,
				    .packets = true,
				    .begin = s->end,
				    .end = UINT64_MAX,
				    .trace = s->trace->path};

		if (s->trace != trace || s->end >= now) {
			at = &s->next;
			continue;
		}
		*at = s->next;
		ret = f->cb->on_loss(f->cb->ctx, s->trace, &loss);
	}
	return ret;
}

static int on_user_event(struct feed *f, struct trace_info *trace, const bt_message *msg)
{
	struct user_event ev;

	if (!trace->has_clock)
		return 0;
	ev.ns = snapshot_ns(bt_message_event_borrow_default_clock_snapshot_const(msg));
	decode_user_event(bt_message_event_borrow_event_const(msg), &ev);
	return f->cb->on_user_event(f->cb->ctx, trace, &ev);
}

static int on_event(struct feed *f, const bt_message *msg)
{
	const bt_event *event = bt_message_event_borrow_event_const(msg);
	struct feed_stream *s = stream_of(f, bt_event_borrow_stream_const(event));
	struct event *ev = &f->ev;

	if (f->stopped)
		return -1;
	f->nr_events++;
	s->trace->nr_events++;
	s->has_events = true;
	if (!s->trace->is_kernel)
		return f->cb->on_user_event ? on_user_event(f, s->trace, msg) : 0;
	f->is_decoded = decode_event(&f->decoder, event, ev);
	/* Most events are of no use, and the end of their packet tells the time, too. */
	if (f->is_decoded || f->wants_time || !s->has_time || !s->packets_end) {
		ev->ns = snapshot_ns(bt_message_event_borrow_default_clock_snapshot_const(msg));
		trace_extend(s->trace, ev->ns);
		s->trace->last = ev->ns;
		s->has_time = true;
	}
	if (!f->is_decoded)
		return 0;
	if (f->ended && tell_missing_ends(f, s->trace, ev->ns))
		return -1;
	ev->cpu = s->cpu;
	ev->trace = s->trace->path;
	return f->cb->on_event(f->cb->ctx, s->trace, ev);
}

static int on_loss(struct feed *f, const bt_message *msg, bool packets)
{
	const bt_stream *bt = packets ? bt_message_discarded_packets_borrow_stream_const(msg)
				      : bt_message_discarded_events_borrow_stream_const(msg);
	struct feed_stream *s = stream_of(f, bt);
	const bt_stream_class *sc = bt_stream_borrow_class_const(bt);
	struct loss loss = {.cpu = s->cpu,
			    .may_switch = s->may_switch,
			    .packets = packets,
			    .trace = s->trace->path,
			    .begin = s->trace->begin,
			    .end = UINT64_MAX};

	if (f->stopped || !s->trace->is_kernel)
		return f->stopped ? -1 : 0;
	if (packets) {
		if (bt_stream_class_discarded_packets_have_default_clock_snapshots(sc)) {
			loss.begin = snapshot_ns(
				bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
					msg));
			loss.end = snapshot_ns(
				bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(
					msg));
		}
		if (bt_message_discarded_packets_get_count(msg, &loss.count) !=
		    BT_PROPERTY_AVAILABILITY_AVAILABLE)
			loss.count = 0;
	} else {
		if (bt_stream_class_discarded_events_have_default_clock_snapshots(sc)) {
			loss.begin = snapshot_ns(
				bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
					msg));
			loss.end = snapshot_ns(
				bt_message_discarded_events_borrow_end_default_clock_snapshot_const(
					msg));
		}
		if (bt_message_discarded_events_get_count(msg, &loss.count) !=
		    BT_PROPERTY_AVAILABILITY_AVAILABLE)
			loss.count = 0;
	}
	if (s->cpu < 0 && !s->has_early_loss) {
		s->has_early_loss = true;
		s->early_loss = loss;
		return 0;
	}
	return f->cb->on_loss(f->cb->ctx, s->trace, &loss);
}

int feed_message(struct feed *f, const bt_message *msg)
{
	f->is_decoded = false;
	switch (bt_message_get_type(msg)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		stream_of(f, bt_message_stream_beginning_borrow_stream_const(msg));
		return f->stopped ? -1 : 0;
	case BT_MESSAGE_TYPE_STREAM_END:
		on_stream_end(f, stream_of(f, bt_message_stream_end_borrow_stream_const(msg)));
		return f->stopped ? -1 : 0;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return on_packet_begin(f, msg);
	case BT_MESSAGE_TYPE_PACKET_END:
		on_packet_end(f, msg);
		return 0;
	case BT_MESSAGE_TYPE_EVENT:
		return on_event(f, msg);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return on_loss(f, msg, false);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return on_loss(f, msg, true);
	default:
		return 0;
	}
}

bt_graph_simple_sink_component_consume_func_status
feed_next(struct feed *f, bt_message_iterator *iterator,
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

void feed_free(struct feed *f)
{
	struct feed_stream *s;
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
