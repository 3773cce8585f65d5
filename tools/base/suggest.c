/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <string.h>

#include "suggest.h"
#include "util.h"

/* No command or option is longer; what is typed may be. */
#define WORD_MAX 32

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: rows are for the letters of a, and only the last three are kept. */
size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1], nr_a = strlen(a), nr_b = strlen(b), i, k;

	if (nr_a > WORD_MAX || nr_b > WORD_MAX)
		return nr_a > nr_b ? nr_a : nr_b;
	for (k = 0; k <= nr_b; k++)
		rows[0][k] = k;
	for (i = 1; i <= nr_a; i++) {
		size_t *now = rows[i % 3], *before = rows[(i - 1) % 3], *two = rows[(i + 1) % 3];

		now[0] = i;
		for (k = 1; k <= nr_b; k++) {
			now[k] = least(least(now[k - 1], before[k]) + 1,
				       before[k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				now[k] = least(now[k], two[k - 2] + 1);
		}
	}
	return rows[nr_a % 3][nr_b];
}

void suggest_offer(struct suggestion *s, const char *word)
{
	size_t len = strlen(s->typed), distance = edit_distance(s->typed, word);

	/* Half a word typed is that word; of three letters one may be wrong, of six two. */
	if (len > 1 && !strncmp(s->typed, word, len))
		distance = 0;
	if (distance > len / 3 || distance > 2 || (s->best && s->distance <= distance))
		return;
	s->best = word;
	s->distance = distance;
}
