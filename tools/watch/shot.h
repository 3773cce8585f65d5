/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SHOT_H
#define LC_SHOT_H

#include <stdint.h>

#include "record/record.h"

/* What a snapshot is taken of. */
struct shot {
	uint64_t ns;	       /* when it was heard of, since the epoch */
	uint64_t length_ns;    /* of what happened before it; 0: none */
	const char *condition; /* a word */
	const char *container; /* as it is called: hostile */
	const char *select;    /* the same for --container; NULL: all are shown */
	const char *text;      /* what happened, for people; escaped */
};

/* Where the session writes, in the output directory: what is there is no snapshot yet. */
#define SHOT_NEW ".new"

/* Removes what an earlier one has left there. */
void shot_clean(const struct output *o);
/*
 * Writes a snapshot, and beside it what `why` says of the seconds before it. Returns its name in
 * the output directory, which the caller frees, or NULL after it printed why there is none.
 */
char *shot_take(struct recording *r, const struct shot *s);

#endif
