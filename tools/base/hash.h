/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_HASH_H
#define LC_HASH_H

#include <stddef.h>
#include <stdint.h>

/*
 * A map from 64-bit keys to pointers (never NULL). The map does not own what
 * the pointers point to. Zero-initialized is empty.
 *
 * Traces choose the keys: where a key lies depends on a random number, so that nobody can choose
 * many that lie together. A walk is in the order in which keys were put, which does not.
 */
struct hash_item {
	uint64_t key;
	void *value; /* NULL: deleted */
};

struct hash_place {
	uint32_t item, tag;
};

struct hash {
	struct hash_item *items;
	size_t nr_items, cap_items; /* with the deleted ones */
	struct hash_place *places;
	size_t mask;
	size_t nr;
};

void *hash_get(const struct hash *h, uint64_t key);
/* Replaces what the key had. */
void hash_put(struct hash *h, uint64_t key, void *value);
void hash_del(struct hash *h, uint64_t key);
void hash_free(struct hash *h);

/*
 * A key for a text, or for two numbers: of this process alone, never to be shown, nor to be put in
 * order. That two texts have the same one is as good as impossible, but is not excluded.
 */
uint64_t hash_text(const char *text, size_t len);
uint64_t hash_numbers(uint64_t a, uint64_t b);

/*
 * Walks all values, in the order in which their keys were put first: start with *pos = 0, NULL is
 * the end. The map must not be changed during the walk.
 */
void *hash_next(const struct hash *h, size_t *pos);

#endif
