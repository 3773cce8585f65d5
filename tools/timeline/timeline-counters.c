/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "base/util.h"
#include "timeline-counters.h"

#define MOST_STEPS  500
#define LEAST_STEPS 20
/* All steps of all containers, 32 bytes each. */
#define ALL_STEPS   ((size_t)1 << 20)

static size_t steps_for(size_t nr_containers)
{
	size_t each = ALL_STEPS / (nr_containers + 1);

	if (each > MOST_STEPS)
		return MOST_STEPS;
	return each < LEAST_STEPS ? LEAST_STEPS : each;
}

struct counters counters_new(uint64_t begin, uint64_t end, size_t nr)
{
	struct counters c = {.begin = begin, .end = end, .nr = nr, .nr_steps = steps_for(nr)};

	c.step = end > begin ? (end - begin + c.nr_steps - 1) / c.nr_steps : 1;
	c.of = xcalloc(nr + 1, sizeof(*c.of));
	return c;
}

uint64_t counters_moment(const struct counters *c, size_t step)
{
	return c->begin + step * c->step;
}

static uint64_t step_end(const struct counters *c, size_t step)
{
	uint64_t end = counters_moment(c, step + 1);

	return end < c->end ? end : c->end;
}

void counters_add(struct counters *c, size_t container, enum counter what, uint64_t begin,
		  uint64_t end)
{
	size_t i;

	begin = begin > c->begin ? begin : c->begin;
	end = end < c->end ? end : c->end;
	if (begin >= end)
		return;
	if (!c->of[container])
		c->of[container] = xcalloc(c->nr_steps, sizeof(**c->of));
	for (i = (begin - c->begin) / c->step; begin < end; i++) {
		uint64_t until = step_end(c, i) < end ? step_end(c, i) : end;

		c->of[container][i][what] += until - begin;
		begin = until;
	}
}

uint64_t counters_mean(const struct counters *c, size_t container, enum counter what, size_t step)
{
	unsigned __int128 ns = c->of[container] ? c->of[container][step][what] : 0;
	uint64_t width = step_end(c, step) - counters_moment(c, step);

	return (uint64_t)((ns * 1000 + width / 2) / width);
}

void counters_free(struct counters *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		free(c->of[i]);
	free(c->of);
	*c = (struct counters){0};
}
