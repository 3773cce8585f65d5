/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "cause.h"
#include "base/util.h"
#include "model/container.h"
#include "model/cpus.h"

/*
 * Names of processes, which are part of a cause, are whatever somebody likes, and whoever has
 * several processes makes chains of waits as he likes. So many causes are told apart of the time of
 * what is in a container that is in no other, of what else a user has in his slice, and of all
 * else; what comes then has no names, nor what is below it.
 */
#define CAUSES_MAX 8192

const char cause_kernel[] = "", cause_nameless[] = "";
static const char empty[] = "";

static uint64_t hash_of(const struct cause *c)
{
	uint64_t h = hash_numbers((uint64_t)c->stage << 16 | c->kind << 8 | c->detail,
				  (uintptr_t)c->below);

	h = hash_numbers(h, (uint64_t)c->who.kind << 1 | c->who.told);
	h = hash_numbers(h, (uintptr_t)c->who.container);
	h = hash_numbers(h, (uintptr_t)c->comm);
	h = hash_numbers(h, (uintptr_t)c->call);
	h = hash_numbers(h, (uintptr_t)c->cgroup);
	return hash_numbers(h, (uint64_t)c->dev);
}

static bool is_same(const struct cause *a, const struct cause *b)
{
	return a->kind == b->kind && a->detail == b->detail && a->stage == b->stage &&
	       a->below == b->below && a->who.kind == b->who.kind && a->who.told == b->who.told &&
	       a->who.container == b->who.container && a->comm == b->comm && a->call == b->call &&
	       a->cgroup == b->cgroup && a->dev == b->dev;
}

/* Equal texts are one: that one, and its key or the one that it would have. NULL: there is none. */
static const char *text_find(const struct causes *c, const char *text, uint64_t *key)
{
	const char *old;

	*key = hash_text(text, strlen(text));
	while ((old = hash_get(&c->texts, *key)) && strcmp(old, text))
		*key = hash_numbers(*key, 1);
	return old;
}

/* @is_new: that is set if there was none, and it is @text itself then. */
static const char *text_of(const struct causes *c, const char *text, bool *is_new)
{
	const char *old;
	uint64_t key;

	if (!text || !*text)
		return text ? empty : NULL;
	old = text_find(c, text, &key);
	*is_new |= !old;
	return old ? old : text;
}

static const char *comm_of(const struct causes *c, const char *comm, bool *is_new)
{
	if (!comm || comm == cause_kernel)
		return comm;
	return *comm ? text_of(c, comm, is_new) : cause_nameless;
}

static const char *text_keep(struct causes *c, const char *text)
{
	const char *old;
	uint64_t key;

	if (!text || !*text)
		return text;
	old = text_find(c, text, &key);
	if (!old) {
		old = xstrdup(text);
		hash_put(&c->texts, key, (void *)(uintptr_t)old);
	}
	return old;
}

static bool is_same_comm(const char *a, const char *b)
{
	if (!a || !b || a == cause_kernel || b == cause_kernel)
		return a == b;
	return !strcmp(a, b);
}

static const struct cause *find(const struct causes *c, const struct cause *like)
{
	const struct cause *found = hash_get(&c->set, hash_of(like));

	while (found && !is_same(found, like))
		found = found->next;
	return found;
}

/* Whether there is room for one more, which there is then. */
static bool make_room(struct causes *c)
{
	const struct place at = c->of ? cpus_place(c->m, c->of) : (struct place){0};
	uint64_t room;
	uintptr_t nr;

	if (c->is_settled)
		return true;
	room = place_owner(c->m, &at);
	nr = (uintptr_t)hash_get(&c->rooms, room);
	if (nr >= CAUSES_MAX)
		return false;
	hash_put(&c->rooms, room, (void *)(nr + 1));
	return true;
}

static const struct cause *add(struct causes *c, const struct cause *like)
{
	struct cause *new = xcalloc(1, sizeof(*new));

	*new = *like;
	new->depth = new->below ? new->below->depth + 1 : 0;
	new->next = hash_get(&c->set, hash_of(new));
	hash_put(&c->set, hash_of(new), new);
	return new;
}

const struct cause *cause_get(struct causes *c, const struct cause *like)
{
	struct cause key = *like;
	const struct cause *found;
	bool is_new = false;

	key.who.container = container_is(key.who.container);
	key.comm = comm_of(c, key.comm, &is_new);
	key.call = text_of(c, key.call, &is_new);
	key.cgroup = text_of(c, key.cgroup, &is_new);
	found = is_new ? NULL : find(c, &key);
	if (found)
		return found;
	if (make_room(c)) {
		key.comm = text_keep(c, key.comm);
		key.call = text_keep(c, key.call);
		key.cgroup = text_keep(c, key.cgroup);
		return add(c, &key);
	}
	if (key.comm && key.comm != cause_kernel)
		key.comm = cause_nameless;
	key.call = NULL;
	key.cgroup = key.cgroup ? empty : NULL;
	key.below = key.below ? cause_unknown(c, UNKNOWN_CHAIN) : NULL;
	found = find(c, &key);
	return found ? found : add(c, &key);
}

const struct cause *cause_unknown(struct causes *c, enum why_not_known reason)
{
	return cause_get(c, &(struct cause){.kind = WHY_UNKNOWN, .detail = reason, .dev = ABSENT});
}

const struct cause *cause_over(struct causes *c, const struct cause *like,
			       const struct cause *below)
{
	struct cause key = *like;

	if ((key.kind == WHY_OTHERS || key.kind == WHY_LOCK) && below->kind == key.kind &&
	    below->detail == key.detail && below->who.told == key.who.told &&
	    container_is(below->who.container) == container_is(key.who.container) &&
	    is_same_comm(below->comm, key.comm))
		below = below->below;
	key.below = below->depth + 1 < CAUSE_DEPTH_MAX ? below : cause_unknown(c, UNKNOWN_CHAIN);
	return cause_get(c, &key);
}

const struct cause *cause_of_queue(struct causes *c)
{
	return cause_get(c,
			 &(struct cause){.kind = WHY_CPU, .detail = CPU_OF_SEVERAL, .dev = ABSENT});
}

const struct cause *cause_for(struct causes *c, const struct cause *like, const struct cause *whose)
{
	if (like->below)
		return cause_over(c, like, cause_for(c, like->below, whose));
	if (like->stage & DISK_OF_SEVERAL)
		return cause_of_stage(c, like, like->stage & ~DISK_OF_SEVERAL, whose);
	return like->kind == WHY_CPU && like->detail == CPU_OF_SEVERAL ? whose : like;
}

const struct cause *cause_of_stage(struct causes *c, const struct cause *like,
				   enum disk_stage stage, const struct cause *whose)
{
	struct cause key = *like;

	key.stage = stage;
	if (whose) {
		key.who = whose->who;
		key.comm = whose->comm;
	}
	return cause_get(c, &key);
}

const struct cause *cause_settled(struct causes *c, const struct cause *old)
{
	c->is_settled = true;
	return old->below ? cause_over(c, old, cause_settled(c, old->below)) : cause_get(c, old);
}

void causes_free(struct causes *c)
{
	struct cause *cause, *next;
	size_t pos = 0;
	char *text;

	while ((cause = hash_next(&c->set, &pos)))
		for (; cause; cause = next) {
			next = cause->next;
			free(cause);
		}
	for (pos = 0; (text = hash_next(&c->texts, &pos));)
		free(text);
	hash_free(&c->set);
	hash_free(&c->texts);
	hash_free(&c->rooms);
}
