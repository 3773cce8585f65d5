/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_TELL_H
#define LC_CTF_TELL_H

#include "trace/reader.h"
#include "stream.h"

/* Turns messages of streams, in order of time, into calls of the reader's callbacks: as feed.h. */

struct told;

struct teller {
	struct reader *reader;
	const struct reader_callbacks *cb;
	struct told *streams;
	size_t nr;
	struct told *ended; /* those that have no more packets, while their trace goes on */
	uint64_t nr_events;
	struct event ev;
	struct user_event user;
};

/* To be called first: of all streams, in the order of their ranks. Returns 0, or another number
 * if a callback ended the reading. */
int tell_streams(struct teller *t, struct ctf_stream **streams, size_t nr);
/* Where the event's fields are to go, before tell(). */
void *tell_where(struct teller *t, const struct ctf_stream *s);
int tell(struct teller *t, const struct ctf_stream *s);
void tell_end(struct teller *t);

#endif
