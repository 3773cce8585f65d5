/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "running.h"
#include "base/util.h"

/* Of states, the kernel's lower eight are sleeps; above them are flags, one of them preemption. */
#define SLEEPS 0xff

static struct running_cpu *cpu_of(struct running *r, int cpu)
{
	if (cpu < 0)
		return NULL;
	while (r->nr <= (size_t)cpu) {
		r->cpus = grow(r->cpus, r->nr, &r->cap, sizeof(*r->cpus));
		r->cpus[r->nr++] = (struct running_cpu){.tid = -1};
	}
	return &r->cpus[cpu];
}

void running_event(struct running *r, const struct event *ev)
{
	struct running_cpu *c = cpu_of(r, ev->cpu);

	if (!c)
		return;
	switch (ev->kind) {
	case EV_SWITCH:
		/* No interrupt lasts beyond it: what is left of one is an exit that was lost. */
		*c = (struct running_cpu){.tid = ev->sw.next_tid < 0 ? -1 : ev->sw.next_tid,
					  .since = ev->ns,
					  .lost_until = c->lost_until};
		if (ev->sw.next_comm)
			strncpy(c->comm, ev->sw.next_comm, sizeof(c->comm) - 1);
		break;
	case EV_IRQ_ENTRY:
	case EV_SOFTIRQ_ENTRY:
	case EV_HRTIMER_ENTRY:
		c->depth++;
		break;
	case EV_IRQ_EXIT:
	case EV_SOFTIRQ_EXIT:
	case EV_HRTIMER_EXIT:
		if (c->depth)
			c->depth--;
		break;
	default:
		break;
	}
}

static void lose(struct running_cpu *c, uint64_t until)
{
	if (until < c->lost_until)
		until = c->lost_until;
	*c = (struct running_cpu){.tid = -1, .lost_until = until};
}

void running_loss(struct running *r, const struct loss *loss)
{
	struct running_cpu *c = cpu_of(r, loss->cpu);
	size_t i;

	if (c)
		lose(c, loss->end);
	for (i = 0; !c && i < r->nr; i++)
		lose(&r->cpus[i], loss->end);
}

bool running_is_sure(const struct running *r, int cpu, uint64_t now)
{
	const struct running_cpu *c = cpu >= 0 && (size_t)cpu < r->nr ? &r->cpus[cpu] : NULL;

	return c && c->tid >= 0 && now > c->lost_until && c->since > c->lost_until;
}

int64_t running_tid(const struct running *r, int cpu)
{
	return cpu >= 0 && (size_t)cpu < r->nr ? r->cpus[cpu].tid : -1;
}

const char *running_comm(const struct running *r, int cpu)
{
	return cpu >= 0 && (size_t)cpu < r->nr ? r->cpus[cpu].comm : "";
}

enum running_what running_on(const struct running *r, int cpu)
{
	int64_t tid = running_tid(r, cpu);

	if (cpu >= 0 && (size_t)cpu < r->nr && r->cpus[cpu].depth)
		return RUNNING_INTERRUPT;
	if (tid < 0)
		return RUNNING_UNKNOWN;
	return tid ? RUNNING_TASK : RUNNING_IDLE;
}

bool running_is_runnable(int64_t prev_state)
{
	return prev_state != ABSENT && !(prev_state & SLEEPS);
}

void running_free(struct running *r)
{
	free(r->cpus);
	*r = (struct running){0};
}
