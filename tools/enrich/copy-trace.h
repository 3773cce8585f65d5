/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_COPY_TRACE_H
#define LC_COPY_TRACE_H

#include <stdbool.h>

#include "copy-class.h"

/*
 * Copies of traces with all that describes them, whose events' common context
 * has more members. The originals are kept, so that their addresses are not
 * reused.
 */
struct copies {
	/* Set these first; the rest begins as zero. */
	bt_self_component *self;
	/* Appends the members, all whose names the context does not have. Returns 0 or -1. */
	int (*extend)(bt_trace_class *tc, bt_field_class *context);
	/* The names of traces are not copied, and no slashes in what sink.ctf.fs makes names of. */
	bool is_unnamed;

	struct hash clocks, trace_classes, stream_classes, event_classes, traces, streams;
	struct stream_copy *last;
};

struct stream_copy {
	const bt_stream *from;
	bt_stream *to;
	bt_packet *packet; /* the current one; NULL between packets */
	/* Members of the common context that are copied; those behind are added. */
	uint64_t nr_members;
};

/* NULL without memory, or if a field class cannot be copied. */
struct stream_copy *copy_of_stream(struct copies *c, const bt_stream *from);
const bt_event_class *copy_of_event_class(struct copies *c, const bt_event_class *from);
/* That of a stream class that was copied. */
const bt_clock_class *copy_of_clock_class(struct copies *c, const bt_clock_class *from);
void copies_free(struct copies *c);
/*
 * What a copy's metadata, as sink.ctf.fs writes them, say of the uuid of what it is a copy of:
 * UUID_TEXT_MAX - 1 signs, and more behind them. NULL: nothing.
 */
const char *copy_origin(const char *metadata);

#endif
