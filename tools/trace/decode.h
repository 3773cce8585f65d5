/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_DECODE_H
#define LC_DECODE_H

#include <babeltrace2/babeltrace.h>

#include "base/hash.h"
#include "reader.h"

/*
 * Fills in what a trace's class says: the shape, the events it offers, and the
 * needed fields that are missing or of another type.
 */
void decode_trace_class(struct trace_info *trace, const bt_trace_class *tc);

/* Where the fields of an event class are; made once for each class. */
struct binding;

#define DECODER_RECENT 256

struct decoder {
	uint64_t wants; /* of the events on demand: a bit for each kind, 1 << kind */
	struct hash bindings;
	/* Of the classes met last: by far most events are of a few. */
	struct decoder_recent {
		const bt_event_class *class;
		const struct binding *binding;
	} recent[DECODER_RECENT];
};

/*
 * Fills @ev (not its cpu, ns and trace). Returns false if the program does not
 * use events of that class. Texts stay valid as long as the event.
 */
bool decode_event(struct decoder *d, const bt_event *event, struct event *ev);
/* Whether events of that kind are recorded in streams of that class. */
bool stream_class_offers(const bt_stream_class *sc, enum event_kind kind);
/*
 * Whether its packets are like LTTng's, see reader_first_packet(): they have both times and a
 * number, and what the library tells of them begins with their CPU, 32 bits.
 */
bool stream_class_is_numbered(const bt_stream_class *sc);
void decoder_free(struct decoder *d);

#endif
