/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <babeltrace2/babeltrace.h>

#include "decode.h"
#include "progress.h"
#include "reader-find.h"
#include "reader-graph.h"
#include "text.h"
#include "util.h"

struct stream {
	const bt_stream *bt; /* a reference, so that its address is not reused */
	struct trace_info *trace;
	int cpu;
	bool has_events; /* in the current packet */
};

struct reading {
	struct reader *reader;
	const struct reader_callbacks *cb;
	struct hash streams;
	struct stream *last;
	struct decoder decoder;
	uint64_t nr_events;
	bool stopped; /* by a callback, which printed why */
	struct event ev;
};

/*
 * libbabeltrace2 aborts on some damaged traces, and a file that shrinks while
 * it is mapped raises SIGBUS. Neither can be caught but here.
 */
static void on_library_death(int sig)
{
	static const char text[] =
		"lttng-containers: The trace cannot be read: libbabeltrace2 gave up on it."
		" It is damaged, or is still being written.\n";

	(void)sig;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(2);
	_exit(2);
}

static void guard(bool on)
{
	struct sigaction sa = {.sa_handler = on ? on_library_death : SIG_DFL};

	sigaction(SIGABRT, &sa, NULL);
	sigaction(SIGBUS, &sa, NULL);
}

static int no_events(const struct reader *r)
{
	char *path = text_escape(r->traces[0].path);

	error("The trace holds no events; was tracing started, and stopped or destroyed before"
	      " the trace was copied? trace=%s",
	      path);
	free(path);
	return -1;
}

static int not_kernel(const struct trace_info *t)
{
	char *path = text_escape(t->path), *domain = text_escape(t->domain);

	error("This is not a kernel trace of LTTng; give one that was recorded with"
	      " lttng enable-event -k. trace=%s domain=%s",
	      path, *domain ? domain : "unknown");
	free(path);
	free(domain);
	return -1;
}

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
		snprintf(t->boot_id, sizeof(t->boot_id),
			 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
			 u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11],
			 u[12], u[13], u[14], u[15]);
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

static int first_sight(struct reading *rd, struct trace_info *t, const bt_stream *stream)
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
	t->is_kernel = cc && (*t->domain ? !strcmp(t->domain, "kernel") : offers_any(t));
	return t->is_kernel ? rd->cb->on_trace(rd->cb->ctx, t) : 0;
}

/* Each source was given a name that ends in the number of its trace. */
static struct trace_info *trace_of(struct reading *rd, const bt_stream *stream)
{
	const char *name = bt_trace_get_name(bt_stream_borrow_trace_const(stream));
	const char *mark = name ? strrchr(name, '#') : NULL;
	size_t i = mark ? strtoul(mark + 1, NULL, 10) : 0;

	return &rd->reader->traces[i < rd->reader->nr_traces ? i : 0];
}

static struct stream *stream_of(struct reading *rd, const bt_stream *bt)
{
	struct stream *s;

	if (rd->last && rd->last->bt == bt)
		return rd->last;
	s = hash_get(&rd->streams, (uintptr_t)bt);
	if (!s) {
		s = xcalloc(1, sizeof(*s));
		bt_stream_get_ref(bt);
		s->bt = bt;
		s->cpu = -1;
		s->trace = trace_of(rd, bt);
		hash_put(&rd->streams, (uintptr_t)bt, s);
		if (!s->trace->seen && first_sight(rd, s->trace, bt))
			rd->stopped = true;
	}
	rd->last = s;
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

static void extend(struct trace_info *t, uint64_t ns)
{
	if (!t->begin || ns < t->begin)
		t->begin = ns;
	if (ns > t->end)
		t->end = ns;
}

static void on_packet_begin(struct reading *rd, const bt_message *msg)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(msg);
	struct stream *s = stream_of(rd, bt_packet_borrow_stream_const(packet));
	const bt_field *context = bt_packet_borrow_context_field_const(packet), *cpu;

