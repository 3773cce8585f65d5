/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "copy-field.h"
#include "enrich-int.h"

static uint64_t cycles(const bt_clock_snapshot *snapshot)
{
	return bt_clock_snapshot_get_value(snapshot);
}

static bt_message *copy_stream_beginning(struct enricher *e, const bt_message *msg)
{
	struct stream_copy *s =
		copy_of_stream(&e->copies, bt_message_stream_beginning_borrow_stream_const(msg));
	bt_message *copy = s ? bt_message_stream_beginning_create(e->self, s->to) : NULL;
	const bt_clock_snapshot *at;

	if (copy &&
	    bt_stream_class_borrow_default_clock_class_const(
		    bt_stream_borrow_class_const(s->from)) &&
	    bt_message_stream_beginning_borrow_default_clock_snapshot_const(msg, &at) ==
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN)
		bt_message_stream_beginning_set_default_clock_snapshot(copy, cycles(at));
	return copy;
}

static bt_message *copy_stream_end(struct enricher *e, const bt_message *msg)
{
	struct stream_copy *s =
		copy_of_stream(&e->copies, bt_message_stream_end_borrow_stream_const(msg));
	bt_message *copy = s ? bt_message_stream_end_create(e->self, s->to) : NULL;
	const bt_clock_snapshot *at;

	if (copy &&
	    bt_stream_class_borrow_default_clock_class_const(
		    bt_stream_borrow_class_const(s->from)) &&
	    bt_message_stream_end_borrow_default_clock_snapshot_const(msg, &at) ==
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN)
		bt_message_stream_end_set_default_clock_snapshot(copy, cycles(at));
	return copy;
}

static int new_packet(struct stream_copy *s, const bt_packet *from)
{
	const bt_field *context = bt_packet_borrow_context_field_const(from);

	BT_PACKET_PUT_REF_AND_RESET(s->packet);
	s->packet = bt_packet_create(s->to);
	if (!s->packet)
		return -1;
	return context ? copy_field(context, bt_packet_borrow_context_field(s->packet)) : 0;
}

static bt_message *copy_packet_beginning(struct enricher *e, const bt_message *msg)
{
	const bt_packet *from = bt_message_packet_beginning_borrow_packet_const(msg);
	struct stream_copy *s = copy_of_stream(&e->copies, bt_packet_borrow_stream_const(from));

	if (!s || new_packet(s, from))
		return NULL;
	if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(
		    bt_stream_borrow_class_const(s->from)))
		return bt_message_packet_beginning_create(e->self, s->packet);
	return bt_message_packet_beginning_create_with_default_clock_snapshot(
		e->self, s->packet,
		cycles(bt_message_packet_beginning_borrow_default_clock_snapshot_const(msg)));
}

static bt_message *copy_packet_end(struct enricher *e, const bt_message *msg)
{
	const bt_packet *from = bt_message_packet_end_borrow_packet_const(msg);
	struct stream_copy *s = copy_of_stream(&e->copies, bt_packet_borrow_stream_const(from));
	bt_message *copy;

	if (!s || !s->packet)
		return NULL;
	if (bt_stream_class_packets_have_end_default_clock_snapshot(
		    bt_stream_borrow_class_const(s->from)))
		copy = bt_message_packet_end_create_with_default_clock_snapshot(
			e->self, s->packet,
			cycles(bt_message_packet_end_borrow_default_clock_snapshot_const(msg)));
	else
		copy = bt_message_packet_end_create(e->self, s->packet);
	BT_PACKET_PUT_REF_AND_RESET(s->packet);
	return copy;
}

static bt_message *new_event(struct enricher *e, struct stream_copy *s, const bt_event_class *class,
			     const bt_message *msg)
{
	bool has_clock = bt_stream_class_borrow_default_clock_class_const(
		bt_stream_borrow_class_const(s->from));
	uint64_t at = 0;

	if (has_clock)
		at = cycles(bt_message_event_borrow_default_clock_snapshot_const(msg));
	if (s->packet)
		return has_clock ? bt_message_event_create_with_packet_and_default_clock_snapshot(
					   e->self, class, s->packet, at)
				 : bt_message_event_create_with_packet(e->self, class, s->packet);
	return has_clock ? bt_message_event_create_with_default_clock_snapshot(e->self, class,
									       s->to, at)
			 : bt_message_event_create(e->self, class, s->to);
}

