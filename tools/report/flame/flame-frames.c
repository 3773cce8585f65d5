/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "flame-frames.h"

size_t frame_number(struct frames *f, const char *name)
{
	uint64_t key = hash_text(name, strlen(name));
	uintptr_t number;

	/* Two may have one key. */
	for (; (number = (uintptr_t)hash_get(&f->by_text, key)); key++)
		if (!strcmp(f->names[number - 1], name))
			return number - 1;
	f->names = grow(f->names, f->nr, &f->cap, sizeof(*f->names));
	f->names[f->nr++] = xstrdup(name);
	hash_put(&f->by_text, key, (void *)(uintptr_t)f->nr);
	return f->nr - 1;
}

void frames_free(struct frames *f)
{
	while (f->nr)
		free(f->names[--f->nr]);
	free(f->names);
	hash_free(&f->by_text);
	*f = (struct frames){0};
}
