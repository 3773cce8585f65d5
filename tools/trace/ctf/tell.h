/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_TELL_H
#define LC_CTF_TELL_H

#include "trace/tell.h"
#include "stream.h"

/* Turns messages of streams, in order of time, into calls of the reader's callbacks: as messages.h.
 */

struct ctf_teller {
	struct reader *reader;
	struct telling teller; /* its callbacks */
	struct told *streams;
	struct user_event user;
};

/* To be called first: of all streams, in the order of their ranks. Returns 0, or another number
 * if a callback ended the reading. */
int ctf_tell_streams(struct ctf_teller *t, struct ctf_stream **streams, size_t nr);
/* Where an event's fields are to go; then it is told of. */
void *ctf_tell_where(struct ctf_teller *t, const struct ctf_stream *s);
int ctf_tell_event(struct ctf_teller *t, const struct ctf_stream *s);
/* Any other message. */
int ctf_tell(struct ctf_teller *t, const struct ctf_stream *s);
void ctf_tell_end(struct ctf_teller *t);

#endif
