/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "base/text.h"
#include "base/util.h"
#include "event-task.h"

/* The texts of a container, and what they were made from. */
struct label {
	char *title, *id;
	const char *from_name, *from_id;
	const struct pidns *from_ns;
	const struct cgroup *from_cgroup;
	uint64_t told;
	struct alikes *of; /* those that it is numbered among, by @number; NULL: it is not */
	size_t number;
};

/* Those of one label and birth: where many are, no number is tried twice. */
struct alikes {
	size_t nr;
};

const struct event_task event_task_none = {.container = "", .id = ""};

static bool is_current(const struct label *l, const struct container *c)
{
	return l->title && l->from_name == c->name && l->from_id == c->id && l->from_ns == c->ns &&
	       l->from_cgroup == c->cgroup && l->told == c->told;
}

static bool is_taken(const struct event_tasks *w, const struct container *c, const char *label)
{
	struct container *by = hash_get(&w->taken, hash_text(label, strlen(label)));

	return !strcmp(label, HOST_LABEL) || (by && container_is(by) != c);
}

static struct alikes *alikes_of(struct event_tasks *w, const char *born)
{
	uint64_t key = hash_text(born, strlen(born));
	struct alikes *of = hash_get(&w->alikes, key);

	if (!of) {
		of = xcalloc(1, sizeof(*of));
		of->nr = 1;
		hash_put(&w->alikes, key, of);
	}
	return of;
}

/* With a number behind the birth: the one that it has, or the first that is free. */
static char *numbered(struct event_tasks *w, const struct container *c, struct label *l,
		      const char *born)
{
	struct alikes *of = alikes_of(w, born);
	char *label = NULL;

	if (l->of != of)
		l->number = 0;
	l->of = of;
	do {
		if (label || !l->number)
			l->number = ++of->nr;
		free(label);
		/* Reports, which know all, number others so with one sign. */
		label = xasprintf("%s##%zu", born, l->number);
	} while (is_taken(w, c, label));
	return label;
}

/*
 * Its label, as far as is told yet: who comes later and would look alike gets the birth behind it.
 * The caller frees it.
 */
static char *title_of(struct event_tasks *w, struct container *c, struct label *l)
{
	char *label = container_label(c);

	if (is_taken(w, c, label)) {
		free(label);
		label = container_label_born(c);
	}
	if (is_taken(w, c, label)) {
		char *longer = numbered(w, c, l, label);

		free(label);
		label = longer;
	}
	hash_put(&w->taken, hash_text(label, strlen(label)), c);
	return label;
}

static const struct label *label_of(struct event_tasks *w, struct container *c)
{
	struct label *l = hash_get(&w->labels, c->serial);
	char *title;

	if (!l) {
		l = xcalloc(1, sizeof(*l));
		hash_put(&w->labels, c->serial, l);
	}
	if (is_current(l, c))
		return l;
	free(l->title);
	free(l->id);
	title = title_of(w, c, l);
	l->title = text_valid(title);
	l->id = text_valid(c->id);
	free(title);
	l->from_name = c->name;
	l->from_id = c->id;
	l->from_ns = c->ns;
	l->from_cgroup = c->cgroup;
	l->told = c->told;
	return l;
}

/* Of the whole process, at the level of the thread's own namespace. */
static int32_t vpid_of(const struct model *m, const struct task *t)
{
	const struct task *leader = t->pid == t->tid ? t : model_task(m, t->pid);

	return leader && leader->ns == t->ns ? leader->vtids[t->ns->level] : 0;
}

static struct event_task event_task_of(struct event_tasks *w, struct task *t)
{
	struct event_task who = event_task_none;
	struct container *c;

	if (!t)
		return who;
	c = task_container(w->model, t);
	if (c) {
		const struct label *l = label_of(w, c);

		who.container = l->title;
		who.id = l->id;
	} else if (t->ns) {
		who.container = HOST_LABEL;
	}
	if (t->ns) {
		who.pid_ns = t->ns->inum;
		who.vtid = t->vtids[t->ns->level];
		who.vpid = vpid_of(w->model, t);
	}
	return who;
}

static struct event_task event_task_has_tid(struct event_tasks *w, int64_t tid)
{
	struct event_task idle = event_task_none;

	if (tid)
		return event_task_of(w, model_task(w->model, tid));
	idle.pid_ns = w->model->root_inum;
	return idle;
}

struct event_task event_task_running(struct event_tasks *w, int cpu, uint64_t ns,
				     const struct event *ev)
{
	int64_t tid;

	if (cpu < 0 || cpu >= CPUS_MAX)
		return event_task_none;
	if (ev)
		cpus_event(w->cpus, ev, 0);
	tid = cpus_causes(w->cpus, cpu, ns, ev);
	return tid < 0 ? event_task_none : event_task_has_tid(w, tid);
}

struct event_task event_task_find(struct event_tasks *w, uint32_t pid_ns, int64_t vtid)
{
	return event_task_of(w, model_task_in(w->model, pid_ns, (int32_t)vtid));
}

void event_tasks_lost(struct event_tasks *w, const struct loss *loss)
{
	cpus_loss(w->cpus, loss);
}

struct event_tasks *event_tasks_new(struct model *m)
{
	struct event_tasks *w = xcalloc(1, sizeof(*w));

	w->model = m;
	w->cpus = cpus_new(m, NULL, NULL);
	cpus_keep_now(w->cpus, true, true);
	return w;
}

void event_tasks_free(struct event_tasks *w)
{
	struct alikes *of;
	struct label *l;
	size_t pos = 0;

	if (!w)
		return;

	while ((l = hash_next(&w->labels, &pos))) {
		free(l->title);
		free(l->id);
		free(l);
	}
	pos = 0;
	while ((of = hash_next(&w->alikes, &pos)))
		free(of);
	hash_free(&w->labels);
	hash_free(&w->taken);
	hash_free(&w->alikes);
	cpus_free(w->cpus);
	free(w);
}
