/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "report/why/report-why.h"
#include "timeline.h"
#include "base/util.h"

static uint64_t key_of(const struct task *t)
{
	return hash_numbers((uint64_t)t->tid, t->birth);
}

/* The path is of another reading of the traces: a thread is known by its tid and its birth. */
static void find_tasks(struct hash *tasks, const struct timeline *tl, const struct host *h)
{
	size_t i;

	for (i = 0; i < tl->nr_tasks; i++)
		if (tl->tasks[i]->task && tl->tasks[i]->host == h)
			hash_put(tasks, key_of(tl->tasks[i]->task), tl->tasks[i]);
}

static void add_step(struct timeline *tl, const struct tl_task *t, const struct path *p,
		     const struct path_step *s)
{
	struct tl_step *last = tl->nr_steps ? &tl->steps[tl->nr_steps - 1] : NULL;
	char *cause = path_cause(p, s);

	/* Chains that differ further up look the same here. */
	if (last && last->task == t->number && last->end == s->begin &&
	    !strcmp(last->cause, cause)) {
		last->end = s->end;
		free(cause);
		return;
	}
	tl->steps = grow(tl->steps, tl->nr_steps, &tl->cap_steps, sizeof(*tl->steps));
	tl->steps[tl->nr_steps++] = (struct tl_step){t->number, s->begin, s->end, cause};
}

void timeline_take_path(struct timeline *tl, const struct loaded *l, const struct path *p)
{
	struct hash tasks = {0};
	const struct tl_task *t;
	size_t i;

	for (i = 0; i < l->nr_hosts && i < p->loaded.nr_hosts; i++)
		if (p->loaded.hosts[i] == p->host)
			find_tasks(&tasks, tl, l->hosts[i]);
	for (i = 0; i < p->nr; i++) {
		t = hash_get(&tasks, key_of(p->steps[i].task));
		if (t && p->steps[i].end > tl->begin && p->steps[i].begin < tl->end)
			add_step(tl, t, p, &p->steps[i]);
	}
	hash_free(&tasks);
}

void timeline_free_path(struct timeline *tl)
{
	size_t i;

	for (i = 0; i < tl->nr_steps; i++)
		free(tl->steps[i].cause);
	free(tl->steps);
}
