/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "hash.h"
#include "util.h"

static size_t home(const struct hash *h, uint64_t key)
{
	key ^= key >> 32;
	key *= 0x9e3779b97f4a7c15ull;
	return (size_t)(key >> 20) & h->mask;
}

static size_t find(const struct hash *h, uint64_t key)
{
	size_t i = home(h, key);

	while (h->slots[i].value && h->slots[i].key != key)
		i = (i + 1) & h->mask;
	return i;
}

void *hash_get(const struct hash *h, uint64_t key)
{
	return h->slots ? h->slots[find(h, key)].value : NULL;
}

static void rehash(struct hash *h, size_t size)
{
	struct hash old = *h;
	size_t pos;

	h->slots = xcalloc(size, sizeof(*h->slots));
	h->mask = size - 1;
	for (pos = 0; old.slots && pos <= old.mask; pos++)
		if (old.slots[pos].value)
			h->slots[find(h, old.slots[pos].key)] = old.slots[pos];
	free(old.slots);
}

void hash_put(struct hash *h, uint64_t key, void *value)
{
	size_t i;

	if (!h->slots || h->nr * 2 > h->mask)
		rehash(h, h->slots ? (h->mask + 1) * 2 : 64);
	i = find(h, key);
	if (!h->slots[i].value)
		h->nr++;
	h->slots[i] = (struct hash_slot){key, value};
}

/* Closes the gap instead of leaving a tombstone: lookups stay short for ever. */
void hash_del(struct hash *h, uint64_t key)
{
	size_t gap, i;

	if (!h->slots)
		return;
	gap = find(h, key);
	if (!h->slots[gap].value)
		return;
	h->nr--;
	for (i = (gap + 1) & h->mask; h->slots[i].value; i = (i + 1) & h->mask) {
		size_t want = home(h, h->slots[i].key);

		if (((i - want) & h->mask) >= ((i - gap) & h->mask)) {
			h->slots[gap] = h->slots[i];
			gap = i;
		}
	}
	h->slots[gap].value = NULL;
}

void hash_free(struct hash *h)
{
	free(h->slots);
	*h = (struct hash){0};
}

void *hash_next(const struct hash *h, size_t *pos)
{
	if (!h->slots)
		return NULL;
	while (*pos <= h->mask) {
		void *value = h->slots[(*pos)++].value;

		if (value)
			return value;
	}
	return NULL;
}