	s->has_events = false;
	if (!context)
		return;
	cpu = bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id");
	if (cpu && bt_field_class_type_is(bt_field_get_class_type(cpu),
					  BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		s->cpu = (int)bt_field_integer_unsigned_get_value(cpu);
}

/*
 * Buffers are made before tracing starts, and flushed again after it: only a
 * packet with events vouches that tracing was on up to its end.
 */
static void on_packet_end(struct reading *rd, const bt_message *msg)
{
	const bt_packet *packet = bt_message_packet_end_borrow_packet_const(msg);
	struct stream *s = stream_of(rd, bt_packet_borrow_stream_const(packet));

	if (s->has_events && bt_stream_class_packets_have_end_default_clock_snapshot(
				     bt_stream_borrow_class_const(s->bt)))
		extend(s->trace,
		       snapshot_ns(bt_message_packet_end_borrow_default_clock_snapshot_const(msg)));
}

static int on_event(struct reading *rd, const bt_message *msg)
{
	const bt_event *event = bt_message_event_borrow_event_const(msg);
	struct stream *s = stream_of(rd, bt_event_borrow_stream_const(event));
	struct event *ev = &rd->ev;

	if (rd->stopped)
		return -1;
	rd->nr_events++;
	s->trace->nr_events++;
	s->has_events = true;
	if (!s->trace->is_kernel)
		return 0;
	ev->ns = snapshot_ns(bt_message_event_borrow_default_clock_snapshot_const(msg));
	extend(s->trace, ev->ns);
	if (!decode_event(&rd->decoder, event, ev))
		return 0;
	ev->cpu = s->cpu;
	ev->trace = s->trace->path;
	return rd->cb->on_event(rd->cb->ctx, s->trace, ev);
}

static int on_loss(struct reading *rd, const bt_message *msg, bool packets)
{
	const bt_stream *bt = packets ? bt_message_discarded_packets_borrow_stream_const(msg)
				      : bt_message_discarded_events_borrow_stream_const(msg);
	struct stream *s = stream_of(rd, bt);
	const bt_stream_class *sc = bt_stream_borrow_class_const(bt);
	struct loss loss = {.cpu = s->cpu,
			    .packets = packets,
			    .trace = s->trace->path,
			    .begin = s->trace->begin,
			    .end = UINT64_MAX};

	if (rd->stopped || !s->trace->is_kernel)
		return rd->stopped ? -1 : 0;
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
	return rd->cb->on_loss(rd->cb->ctx, s->trace, &loss);
}

static int on_message(struct reading *rd, const bt_message *msg)
{
	switch (bt_message_get_type(msg)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		stream_of(rd, bt_message_stream_beginning_borrow_stream_const(msg));
		return rd->stopped ? -1 : 0;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		on_packet_begin(rd, msg);
		return rd->stopped ? -1 : 0;
	case BT_MESSAGE_TYPE_PACKET_END:
		on_packet_end(rd, msg);
		return 0;
	case BT_MESSAGE_TYPE_EVENT:
		return on_event(rd, msg);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return on_loss(rd, msg, false);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return on_loss(rd, msg, true);
	default:
		return 0;
	}
}

static bt_graph_simple_sink_component_consume_func_status
sink_consume(bt_message_iterator *iterator, void *data)
{
	struct reading *rd = data;
	bt_message_array_const msgs;
	uint64_t nr, i;
	int ret = 0;

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
		if (!ret)
			ret = on_message(rd, msgs[i]);
		bt_message_put_ref(msgs[i]);
	}
	if (ret)
		rd->stopped = true;
	progress_at(rd->nr_events, rd->ev.ns);
	return ret ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR
		   : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

static void reading_free(struct reading *rd)
{
	struct stream *s;
	size_t pos = 0;

	while ((s = hash_next(&rd->streams, &pos))) {
		bt_stream_put_ref(s->bt);
		free(s);
	}
	hash_free(&rd->streams);
	decoder_free(&rd->decoder);
}

/* A trace that says nothing is an error: a report about it would look like a good one. */
static int check_result(const struct reader *r)
{
	const struct trace_info *other = NULL;
	size_t i;

	for (i = 0; i < r->nr_traces; i++) {
		const struct trace_info *t = &r->traces[i];

		if (t->seen && t->is_kernel && t->nr_events)
			return 0;
		if (t->seen && !t->is_kernel)
			other = t;
	}
	return other ? not_kernel(other) : no_events(r);
}

int reader_run(struct reader *r, char *const *paths, size_t nr_paths,
	       const struct reader_callbacks *cb)
{
	struct reading rd = {.reader = r, .cb = cb};
	struct graph g = {.reader = r};
	int ret;

	if (reader_find(r, paths, nr_paths))
		return -1;
	guard(true);
	ret = graph_build(&g, sink_consume, &rd);
	if (!ret && !g.nr_streams)
		ret = no_events(r);
	if (!ret)
		ret = graph_run(&g, &rd.stopped);
	reading_free(&rd);
	graph_free(&g);
	guard(false);
	return ret ? ret : check_result(r);
}

void reader_free(struct reader *r)
{
	size_t i, k;

	for (i = 0; i < r->nr_traces; i++) {
		struct trace_info *t = &r->traces[i];

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
	free(r->traces);
	*r = (struct reader){0};
}
