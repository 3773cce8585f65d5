/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "texts.h"
#include "util.h"

size_t text_number(struct texts *t, const char *text)
{
	uint64_t key = hash_text(text, strlen(text));
	uintptr_t number;

	/* Two may have one key. */
	for (; (number = (uintptr_t)hash_get(&t->by_text, key)); key++)
		if (!strcmp(t->list[number - 1], text))
			return number - 1;
	t->list = grow(t->list, t->nr, &t->cap, sizeof(*t->list));
	t->list[t->nr++] = xstrdup(text);
	hash_put(&t->by_text, key, (void *)(uintptr_t)t->nr);
	return t->nr - 1;
}

void texts_free(struct texts *t)
{
	while (t->nr)
		free(t->list[--t->nr]);
	free(t->list);
	hash_free(&t->by_text);
	*t = (struct texts){0};
}
