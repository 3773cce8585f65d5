/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "base/text.h"
#include "base/util.h"
#include "record-jits.h"

/* A PID namespace may have a quarter of them; see record-owner.h. */
#define NR_MAX	       4096
/* How soon one is looked for that may be about to be written. Most have none, and those are looked
 * for ever more seldom. */
#define FIRST_NS       (NS_PER_SEC / 100)
/* Between two readings of one that has grown. */
#define SOON_NS	       (NS_PER_SEC / 10)
#define SELDOM_NS      (10 * NS_PER_SEC)
/*
 * That many times as long as reading it took it is not read again; and so many times as long as
 * that will take none was read before it. So who has much to tell waits for those who have little.
 */
#define REST_TIMES     20
#define ALL_REST_TIMES 3
/* Some do not become old. */
#define YOUNG_NS       NS_PER_SEC
#define REST_YOUNG     4

static struct jit *add(struct jits *j, uint32_t pid, const struct owner *owner, uint64_t ns)
{
	struct jit *jit;

	if (!shares_take(&j->shares, owner, 1,
			 j->nr_max && j->nr_max < NR_MAX ? j->nr_max : NR_MAX))
		return NULL;
	jit = xcalloc(1, sizeof(*jit));
	*jit = (struct jit){.pid = pid,
			    .number = ++j->nr_ever,
			    .owner = *owner,
			    .since = ns,
			    .born = ns,
			    .wait = FIRST_NS,
			    .place = no_map_place};
	hash_put(&j->by_pid, pid, jit);
	hash_put(&j->all, jit->number, jit);
	return jit;
}

void jits_see(struct jits *j, uint32_t pid, uint64_t ns)
{
	struct jit *jit = hash_get(&j->by_pid, pid);
	uint64_t soon = ns + FIRST_NS;
	struct owner owner;

	if (j->is_ending)
		return;
	if (jit) {
		/* It makes more, and may soon tell of it. */
		jit->wait = FIRST_NS;
		if (soon < jit->not_before)
			soon = jit->not_before;
		if (jit->due > soon)
			jit->due = soon;
		return;
	}
	owner = j->owner_of(pid);
	add(j, pid, &owner, ns);
}

void jits_fork(struct jits *j, uint32_t pid, uint32_t parent, uint64_t ns)
{
	const struct jit *from = hash_get(&j->by_pid, parent);
	struct jit *jit;

	if (!from || j->is_ending || hash_get(&j->by_pid, pid))
		return;
	jit = add(j, pid, &from->owner, ns);
	/* Most of them have another program soon. */
	if (jit)
		jit->due = ns + FIRST_NS;
}

void jit_is_at(struct jit *jit, const struct map_place *place)
{
	map_place_close(&jit->place);
	jit->place = *place;
}

static void drop(struct jits *j, struct jit *jit)
{
	hash_del(&j->all, jit->number);
	shares_give(&j->shares, &jit->owner, 1);
	map_place_close(&jit->place);
	free(jit);
}

void jits_gone(struct jits *j, uint32_t pid)
{
	struct jit *jit = hash_get(&j->by_pid, pid);

	if (!jit)
		return;
	hash_del(&j->by_pid, pid);
	jit->has_ended = true;
	/* What it told between the last reading and its end is still there. */
	jit->due = 0;
	if (jit->place.dir < 0 && !jit->is_being_read)
		drop(j, jit);
}

/* Who has ended first: that holds a directory. */
static uint64_t due_of(const struct jits *j, const struct jit *jit)
{
	uint64_t rested;

	if (jit->is_being_read)
		return UINT64_MAX;
	if (jit->has_ended || j->is_ending || jit->due == UINT64_MAX)
		return jit->due;
	rested = j->last + ALL_REST_TIMES * jit->took;
	return jit->due > rested ? jit->due : rested;
}

static bool is_before(const struct jits *j, const struct jit *a, const struct jit *b)
{
	uint64_t due_a = due_of(j, a), due_b = due_of(j, b);

	return due_a < due_b || (due_a == due_b && a->due < b->due);
}

uint64_t jits_next(const struct jits *j)
{
	const struct jit *jit;
	uint64_t next = UINT64_MAX, due;
	size_t pos = 0;

	while ((jit = hash_next(&j->all, &pos))) {
		due = due_of(j, jit);
		next = due < next ? due : next;
	}
	return next;
}

/* Whose turn it is, and of his the one that has been due for longest. */
struct jit *jits_due(struct jits *j, uint64_t now)
{
	struct jit *jit, *found = NULL;
	size_t pos = 0;

	while ((jit = hash_next(&j->all, &pos))) {
		uint64_t due = due_of(j, jit);
		int order;

		if (due == UINT64_MAX || due > now)
			continue;
		order = found ? shares_order(&j->shares, &jit->owner, &found->owner) : -1;
		if (order < 0 || (!order && is_before(j, jit, found)))
			found = jit;
	}
	return found;
}

void jits_end(struct jits *j)
{
	struct jit *jit;
	size_t pos = 0;

	j->is_ending = true;
	while ((jit = hash_next(&j->all, &pos)))
		jit->due = 0;
}

void jits_begin(struct jits *j, struct jit *jit, uint64_t now)
{
	j->began = now;
	shares_turn(&j->shares, &jit->owner);
	jit->is_being_read = true;
	/* Unless it is to be read again by then. */
	jit->due = UINT64_MAX;
}

/* When one that lives is read again. */
static void wait_for(struct jits *j, struct jit *jit, bool has_more, uint64_t now)
{
	uint64_t times = now < jit->born + YOUNG_NS ? REST_YOUNG : REST_TIMES;

	if (j->is_ending)
		return;
	jit->took = now - j->began;
	jit->not_before = now + times * jit->took;
	jit->wait = has_more ? SOON_NS : 2 * jit->wait;
	if (jit->wait > SELDOM_NS)
		jit->wait = SELDOM_NS;
	/* It may have made more meanwhile. */
	if (jit->due > now + jit->wait)
		jit->due = now + jit->wait;
	if (jit->due < jit->not_before)
		jit->due = jit->not_before;
}

void jits_done(struct jits *j, struct jit *jit, bool has_more, uint64_t now)
{
	j->last = now;
	jit->is_being_read = false;
	if (!jit->has_ended)
		wait_for(j, jit, has_more, now);
	else if (jit->due || jit->place.dir < 0)
		drop(j, jit);
}

const char *jit_news(struct jit *jit, const char *text, size_t len)
{
	const char *news = text;

	/* Most of them grow; others are written anew. */
	if (jit->len && jit->len <= len && hash_text(text, jit->len) == jit->hash)
		news = text + jit->len;
	jit->len = len;
	jit->hash = hash_text(text, len);
	return news;
}
