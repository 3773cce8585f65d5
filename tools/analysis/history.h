/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_HISTORY_H
#define LC_HISTORY_H

#include "cause.h"

/*
 * What a thread, or a CPU, did lately: pieces that follow each other in time. The last HISTORY_MAX
 * are there for sure, and never more than twice as many, each share counted as one.
 */
#define HISTORY_MAX 4096

struct service_history;

/*
 * A long wait for a CPU or a disk: of whom its time was, in sum. What is outside of the window is
 * not in it.
 */
struct shares {
	size_t refs;
	const struct service_history *of;
	struct share_of {
		const struct cause *cause;
		uint64_t ns;
		uint64_t first; /* when, for the first time */
	} * list;
	size_t nr;
};

struct shares *shares_get(struct shares *s);
/* NULL is fine. */
void shares_put(struct shares *s);

struct piece {
	uint64_t begin, end;
	const struct cause *cause;
	/*
	 * NULL, or @cause stands for theirs: see cause_for().
	 */
	struct shares *shares;
	int tid; /* of a CPU: who ran; 0: no task, or of a disk */
	/* Of a thread, if a path is wanted: the number of the life at the end of the chain. */
	unsigned int leaf : 31;
	unsigned int unsure : 1; /* lost events may have been otherwise */
};

struct history {
	struct piece *list;
	size_t nr, cap;
	size_t nr_shares; /* of all pieces */
	bool cut;	  /* there was more */
};

/* The shares, which the caller owned, are the history's then. */
void history_add(struct history *h, const struct piece *p);
/* The first piece that ends after that moment; nr if there is none. */
size_t history_find(const struct history *h, uint64_t ns);
/* How much it has, each share counted as one. */
static inline size_t history_size(const struct history *h)
{
	return h->nr + h->nr_shares;
}

/* Whether one more makes it forget the first ones. */
static inline bool history_is_full(const struct history *h)
{
	return history_size(h) >= 2 * HISTORY_MAX;
}

/* The end of the last piece; 0: there is none. */
uint64_t history_end(const struct history *h);
/* Leaves nothing, but that there was something. */
void history_drop(struct history *h);
void history_free(struct history *h);

#endif
