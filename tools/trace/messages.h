/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_MESSAGES_H
#define LC_MESSAGES_H

#include <babeltrace2/babeltrace.h>

#include "decode.h"
#include "base/hash.h"
#include "reader.h"
#include "tell.h"

/* Turns messages of libbabeltrace2, in order of time, into calls of the reader's callbacks. */

struct message_stream {
	const bt_stream *bt; /* a reference, so that its address is not reused */
	struct told told;
};

struct messages {
	/* Set these first; the rest begins as zero. */
	struct telling teller; /* its callbacks */
	struct trace_info *(*trace_of)(void *ctx, const bt_trace *trace);
	void *ctx;	  /* of trace_of */
	bool is_live;	  /* what streams are called is no file's name */
	bool may_go_back; /* the clock; a live session's may, too */

	struct hash streams;
	uint64_t ns;	     /* of the last message that has a time */
	const char *back_in; /* the path of the trace whose clock went back: that ended it */
	struct message_stream *last; /* of the last message that has one */
	struct decoder decoder;
	bool stopped;	 /* by a callback, which printed why, or where the clock went back */
	bool is_decoded; /* the last message was an event that the program uses; it is the teller's
			  */
};

/* Returns 0, or another number if a callback ended the reading, or see back_in. */
int messages_take(struct messages *f, const bt_message *msg);
/*
 * What the sink of a graph does: gives take(), with @data, the messages that come
 * next. Another number than 0 from it ends the reading.
 */
bt_graph_simple_sink_component_consume_func_status
messages_next(struct messages *f, bt_message_iterator *iterator,
	      int (*take)(void *data, const bt_message *msg), void *data);
void messages_free(struct messages *f);

#endif
