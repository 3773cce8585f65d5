/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "base/text.h"
#include "base/util.h"
#include "record-jits.h"

#define NR_MAX	   1024
/* Between two readings of one map. Most have none, and those are looked for ever more seldom. */
#define SOON_NS	   (NS_PER_SEC / 10)
#define SELDOM_NS  (10 * NS_PER_SEC)
/* That many times as long as one reading took comes none. */
#define REST_TIMES 20

void jits_see(struct jits *j, uint32_t pid, uint64_t ns)
{
	struct jit *jit = hash_get(&j->by_pid, pid);

	if (jit) {
		/* It makes more, and may soon tell of it. */
		jit->wait = SOON_NS;
		if (jit->due != UINT64_MAX && jit->due > ns + SOON_NS)
			jit->due = ns + SOON_NS;
		return;
	}
	if (j->by_pid.nr >= NR_MAX)
		return;
	jit = xcalloc(1, sizeof(*jit));
	*jit = (struct jit){.pid = pid, .number = ++j->nr_ever, .since = ns, .wait = SOON_NS};
	hash_put(&j->by_pid, pid, jit);
}

void jits_fork(struct jits *j, uint32_t pid, uint32_t parent, uint64_t ns)
{
	if (hash_get(&j->by_pid, parent))
		jits_see(j, pid, ns);
}

void jits_gone(struct jits *j, uint32_t pid)
{
	struct jit *jit = hash_get(&j->by_pid, pid);

	if (!jit)
		return;
	hash_del(&j->by_pid, pid);
	free(jit);
}

static struct jit *first(const struct jits *j)
{
	struct jit *jit, *found = NULL;
	size_t pos = 0;

	while ((jit = hash_next(&j->by_pid, &pos)))
		if (jit->due != UINT64_MAX && (!found || jit->due < found->due))
			found = jit;
	return found;
}

uint64_t jits_next(const struct jits *j)
{
	const struct jit *jit = first(j);

	if (!jit)
		return UINT64_MAX;
	return jit->due > j->not_before ? jit->due : j->not_before;
}

struct jit *jits_due(struct jits *j, uint64_t now)
{
	return jits_next(j) <= now ? first(j) : NULL;
}

void jits_end(struct jits *j)
{
	struct jit *jit;
	size_t pos = 0;

	j->is_ending = true;
	j->not_before = 0;
	while ((jit = hash_next(&j->by_pid, &pos)))
		jit->due = 0;
}

void jits_begin(struct jits *j, struct jit *jit, uint64_t now)
{
	j->began = now;
	/* When it ends is not known; until then it is not due. */
	jit->due = UINT64_MAX;
}

void jits_done(struct jits *j, struct jit *jit, bool has_more, uint64_t now)
{
	if (j->is_ending)
		return;
	j->not_before = now + REST_TIMES * (now - j->began);
	if (!jit)
		return;
	jit->wait = has_more ? SOON_NS : 2 * jit->wait;
	if (jit->wait > SELDOM_NS)
		jit->wait = SELDOM_NS;
	jit->due = now + jit->wait;
}

struct jit *jits_find(const struct jits *j, uint32_t pid, uint64_t number)
{
	struct jit *jit = hash_get(&j->by_pid, pid);

	return jit && jit->number == number ? jit : NULL;
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
