/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_HASH_H
#define LC_HASH_H

#include <stddef.h>
#include <stdint.h>

/*
 * A map from 64-bit keys to pointers (never NULL). The map does not own what
 * the pointers point to. Zero-initialized is empty.
 */
struct hash_slot {
	uint64_t key;
	void *value;
};

struct hash {
	struct hash_slot *slots;
	size_t mask;
	size_t nr;
};

void *hash_get(const struct hash *h, uint64_t key);
/* Replaces what the key had. */
void hash_put(struct hash *h, uint64_t key, void *value);
void hash_del(struct hash *h, uint64_t key);
void hash_free(struct hash *h);

/*
 * Walks all values: start with *pos = 0, NULL is the end. The map must not be
 * changed during the walk.
 */
void *hash_next(const struct hash *h, size_t *pos);

#endif
