/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "throttle.h"
#include "base/util.h"

/* Of fewer none are forgotten. */
#define PLACES_LEAST 1024
/* Who was in a cgroup when it went is settled so much later. */
#define KEEP_NS	     10000000000ull

/* So many stretches of a place are there for sure. */
#define STRETCHES_MAX 256

struct stretch {
	uint64_t begin, end;
};

/* A cgroup on a CPU. */
struct place_of_group {
	int hierarchy, cpu;
	uint64_t id;
	unsigned int depth; /* how many throttle it: itself and those above */
	uint64_t since;	    /* if depth is not 0 */
	struct stretch *list;
	size_t nr, cap;
	struct place_of_group *next;			/* of the same hash */
	struct place_of_group *next_held, **held_there; /* if depth is not 0: of all those */
};

uint64_t throttles_wants(void)
{
	return WANT(EV_THROTTLE) | WANT(EV_UNTHROTTLE);
}

static uint64_t key_of(int hierarchy, uint64_t id, int cpu)
{
	return hash_numbers(hash_numbers((uint64_t)hierarchy, id), (uint64_t)cpu);
}

static struct place_of_group *find(const struct throttles *t, int hierarchy, uint64_t id, int cpu)
{
	struct place_of_group *p = hash_get(&t->places, key_of(hierarchy, id, cpu));

	while (p && (p->hierarchy != hierarchy || p->id != id || p->cpu != cpu))
		p = p->next;
	return p;
}

static struct place_of_group *put(struct throttles *t, int hierarchy, uint64_t id, int cpu)
{
	struct place_of_group *p = find(t, hierarchy, id, cpu);
	uint64_t key = key_of(hierarchy, id, cpu);

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->hierarchy = hierarchy;
	p->id = id;
	p->cpu = cpu;
	p->next = hash_get(&t->places, key);
	hash_put(&t->places, key, p);
	t->nr++;
	return p;
}

static void add(struct place_of_group *p, uint64_t begin, uint64_t end)
{
	if (begin >= end)
		return;
	if (p->nr == 2 * STRETCHES_MAX) {
		memmove(p->list, p->list + STRETCHES_MAX, STRETCHES_MAX * sizeof(*p->list));
		p->nr = STRETCHES_MAX;
	}
	p->list = grow(p->list, p->nr, &p->cap, sizeof(*p->list));
	p->list[p->nr++] = (struct stretch){begin, end};
}

static uint64_t last_told(const struct place_of_group *p)
{
	return p->depth ? p->since : p->nr ? p->list[p->nr - 1].end : 0;
}

static bool is_gone(const struct place_of_group *p, const struct model *m, uint64_t before,
		    bool untold)
{
	const struct cgroup *g = model_cgroup(m, p->hierarchy, p->id);

	if (!g)
		return untold && last_told(p) < before;
	return cgroup_death(g) && cgroup_death(g) < before;
}

static void hold(struct throttles *t, struct place_of_group *p, uint64_t now)
{
	p->since = now;
	p->next_held = t->held;
	p->held_there = &t->held;
	if (t->held)
		t->held->held_there = &p->next_held;
	t->held = p;
}

static void release(struct place_of_group *p)
{
	*p->held_there = p->next_held;
	if (p->next_held)
		p->next_held->held_there = p->held_there;
}

/* What is left of a list. */
static struct place_of_group *without_gone(struct throttles *t, struct place_of_group *p,
					   const struct model *m, uint64_t before, bool untold)
{
	struct place_of_group *left = NULL, *next;

	for (; p; p = next) {
		next = p->next;
		if (is_gone(p, m, before, untold)) {
			if (p->depth)
				release(p);
			free(p->list);
			free(p);
			t->nr--;
		} else {
			p->next = left;
			left = p;
		}
	}
	return left;
}

/* @untold: also those of which no more is known than that they were throttled. */
static void forget(struct throttles *t, const struct model *m, uint64_t before, bool untold)
{
	struct hash kept = {0};
	struct place_of_group *p;
	size_t pos = 0;

	while ((p = hash_next(&t->places, &pos))) {
		p = without_gone(t, p, m, before, untold);
		if (p)
			hash_put(&kept, key_of(p->hierarchy, p->id, p->cpu), p);
	}
	hash_free(&t->places);
	t->places = kept;
	t->forget_at = 2 * t->nr;
}

