/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_ENRICH_UNUSED_H
#define LC_ENRICH_UNUSED_H

#include <babeltrace2/babeltrace.h>
#include <stdio.h>

#include "base/hash.h"

/*
 * LTTng describes every event that was enabled, sink.ctf.fs only those that
 * happened. But a report has to know that an event could have happened: so the
 * descriptions of those that reports use are carried over.
 */
struct unused {
	struct hash traces; /* uuid -> struct unused_trace */
	size_t nr_noted;
};

/* Notes the events of a trace, each of which has a copy. */
void unused_note(struct unused *u, const bt_trace *trace);
/*
 * Adds what is missing to all metadata below the directory, and makes good what the library does
 * not write as it reads it. Returns 0, or -1 after it printed why not, as if there are other copies
 * than of what was noted, or not all of one was written.
 */
int unused_append(const struct unused *u, const char *dir);
void unused_free(struct unused *u);
/* A copy's metadata as the library wrote them: text without packets. Owned; NULL after an error. */
char *unused_read(FILE *f);

#endif
