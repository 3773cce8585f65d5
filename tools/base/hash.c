/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "hash.h"
#include "util.h"

/* Numbers that whoever made a trace cannot know; the products need odd ones. */
static uint64_t seed[4];

static void make_seed(void)
{
	/* Without the system's a weak one: it is slow at worst. */
	if (getrandom(seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed)) {
		struct timespec now = {0};

		clock_gettime(CLOCK_MONOTONIC, &now);
		seed[0] ^= (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15ull;
		seed[2] ^= (uint64_t)(uintptr_t)&now;
	}
	seed[1] |= 1;
	seed[3] |= 1;
}

/* Both halves of the product, so that each bit of the one tells in each of the other. */
static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t mix(uint64_t key)
{
	return fold(fold(key ^ seed[0], seed[1]) ^ seed[2], seed[3]);
}

uint64_t hash_text(const char *text, size_t len)
{
	uint64_t h, word;

	if (!seed[1])
		make_seed();
	for (h = len; len >= sizeof(word); len -= sizeof(word), text += sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		h = mix(h ^ word) + len;
	}
	for (word = 0; len--; text++)
		word = word << 8 | (unsigned char)*text;
	return mix(h ^ word);
}

uint64_t hash_numbers(uint64_t a, uint64_t b)
{
	if (!seed[1])
		make_seed();
	return mix(mix(a) ^ b);
}

/* A place of the table has an item's number, from 1 on, and the upper half of its key's hash. */
static size_t home(const struct hash *h, uint32_t tag)
{
	return tag & h->mask;
}

static uint32_t tag_of(uint64_t key)
{
	return (uint32_t)(mix(key) >> 32);
}

static size_t find(const struct hash *h, uint64_t key, uint32_t tag)
{
	size_t i = home(h, tag);

	while (h->places[i].item &&
	       (h->places[i].tag != tag || h->items[h->places[i].item - 1].key != key))
		i = (i + 1) & h->mask;
	return i;
}

void *hash_get(const struct hash *h, uint64_t key)
{
	uint32_t item;

	if (!h->places)
		return NULL;
	item = h->places[find(h, key, tag_of(key))].item;
	return item ? h->items[item - 1].value : NULL;
}

/* Closes the gaps that deletion left among the items, in their order, and makes room. */
static void rehash(struct hash *h)
{
	size_t i, nr = 0, cap = h->nr * 2 < 32 ? 32 : h->nr * 2;

	if (!seed[1])
		make_seed();
	for (i = 0; i < h->nr_items; i++)
		if (h->items[i].value)
			h->items[nr++] = h->items[i];
	h->nr_items = nr;
	for (h->mask = 63; h->mask < cap * 2 - 1;)
		h->mask = h->mask * 2 + 1;
	h->cap_items = (h->mask + 1) / 2;
	h->items = xrealloc(h->items, h->cap_items, sizeof(*h->items));
	free(h->places);
	h->places = xcalloc(h->mask + 1, sizeof(*h->places));
	for (i = 0; i < nr; i++) {
		uint32_t tag = tag_of(h->items[i].key);

		h->places[find(h, h->items[i].key, tag)] =
			(struct hash_place){(uint32_t)i + 1, tag};
	}
}

void hash_put(struct hash *h, uint64_t key, void *value)
{
	struct hash_place *place;
	uint32_t tag;

	if (h->nr_items == h->cap_items)
		rehash(h);
	tag = tag_of(key);
	place = &h->places[find(h, key, tag)];
	if (place->item) {
		h->items[place->item - 1].value = value;
		return;
	}
	h->items[h->nr_items++] = (struct hash_item){key, value};
	*place = (struct hash_place){(uint32_t)h->nr_items, tag};
	h->nr++;
}

/* Closes the gap instead of leaving a tombstone: lookups stay short for ever. */
void hash_del(struct hash *h, uint64_t key)
{
	size_t gap, i;

	if (!h->places)
		return;
	gap = find(h, key, tag_of(key));
	if (!h->places[gap].item)
		return;
	h->nr--;
	h->items[h->places[gap].item - 1].value = NULL;
	for (i = (gap + 1) & h->mask; h->places[i].item; i = (i + 1) & h->mask) {
		size_t want = home(h, h->places[i].tag);

		if (((i - want) & h->mask) >= ((i - gap) & h->mask)) {
			h->places[gap] = h->places[i];
			gap = i;
		}
	}
	h->places[gap].item = 0;
}

void hash_free(struct hash *h)
{
	free(h->items);
	free(h->places);
	*h = (struct hash){0};
}

void *hash_next(const struct hash *h, size_t *pos)
{
	while (*pos < h->nr_items) {
		void *value = h->items[(*pos)++].value;

		if (value)
			return value;
	}
	return NULL;
}
