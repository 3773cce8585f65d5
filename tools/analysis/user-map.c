/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "model/container.h"
#include "map.h"
#include "base/util.h"

/* The two tracers measure the offset of one clock each for itself. */
#define CLOCKS_DIFFER 1000000

struct user_map *user_map_new(struct model *m, bool keep_events)
{
	struct user_map *u = xcalloc(1, sizeof(*u));

	u->model = m;
	u->keep_events = keep_events;
	return u;
}

static uint64_t key_of(int64_t pid_ns, int64_t vtid)
{
	return hash_numbers((uint64_t)pid_ns, (uint64_t)vtid);
}

static const char *name_of(struct user_map *u, const char *name)
{
	char *copy = hash_get(&u->names, (uintptr_t)name);

	if (!copy) {
		copy = xstrdup(name);
		hash_put(&u->names, (uintptr_t)name, copy);
	}
	return copy;
}

/* Whether an event of now is of the thread that had these ids before. */
static bool is_same(const struct user_thread *th, const struct task *now, uint64_t ns)
{
	if (th->task == now)
		return true;
	if (!th->task)
		return !now->birth || now->birth <= th->first + CLOCKS_DIFFER;
	return !now && th->task->exited && ns < th->task->death + CLOCKS_DIFFER;
}

static struct user_thread *thread_of(struct user_map *u, const struct user_event *ev)
{
	uint64_t key = key_of(ev->pid_ns, ev->vtid);
	struct user_thread *th, *last = hash_get(&u->threads, key);
	struct task *t = model_task_in(u->model, (uint32_t)ev->pid_ns, (int32_t)ev->vtid);

	if (last && is_same(last, t, ev->ns)) {
		if (!last->task)
			last->task = t;
		return last;
	}
	th = xcalloc(1, sizeof(*th));
	th->pid_ns = ev->pid_ns;
	th->vtid = ev->vtid;
	th->vpid = ev->vpid;
	th->task = t;
	th->first = ev->ns;
	th->next = last;
	u->nr_threads++;
	hash_put(&u->threads, key, th);
	return th;
}

void user_map_event(struct user_map *u, const struct user_event *ev)
{
	struct user_thread *th;

	u->nr_events++;
	if (!user_event_has_thread(ev)) {
		u->nr_bare++;
		return;
	}
	th = thread_of(u, ev);
	th->count++;
	th->last = ev->ns;
	if (!u->keep_events)
		return;
	u->events = grow(u->events, u->nr_kept, &u->cap_kept, sizeof(*u->events));
	u->events[u->nr_kept++] = (struct user_record){
		.ns = ev->ns,
		.thread = th,
		.name = name_of(u, ev->name),
	};
}

static bool outlives(const struct task *t, const struct task *other)
{
	return other->exited && (!t->exited || t->death > other->death);
}

/* Of those of the same ids that lived before the trace, as it tells, the one that did longest. */
static struct hash find_elders(const struct user_map *u)
{
	struct hash elders = {0};
	const struct pidns *ns;
	struct task *t, *other;

	for (t = u->model->tasks; t; t = t->next)
		for (ns = t->birth ? NULL : t->ns; ns; ns = ns->parent) {
			uint64_t key = key_of(ns->inum, t->vtids[ns->level]);

			other = hash_get(&elders, key);
			if (hash_get(&u->threads, key) && (!other || outlives(t, other)))
				hash_put(&elders, key, t);
		}
	return elders;
}

/* Before the state dump came to a task, its events had nobody to be of. */
static void settle_elders(struct user_map *u)
{
	struct hash elders = find_elders(u);
	struct user_thread *th;
	struct task *t;
	size_t pos = 0;

	while ((th = hash_next(&u->threads, &pos))) {
		t = hash_get(&elders, key_of(th->pid_ns, th->vtid));
		for (; t && th; th = th->next)
			if (!th->task && (!t->exited || th->first < t->death))
				th->task = t;
	}
	hash_free(&elders);
}

void user_map_finish(struct user_map *u)
{
	struct user_thread *th;
	size_t pos = 0;

	settle_elders(u);
	while ((th = hash_next(&u->threads, &pos)))
		for (; th; th = th->next)
			th->container = th->task ? task_container(u->model, th->task) : NULL;
}

void user_map_free(struct user_map *u)
{
	struct user_thread *th, *next;
	size_t pos = 0;
	char *name;

	if (!u)
		return;
	while ((th = hash_next(&u->threads, &pos)))
		for (; th; th = next) {
			next = th->next;
			free(th);
		}
	hash_free(&u->threads);
	for (pos = 0; (name = hash_next(&u->names, &pos));)
		free(name);
	hash_free(&u->names);
	free(u->events);
	free(u);
}
