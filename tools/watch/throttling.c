/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/util.h"
#include "throttling.h"

/* Of each period so many moments are kept. */
#define NR_MOMENTS 16

struct moment {
	uint64_t at, ns; /* when, and what was throttled until then */
};

/* What one condition has seen of one group. */
struct meter {
	uint64_t key, look; /* when it was last there */
	uint64_t told;	    /* when it was last told of; first, when it was new */
	struct moment moments[NR_MOMENTS];
	unsigned int nr, oldest;
};

static bool is_there(const char *root, const char *name)
{
	char *path = xasprintf("%s/%s", root, name);
	bool is = !access(path, F_OK);

	free(path);
	return is;
}

void throttling_begin(struct throttling *t, const char *root)
{
	static const char *const v1[] = {"cpu", "cpu,cpuacct"};
	size_t i;

	*t = (struct throttling){0};
	if (is_there(root, "cgroup.controllers"))
		t->root = xstrdup(root);
	for (i = 0; i < ARRAY_SIZE(v1) && !t->root; i++)
		if (is_there(root, v1[i])) {
			t->root = xasprintf("%s/%s", root, v1[i]);
			t->is_v1 = true;
		}
}

/* Returns whether the group has such a sum: one that has no quota may have none. */
static bool read_group(const struct throttling *t, const char *group, uint64_t *ns)
{
	char *path = xasprintf("%s%s/cpu.stat", t->root, group), text[4096], *at;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	const char *name = t->is_v1 ? "\nthrottled_time " : "\nthrottled_usec ";
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	free(path);
	if (len <= 0)
		return false;
	text[len] = '\0';
	at = strstr(text, name);
	if (!at)
		return false;
	*ns = strtoull(at + strlen(name), NULL, 10) * (t->is_v1 ? 1 : 1000);
	return true;
}

static struct moment *moment(struct meter *m, unsigned int i)
{
	return &m->moments[(m->oldest + i) % NR_MOMENTS];
}

static void keep(struct meter *m, uint64_t now, uint64_t ns)
{
	if (m->nr == NR_MOMENTS) {
		m->oldest = (m->oldest + 1) % NR_MOMENTS;
		m->nr--;
	}
	*moment(m, m->nr++) = (struct moment){now, ns};
}

/*
 * Whether since one of the moments more was taken than the condition allows of its period, or of
 * the time since then where that is longer.
 */
static bool is_too_much(struct meter *m, const struct condition *c, uint64_t now, uint64_t ns,
			struct throttled *found)
{
	unsigned int i;

	/* The shortest time in which it was too much says most. */
	for (i = m->nr; i-- > 0;) {
		const struct moment *since = moment(m, i);
		uint64_t elapsed = now - since->at;
		uint64_t period = elapsed > c->period_ns ? elapsed : c->period_ns;

		if (ns <= since->ns || (double)(ns - since->ns) * (double)c->period_ns <=
					       (double)c->ns * (double)period)
			continue;
		found->ns = ns - since->ns;
		found->period_ns = elapsed;
		return true;
	}
	return false;
}

static struct meter *meter_of(struct throttling *t, size_t condition, const char *path)
{
	uint64_t key = hash_numbers(condition, hash_text(path, strlen(path)));
	struct meter *m = hash_get(&t->meters, key);

	if (!m) {
		m = xcalloc(1, sizeof(*m));
		m->key = key;
		m->told = t->looks;
		hash_put(&t->meters, key, m);
	}
	m->look = t->looks;
	return m;
}

/* Each period is known at NR_MOMENTS - 1 moments, or once a look. */
static bool is_time(struct meter *m, const struct condition *c, uint64_t now)
{
	return !m->nr || now - moment(m, m->nr - 1)->at >= c->period_ns / NR_MOMENTS;
}

/* Returns whether it is too much now. */
static bool measure(struct meter *m, const struct condition *c, uint64_t now, uint64_t ns,
		    struct throttled *found)
{
	bool met;

	/* A group of the same name that is a new one begins at 0. */
	if (m->nr && ns < moment(m, m->nr - 1)->ns)
		m->nr = 0;
	met = is_too_much(m, c, now, ns, found);
	if (is_time(m, c, now))
		keep(m, now, ns);
	return met;
}

/* Groups that are gone. */
static void sweep(struct throttling *t)
{
	struct meter *m;
	size_t nr = 0, i, pos = 0;
	struct meter **gone = xcalloc(t->meters.nr + 1, sizeof(*gone));

	while ((m = hash_next(&t->meters, &pos)))
		if (m->look != t->looks)
			gone[nr++] = m;
	for (i = 0; i < nr; i++) {
		hash_del(&t->meters, gone[i]->key);
		free(gone[i]);
	}
	free(gone);
}

static struct known_group take_group(struct known_group *from)
{
	struct known_group group = *from;

	from->path = from->label = from->id = NULL;
	return group;
}

/* What a look has found so far: of all that have too much the one that is told of first. */
struct choice {
	struct meter *meter; /* NULL: nobody has too much */
	uint64_t wait;	     /* as turns_wait() has it */
	uint64_t ns;
	struct throttled found;
};

static bool comes_first(const struct choice *best, const struct meter *m, uint64_t wait)
{
	if (!best->meter || wait != best->wait)
		return !best->meter || wait < best->wait;
	return m->told < best->meter->told;
}

static void look_at(struct throttling *t, const struct condition *c, size_t number,
		    struct known_group *group, uint64_t now, struct choice *best)
{
	struct meter *m = meter_of(t, number, group->path);
	struct throttled found = {.condition = c};
	uint64_t ns, wait;

	if (!read_group(t, group->path, &ns) || !measure(m, c, now, ns, &found))
		return;
	wait = turns_wait(&t->turns, group->label, group->path, NS_PER_SEC);
	if (!comes_first(best, m, wait))
		return;
	throttled_free(&best->found);
	found.group = take_group(group);
	*best = (struct choice){m, wait, ns, found};
}

bool throttling_look(struct throttling *t, const struct condition *conditions, size_t nr,
		     struct known *k, uint64_t host_inum, uint64_t now, struct throttled *found)
{
	struct choice best = {0};
	size_t i, j;

	t->looks++;
	for (i = 0; t->root && i < nr; i++) {
		struct known_group *groups;
		size_t nr_groups;

		if (conditions[i].what != CONDITION_THROTTLED)
			continue;
		nr_groups = known_groups(k, &conditions[i], host_inum, &groups);
		for (j = 0; j < nr_groups; j++)
			look_at(t, &conditions[i], i, &groups[j], now, &best);
		known_groups_free(groups, nr_groups);
	}
	if (found && best.meter) {
		best.meter->told = t->looks;
		best.meter->nr = 0;
		turns_take(&t->turns, best.found.group.label, best.found.group.path);
		keep(best.meter, now, best.ns);
		*found = best.found;
	} else {
		throttled_free(&best.found);
	}
	sweep(t);
	return found && best.meter;
}

void throttling_forget(struct throttling *t)
{
	t->looks++;
	sweep(t);
}

void throttling_end(struct throttling *t)
{
	throttling_forget(t);
	hash_free(&t->meters);
	turns_free(&t->turns);
	free(t->root);
	*t = (struct throttling){0};
}

void throttled_free(struct throttled *found)
{
	known_group_clear(&found->group);
}
