/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_ENRICH_FIRST_H
#define LC_ENRICH_FIRST_H

#include <babeltrace2/babeltrace.h>

#include "base/hash.h"

/*
 * sink.ctf.fs counts the packets of each stream from 0, whatever the first one's number was: what
 * a flight recorder had overwritten before it would not be missed in the copy.
 */
struct firsts {
	struct hash streams; /* those whose first packet is not number 0 */
};

/* Notes the first packets of a trace's streams. */
void firsts_note(struct firsts *f, const bt_trace *trace);
/*
 * Numbers the packets of all copies below the directory as they were. Returns 0, or -1 after it
 * printed why not.
 */
int firsts_restore(const struct firsts *f, const char *dir);
void firsts_free(struct firsts *f);

#endif
