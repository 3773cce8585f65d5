/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "blames.h"
#include "base/util.h"
#include "model/container.h"

/* So many are looked through as fast as an index. */
#define FEW 16

/* Which of the list is the culprit's; or how many there are. */
static size_t place_of(struct blames *b, const struct culprit *who)
{
	uint64_t key = culprit_key(who);
	size_t i;

	if (b->nr <= FEW) {
		for (i = 0; i < b->nr && culprit_key(&b->list[i].who) != key;)
			i++;
		return i;
	}
	for (i = b->index.nr; i < b->nr; i++)
		hash_put(&b->index, culprit_key(&b->list[i].who), (void *)(uintptr_t)(i + 1));
	i = (uintptr_t)hash_get(&b->index, key);
	return i ? i - 1 : b->nr;
}

void blames_append(struct blames *to, const struct blame *b)
{
	to->list = grow(to->list, to->nr, &to->cap, sizeof(*to->list));
	to->list[to->nr++] = *b;
}

void blames_add(struct blames *to, const struct blame *b)
{
	size_t i = place_of(to, &b->who);

	if (i == to->nr) {
		blames_append(to, b);
		return;
	}
	time_add(&to->list[i].ns, b->ns);
	time_add(&to->list[i].unsure, b->unsure);
}

void blames_add_all(struct blames *to, const struct blames *from)
{
	size_t i;

	for (i = 0; i < from->nr; i++)
		blames_add(to, &from->list[i]);
}

static int compare(const void *a, const void *b)
{
	const struct blame *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return (int)x->who.kind - (int)y->who.kind;
}

void blames_settle(struct blames *b)
{
	struct blames settled = {0};
	size_t i;

	for (i = 0; i < b->nr; i++) {
		struct blame blame = b->list[i];

		blame.who.container = container_is(blame.who.container);
		blames_add(&settled, &blame);
	}
	if (settled.nr)
		qsort(settled.list, settled.nr, sizeof(*settled.list), compare);
	/* It tells of the order before. */
	hash_free(&settled.index);
	blames_clear(b);
	*b = settled;
}

void blames_empty(struct blames *b)
{
	b->nr = 0;
	if (b->index.nr)
		hash_free(&b->index);
}

void blames_clear(struct blames *b)
{
	hash_free(&b->index);
	free(b->list);
	*b = (struct blames){0};
}
