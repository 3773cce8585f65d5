/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include <babeltrace2/babeltrace.h>

#include "messages.h"
#include "metadata.h"
#include "base/progress.h"
#include "reader-changed.h"
#include "reader-find.h"
#include "reader-graph.h"
#include "base/text.h"
#include "trace/ctf/native.h"
#include "base/util.h"

struct reading {
	struct reader *reader;
	struct messages messages;
};

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

struct trace_info *reader_trace(void *reader, const bt_trace *trace)
{
	struct reader *r = reader;
	const char *name = bt_trace_get_name(trace);
	const char *mark = name ? strrchr(name, '#') : NULL;
	size_t i = mark ? strtoul(mark + 1, NULL, 10) : 0;

	return &r->traces[i < r->nr_traces ? i : 0];
}

static int take(void *data, const bt_message *msg)
{
	struct reading *rd = data;

	return messages_take(&rd->messages, msg);
}

static bt_graph_simple_sink_component_consume_func_status
sink_consume(bt_message_iterator *iterator, void *data)
{
	bt_graph_simple_sink_component_consume_func_status status;
	struct reading *rd = data;

	status = messages_next(&rd->messages, iterator, take, rd);
	if (status == BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK)
		progress_at(rd->messages.teller.nr_events, rd->messages.teller.ev.ns);
	return status;
}

int reader_check(const struct reader *r)
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

static int add_sink(struct graph *g, const bt_port_output *from)
{
	const bt_component_sink *sink;

	if (bt_graph_add_simple_sink_component(g->bt, "sink", NULL, sink_consume, NULL, g->data,
					       &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return -1;
	return bt_graph_connect_ports(
		g->bt, from, bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL);
}

static int library_run(struct reader *r, const struct reader_callbacks *cb)
{
	struct reading rd = {
		.reader = r,
		.messages = {.teller = {.cb = cb}, .trace_of = reader_trace, .ctx = r}};
	struct graph g = {.reader = r, .add_sink = add_sink, .data = &rd};
	int ret;

	graph_guard(true);
	ret = graph_build(&g);
	if (!ret && g.nr_streams)
		ret = graph_run(&g, &rd.messages.stopped);
	if (rd.messages.back_in)
		graph_went_back(rd.messages.back_in);
	if (!ret)
		ret = changed_check(r);
	messages_free(&rd.messages);
	graph_free(&g);
	graph_guard(false);
	return ret;
}

static enum reader_kind chosen = READER_EITHER;

void reader_choose(enum reader_kind kind)
{
	chosen = kind;
}

static bool any_is_ctf2(const struct reader *r)
{
	bool is_ctf2 = false;
	size_t i;

	for (i = 0; i < r->nr_traces && !is_ctf2; i++) {
		char *path = xasprintf("%s/metadata", r->traces[i].path);

		is_ctf2 = metadata_is_ctf2(path);
		free(path);
	}
	return is_ctf2;
}

/* What the library cannot read, before 2.1, is not left to it, unless it was asked for. */
static enum reader_kind kind_for(const struct reader *r)
{
	bool knows_ctf2 = bt_version_get_major() > 2 || bt_version_get_minor() > 0;

	return chosen == READER_EITHER && !knows_ctf2 && any_is_ctf2(r) ? READER_NATIVE : chosen;
}

/* What our own reader does not know, the library may; and if not, it is the one to say so. */
static int run_either(struct reader *r, const struct reader_callbacks *cb, enum reader_kind kind)
{
	char *reason = NULL;
	int ret = -1;

	switch (native_run(r, cb, &reason)) {
	case NATIVE_DONE:
		return reader_check(r);
	case NATIVE_FAILED:
		return -1;
	case NATIVE_REFUSED:
		break;
	}
	if (kind == READER_NATIVE)
		error("The native reader cannot open the trace: it is damaged, cut off, or of a"
		      " kind that only --reader babeltrace knows. %s",
		      reason);
	else if (!library_run(r, cb) && !reader_check(r))
		ret = 0;
	if (!ret)
		note("The trace was read with libbabeltrace2, which is slower, as the native"
		     " reader does not know it. %s",
		     reason);
	free(reason);
	return ret;
}

int reader_run(struct reader *r, char *const *paths, size_t nr_paths,
	       const struct reader_callbacks *cb)
{
	enum reader_kind kind;

	if (reader_find(r, paths, nr_paths))
		return -1;
	kind = kind_for(r);
	if (kind != READER_BABELTRACE)
		return run_either(r, cb, kind);
	return library_run(r, cb) ? -1 : reader_check(r);
}
