/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_JITS_H
#define LC_RECORD_JITS_H

#include <stdbool.h>

#include "base/hash.h"
#include "record-map-file.h"
#include "record-owner.h"

/*
 * Processes that run what they have made themselves, and when what they tell of it is read: soon,
 * and again and again, as they make more, and once more when they have ended, but while they live
 * never for more than a small part of all time. Times are ns of CLOCK_MONOTONIC.
 */

struct jit {
	uint32_t pid;
	uint64_t number; /* another one's of the same id is another */
	struct owner owner;
	uint64_t born;
	uint64_t since; /* what has come to be told since then is not read yet */
	uint64_t due, wait;
	uint64_t took;		/* to read it, ns */
	uint64_t not_before;	/* by that */
	struct map_stamp stamp; /* of what was read last */
	struct map_place place; /* where that was */
	size_t len;		/* what that was */
	uint64_t hash;
	uint64_t written; /* bytes that were kept */
	bool is_being_read, has_ended;
};

struct jits {
	struct hash all; /* by their numbers */
	struct hash by_pid;
	uint64_t nr_ever;
	size_t nr_max; /* at a time; 0: as many as are looked at where nothing else limits it */
	struct shares shares;
	struct owner (*owner_of)(uint32_t pid); /* owner_of(), or a test's */
	uint64_t began, last;			/* reading one */
	bool is_ending;
};

/*
 * @pid has memory that may be run. It is looked at, unless its owner has his share of those
 * already.
 */
void jits_see(struct jits *j, uint32_t pid, uint64_t ns);
/* It has what @parent has. */
void jits_fork(struct jits *j, uint32_t pid, uint32_t parent, uint64_t ns);
/* It has ended, or has another program. Where it told of functions, that is read once more. */
void jits_gone(struct jits *j, uint32_t pid);
/* Whose map is to be read now; NULL: nobody's. */
struct jit *jits_due(struct jits *j, uint64_t now);
/* When that will be; UINT64_MAX: never. */
uint64_t jits_next(const struct jits *j);
/* Each is to be read once more, for the last time. */
void jits_end(struct jits *j);

/* @jit is being read now. */
void jits_begin(struct jits *j, struct jit *jit, uint64_t now);
/* That has ended; @jit may be gone by then. @has_more: it may have more soon. */
void jits_done(struct jits *j, struct jit *jit, bool has_more, uint64_t now);
/* @jit is where that says, which is @jit's then. */
void jit_is_at(struct jit *jit, const struct map_place *place);

/*
 * What of @text, of @len bytes, is new to who has been told all that was read before, which this
 * now is.
 */
const char *jit_news(struct jit *jit, const char *text, size_t len);

#endif
