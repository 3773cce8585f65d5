/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TEXTS_H
#define LC_TEXTS_H

#include "hash.h"

/* Different texts, each with a number: 0, 1, 2... Zero-initialized is empty. */
struct texts {
	struct hash by_text; /* of their numbers, each with one added */
	char **list;
	size_t nr, cap;
};

/* It is new if it is what nr was. */
size_t text_number(struct texts *t, const char *text);
void texts_free(struct texts *t);

#endif
