/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_BLAMES_H
#define LC_BLAMES_H

#include "culprit.h"
#include "base/hash.h"

/* How much of what somebody waited is whose doing. */
struct blame {
	struct culprit who;
	uint64_t ns;
	uint64_t unsure; /* the part of ns that lost events may have been otherwise */
};

/* Of each culprit one. Zero-initialized is empty; end with blames_clear(). */
struct blames {
	struct blame *list;
	size_t nr, cap;
	struct hash index; /* places in list, from 1; of a few there is none */
};

/*
 * Adds to the culprit's. Containers that are found out to be one later are two until
 * blames_settle().
 */
void blames_add(struct blames *to, const struct blame *b);
/* The same for one that is not there yet, which is not looked for. */
void blames_append(struct blames *to, const struct blame *b);
void blames_add_all(struct blames *to, const struct blames *from);
/* All is told: containers are what they were found out to be. The most first. */
void blames_settle(struct blames *b);
/* None is left, but room for some. */
void blames_empty(struct blames *b);
void blames_clear(struct blames *b);

#endif
