/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <babeltrace2/babeltrace.h>

#include "decode.h"
#include "progress.h"
#include "reader-find.h"
#include "reader-range.h"
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
	bt_message_iterator *iterator;
	uint64_t nr_events;
	const struct trace_info *failed; /* the trace that could not be opened */
	bool stopped;			 /* by a callback, which printed why */
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

static int library_error(const struct reading *rd, const char *what)
{
	const bt_error *err = bt_current_thread_take_error();
	const struct trace_info *t = rd->failed ? rd->failed : &rd->reader->traces[0];
	char *path = text_escape(t->path), *why;

	why = text_escape(
		err && bt_error_get_cause_count(err)
			? bt_error_cause_get_message(bt_error_borrow_cause_by_index(err, 0))
			: "no reason given");
	error("%s trace=%s%s reason=\"%s\"", what, path,
	      !rd->failed && rd->reader->nr_traces > 1 ? " (or another one given)" : "", why);
	if (err)
		bt_error_release(err);
	free(path);
	free(why);
	return -1;
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

static bt_graph_simple_sink_component_initialize_func_status
sink_init(bt_message_iterator *iterator, void *data)
{
	((struct reading *)data)->iterator = iterator;
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_INITIALIZE_FUNC_STATUS_OK;
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

struct graph {
	bt_graph *bt;
	const bt_plugin *ctf, *utils;
	const bt_component_class_source *fs;
	const bt_component_filter *muxer;
	const bt_component_sink *sink;
	uint64_t nr_muxer_inputs;
	uint64_t begin, end;
};

static bt_value *source_params(const struct trace_info *t, size_t number)
{
	bt_value *params = bt_value_map_create(), *inputs = NULL;
	char *name = xasprintf("#%zu", number);
	bool ok;

	ok = params &&
	     bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) ==
		     BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	     bt_value_array_append_string_element(inputs, t->path) ==
		     BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
	     bt_value_map_insert_string_entry(params, "trace-name", name) ==
		     BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	     bt_value_map_insert_bool_entry(params, "force-clock-class-origin-unix-epoch",
					    BT_TRUE) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
	free(name);
	if (ok)
		return params;
	bt_value_put_ref(params);
	return NULL;
}

static int connect_source(struct graph *g, const bt_component_source *source)
{
	uint64_t i, nr = bt_component_source_get_output_port_count(source);

	for (i = 0; i < nr; i++) {
		const bt_port_output *out =
			bt_component_source_borrow_output_port_by_index_const(source, i);
		const bt_port_input *in = bt_component_filter_borrow_input_port_by_index_const(
			g->muxer, g->nr_muxer_inputs++);

		if (bt_graph_connect_ports(g->bt, out, in, NULL) !=
		    BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return -1;
	}
	return 0;
}

static int add_source(struct graph *g, const struct trace_info *t, size_t number)
{
	const bt_component_source *source;
	bt_value *params = source_params(t, number);
	char *name = xasprintf("source%zu", number);
	int ret = -1;

	if (params &&
	    bt_graph_add_source_component(g->bt, g->fs, name, params, BT_LOGGING_LEVEL_NONE,
					  &source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		ret = connect_source(g, source);
		if (!ret && progress_wanted())
			reader_range(g->fs, params, &g->begin, &g->end);
	}
	if (params)
		bt_value_put_ref(params);
	free(name);
	return ret;
}

static int add_muxer_and_sink(struct graph *g, struct reading *rd)
{
	const bt_component_class_filter *muxer;

	muxer = bt_plugin_borrow_filter_component_class_by_name_const(g->utils, "muxer");
	if (!muxer ||
	    bt_graph_add_filter_component(g->bt, muxer, "muxer", NULL, BT_LOGGING_LEVEL_NONE,
					  &g->muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK ||
	    bt_graph_add_simple_sink_component(g->bt, "sink", sink_init, sink_consume, NULL, rd,
					       &g->sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return -1;
	return 0;
}

static int find_plugins(struct graph *g)
{
	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &g->ctf) !=
		    BT_PLUGIN_FIND_STATUS_OK ||
	    bt_plugin_find("utils", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &g->utils) !=
		    BT_PLUGIN_FIND_STATUS_OK)
		return error("The plug-ins ctf and utils of libbabeltrace2 are missing; install"
			     " the package libbabeltrace2-0. plugin_path=%s",
			     getenv("BABELTRACE_PLUGIN_PATH") ? getenv("BABELTRACE_PLUGIN_PATH")
							      : "default");
	g->fs = bt_plugin_borrow_source_component_class_by_name_const(g->ctf, "fs");
	return g->fs ? 0 : error("libbabeltrace2 cannot read CTF. missing=source.ctf.fs");
}

static int build(struct graph *g, struct reading *rd)
{
	size_t i;

	if (find_plugins(g))
		return -1;
	g->bt = bt_graph_create(0);
	if (!g->bt || add_muxer_and_sink(g, rd))
		return library_error(rd, "The trace reader cannot be set up.");
	for (i = 0; i < rd->reader->nr_traces; i++)
		if (add_source(g, &rd->reader->traces[i], i)) {
			rd->failed = &rd->reader->traces[i];
			return library_error(
				rd, "The trace cannot be opened: it is damaged, cut off, or"
				    " still being recorded.");
		}
	if (!g->nr_muxer_inputs)
		return no_events(rd->reader);
	if (bt_graph_connect_ports(
		    g->bt, bt_component_filter_borrow_output_port_by_index_const(g->muxer, 0),
		    bt_component_sink_borrow_input_port_by_index_const(g->sink, 0),
		    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
		return library_error(rd, "The trace reader cannot be set up.");
	return 0;
}

static int run(struct graph *g, struct reading *rd)
{
	bt_graph_run_status status;

	progress_start(g->begin, g->end);
	do {
		status = bt_graph_run(g->bt);
	} while (status == BT_GRAPH_RUN_STATUS_AGAIN);
	progress_end();
	if (status == BT_GRAPH_RUN_STATUS_OK)
		return 0;
	if (!rd->stopped)
		return library_error(rd, "The trace cannot be read to its end;"
					 " it is cut off or damaged.");
	bt_current_thread_clear_error();
	return -1;
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
	struct graph g = {0};
	int ret;

	if (reader_find(r, paths, nr_paths))
		return -1;
	guard(true);
	ret = build(&g, &rd);
	if (!ret)
		ret = run(&g, &rd);
	reading_free(&rd);
	bt_graph_put_ref(g.bt);
	bt_plugin_put_ref(g.ctf);
	bt_plugin_put_ref(g.utils);
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
