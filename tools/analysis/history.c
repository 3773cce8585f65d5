/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "base/util.h"

struct shares *shares_get(struct shares *s)
{
	s->refs++;
	return s;
}

void shares_put(struct shares *s)
{
	if (!s || --s->refs)
		return;
	free(s->list);
	free(s);
}

static void drop(struct history *h, const struct piece *p)
{
	if (p->shares)
		h->nr_shares -= p->shares->nr;
	shares_put(p->shares);
}

/* All but what is the last HISTORY_MAX. */
static void cut(struct history *h)
{
	size_t gone = 0;

	while (h->nr - gone + h->nr_shares > HISTORY_MAX)
		drop(h, &h->list[gone++]);
	h->nr -= gone;
	memmove(h->list, h->list + gone, h->nr * sizeof(*h->list));
	h->cut = true;
}

void history_add(struct history *h, const struct piece *p)
{
	struct piece *last = h->nr ? &h->list[h->nr - 1] : NULL;

	if (last && last->end == p->begin && last->cause == p->cause && last->tid == p->tid &&
	    last->leaf == p->leaf && last->unsure == p->unsure && !last->shares && !p->shares) {
		last->end = p->end;
		return;
	}
	if (history_is_full(h))
		cut(h);
	if (p->shares)
		h->nr_shares += p->shares->nr;
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

void history_drop(struct history *h)
{
	bool cut = h->cut || h->nr;

	history_free(h);
	h->cut = cut;
}

void history_free(struct history *h)
{
	size_t i;

	for (i = 0; i < h->nr; i++)
		shares_put(h->list[i].shares);
	free(h->list);
	*h = (struct history){0};
}
