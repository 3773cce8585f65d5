/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_MADE_H
#define LC_RECORD_MADE_H

#include "record-jits.h"
#include "record-kept.h"
#include "record-reading.h"

/* What processes tell of functions that they make while they run. One is asked at a time. */
struct made {
	struct kept *kept;
	struct jits jits;
	struct jit *now; /* who is being read; NULL: nobody */
	struct reading reading;
	bool is_placed;	      /* what it says from now on is text */
	struct shares shares; /* of JITS_MAX */
};

void made_open(struct made *m, struct kept *kept);
/* Asks who is to be asked now. */
void made_go_on(struct made *m);
/* Takes what it says. */
void made_listen(struct made *m);
/* When made_go_on() has something to do, ns of CLOCK_MONOTONIC; UINT64_MAX: never. */
uint64_t made_next(const struct made *m);
/* Whether all have been asked for the last time, once jits_end() has been called. */
bool made_is_done(const struct made *m);

#endif