static int copy_part(const bt_field *from, bt_field *to)
{
	return from && to ? copy_field(from, to) : 0;
}

static int fill_event(struct enricher *e, const struct stream_copy *s, const bt_event *from,
		      bt_event *to)
{
	const struct event_task who = enrich_who(e);
	bt_field *context = bt_event_borrow_common_context_field(to);

	if (copy_part(bt_event_borrow_common_context_field_const(from), context) ||
	    copy_part(bt_event_borrow_specific_context_field_const(from),
		      bt_event_borrow_specific_context_field(to)) ||
	    copy_part(bt_event_borrow_payload_field_const(from), bt_event_borrow_payload_field(to)))
		return -1;
	return enrich_fill(&who, context, s->nr_members);
}

static bt_message *copy_event(struct enricher *e, const bt_message *msg)
{
	const bt_event *from = bt_message_event_borrow_event_const(msg);
	struct stream_copy *s = copy_of_stream(&e->copies, bt_event_borrow_stream_const(from));
	const bt_event_class *class =
		s ? copy_of_event_class(&e->copies, bt_event_borrow_class_const(from)) : NULL;
	bt_message *copy = class ? new_event(e, s, class, msg) : NULL;

	if (copy && fill_event(e, s, from, bt_message_event_borrow_event(copy))) {
		bt_message_put_ref(copy);
		return NULL;
	}
	return copy;
}

static bt_message *copy_lost_events(struct enricher *e, const bt_message *msg)
{
	struct stream_copy *s =
		copy_of_stream(&e->copies, bt_message_discarded_events_borrow_stream_const(msg));
	bt_message *copy;
	uint64_t count;

	if (!s)
		return NULL;
	if (bt_stream_class_discarded_events_have_default_clock_snapshots(
		    bt_stream_borrow_class_const(s->from)))
		copy = bt_message_discarded_events_create_with_default_clock_snapshots(
			e->self, s->to,
			cycles(bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
				msg)),
			cycles(bt_message_discarded_events_borrow_end_default_clock_snapshot_const(
				msg)));
	else
		copy = bt_message_discarded_events_create(e->self, s->to);
	if (copy && bt_message_discarded_events_get_count(msg, &count) ==
			    BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_message_discarded_events_set_count(copy, count);
	return copy;
}

static bt_message *copy_lost_packets(struct enricher *e, const bt_message *msg)
{
	struct stream_copy *s =
		copy_of_stream(&e->copies, bt_message_discarded_packets_borrow_stream_const(msg));
	bt_message *copy;
	uint64_t count;

	if (!s)
		return NULL;
	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(
		    bt_stream_borrow_class_const(s->from)))
		copy = bt_message_discarded_packets_create_with_default_clock_snapshots(
			e->self, s->to,
			cycles(bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
				msg)),
			cycles(bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(
				msg)));
	else
		copy = bt_message_discarded_packets_create(e->self, s->to);
	if (copy && bt_message_discarded_packets_get_count(msg, &count) ==
			    BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_message_discarded_packets_set_count(copy, count);
	return copy;
}

static bt_message *copy_inactivity(struct enricher *e, const bt_message *msg)
{
	const bt_clock_snapshot *at =
		bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(msg);
	const bt_clock_class *clock =
		copy_of_clock_class(&e->copies, bt_clock_snapshot_borrow_clock_class_const(at));

	return clock ? bt_message_message_iterator_inactivity_create(e->self, clock, cycles(at))
		     : NULL;
}

const bt_message *enrich_message(struct enricher *e, const bt_message *msg)
{
	switch (bt_message_get_type(msg)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return copy_stream_beginning(e, msg);
	case BT_MESSAGE_TYPE_STREAM_END:
		return copy_stream_end(e, msg);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return copy_packet_beginning(e, msg);
	case BT_MESSAGE_TYPE_PACKET_END:
		return copy_packet_end(e, msg);
	case BT_MESSAGE_TYPE_EVENT:
		return copy_event(e, msg);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return copy_lost_events(e, msg);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return copy_lost_packets(e, msg);
	default:
		return copy_inactivity(e, msg);
	}
}
