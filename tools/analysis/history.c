/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "base/util.h"

void history_add(struct history *h, const struct piece *p)
{
	struct piece *last = h->nr ? &h->list[h->nr - 1] : NULL;

	if (last && last->end == p->begin && last->cause == p->cause && last->tid == p->tid &&
	    last->leaf == p->leaf && last->unsure == p->unsure) {
		last->end = p->end;
		return;
	}
	if (h->nr == 2 * HISTORY_MAX) {
		memmove(h->list, h->list + HISTORY_MAX, HISTORY_MAX * sizeof(*h->list));
		h->nr = HISTORY_MAX;
		h->cut = true;
	}
	h->list = grow(h->list, h->nr, &h->cap, sizeof(*h->list));
	h->list[h->nr++] = *p;
}

size_t history_find(const struct history *h, uint64_t ns)
{
	size_t low = 0, high = h->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (h->list[middle].end > ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

uint64_t history_end(const struct history *h)
{
	return h->nr ? h->list[h->nr - 1].end : 0;
}

void history_free(struct history *h)
{
	free(h->list);
	*h = (struct history){0};
}