void throttles_forget(struct throttles *t, const struct model *m, uint64_t before)
{
	forget(t, m, before, true);
}

void throttles_event(struct throttles *t, const struct model *m, const struct event *ev)
{
	const struct ev_throttle *e = &ev->throttle;
	struct place_of_group *p;

	if ((ev->kind != EV_THROTTLE && ev->kind != EV_UNTHROTTLE) || e->hierarchy == ABSENT ||
	    e->cgroup_id == ABSENT || e->target_cpu < 0 || e->target_cpu >= CPUS_MAX)
		return;
	if (t->nr >= PLACES_LEAST && t->nr >= t->forget_at)
		forget(t, m, m->now > KEEP_NS ? m->now - KEEP_NS : 0, false);
	p = put(t, (int)e->hierarchy, (uint64_t)e->cgroup_id, (int)e->target_cpu);
	t->hierarchy = p->hierarchy;
	t->cgroup_id = p->id;
	if (ev->kind == EV_THROTTLE) {
		if (!p->depth++)
			hold(t, p, ev->ns);
	} else if (p->depth && !--p->depth) {
		release(p);
		add(p, p->since, ev->ns);
	}
}

void throttles_loss(struct throttles *t, const struct model *m)
{
	struct place_of_group *p;

	while ((p = t->held)) {
		release(p);
		add(p, p->since, m->now);
		p->depth = 0;
	}
}

/* The first stretch of a place that ends after a moment; nr if there is none. */
static size_t first_after(const struct place_of_group *p, uint64_t ns)
{
	size_t low = 0, high = p->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->list[middle].end <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first of one cgroup. */
static bool next_of(const struct place_of_group *p, uint64_t begin, uint64_t end,
		    struct stretch *found)
{
	size_t i = first_after(p, begin);

	if (i < p->nr)
		*found = p->list[i];
	else if (p->depth)
		*found = (struct stretch){p->since, UINT64_MAX};
	else
		return false;
	found->begin = found->begin > begin ? found->begin : begin;
	found->end = found->end < end ? found->end : end;
	return found->begin < found->end;
}

static void look_at(const struct throttles *t, const struct cgroup *g, int cpu, uint64_t begin,
		    uint64_t end, struct throttled *found)
{
	for_each_cgroup_up(g) {
		const struct place_of_group *p = find(t, g->hierarchy, g->id, cpu);
		struct stretch s;

		/* Of two that begin together, the one above is the reason of the other. */
		if (p && next_of(p, begin, end, &s) && (!found->cgroup || s.begin <= found->begin))
			*found = (struct throttled){s.begin, s.end, g};
	}
}

bool throttles_next(const struct throttles *t, const struct model *m, const struct task *task,
		    int cpu, uint64_t begin, uint64_t end, struct throttled *found)
{
	struct task_groups of;
	size_t i;

	found->cgroup = NULL;
	if (!t->nr)
		return false;
	of = task_groups(m, task);
	for (i = 0; i < of.nr; i++)
		look_at(t, task_group(m, &of.list[i]), cpu, begin, end, found);
	return found->cgroup;
}

bool throttles_hold(const struct throttles *t, const struct model *m, const struct task *task,
		    int cpu)
{
	const struct cgroup *g;
	struct task_groups of;
	size_t i;

	if (!t->nr || !task)
		return false;
	of = task_groups(m, task);
	for (i = 0; i < of.nr; i++) {
		g = task_group(m, &of.list[i]);
		for_each_cgroup_up(g) {
			const struct place_of_group *p = find(t, g->hierarchy, g->id, cpu);

			if (p && p->depth)
				return true;
		}
	}
	return false;
}

void throttles_free(struct throttles *t)
{
	struct place_of_group *p, *next;
	size_t pos = 0;

	while ((p = hash_next(&t->places, &pos)))
		for (; p; p = next) {
			next = p->next;
			free(p->list);
			free(p);
		}
	hash_free(&t->places);
}
