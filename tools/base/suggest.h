/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SUGGEST_H
#define LC_SUGGEST_H

#include <stddef.h>

/*
 * What somebody meant who mistyped a word: offer it each word that there is, then ask. All
 * texts stay the caller's.
 */
struct suggestion {
	const char *typed;
	const char *best; /* NULL: no word is near */
	size_t distance;
};

/* How many letters must be added, left out, changed or swapped with the next to make one the other.
 */
size_t edit_distance(const char *a, const char *b);
void suggest_offer(struct suggestion *s, const char *word);

#endif
