/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_FEED_H
#define LC_FEED_H

#include <babeltrace2/babeltrace.h>

#include "decode.h"
#include "base/hash.h"
#include "reader.h"

/* Turns messages of libbabeltrace2, in order of time, into calls of the reader's callbacks. */

struct feed_stream {
	const bt_stream *bt; /* a reference, so that its address is not reused */
	struct trace_info *trace;
	int cpu;	  /* -1 if not known */
	bool has_events;  /* in the current packet */
	bool has_time;	  /* its first event's was taken */
	bool packets_end; /* at a time that is told */
	bool may_switch;  /* sched_switch is recorded in it */
	/* Lost in the first packet, and so before the CPU was known. */
	bool has_early_loss;
	struct loss early_loss;
	uint64_t missing_until;	  /* its first packets are missing, up to then; 0: they are not */
	int first_cpu;		  /* of its first packet; -1: not known, or none is missing */
	uint64_t end;		  /* of its last packet, ns since the epoch; 0: not told */
	struct feed_stream *next; /* of those in feed.ended */
};

struct feed {
	/* Set these first; the rest begins as zero. */
	const struct reader_callbacks *cb;
	struct trace_info *(*trace_of)(void *ctx, const bt_trace *trace);
	void *ctx;	 /* of trace_of */
	bool wants_time; /* the time of events that the program does not use, too */

	struct hash streams;
	struct feed_stream *last;  /* of the last message that has one */
	struct feed_stream *ended; /* those that have no more packets, while their trace goes on */
	struct decoder decoder;
	uint64_t nr_events;
	bool stopped;	 /* by a callback, which printed why */
	bool is_decoded; /* the last message was an event that the program uses; it is in ev */
	struct event ev;
};

/* Returns 0, or another number if a callback ended the reading. */
int feed_message(struct feed *f, const bt_message *msg);
/*
 * What the sink of a graph does: gives take(), with @data, the messages that come
 * next. Another number than 0 from it ends the reading.
 */
bt_graph_simple_sink_component_consume_func_status
feed_next(struct feed *f, bt_message_iterator *iterator,
	  int (*take)(void *data, const bt_message *msg), void *data);
void feed_free(struct feed *f);

#endif
