/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "against-int.h"
#include "base/text.h"
#include "base/util.h"

int against_read(struct against *a, char *const *paths, size_t nr)
{
	size_t i;

	a->windows = xcalloc(nr, sizeof(*a->windows));
	a->nr_windows = nr;
	for (i = 0; i < nr; i++)
		if (snapshot_read(&a->windows[i].snapshot, paths[i]))
			return -1;
	return 0;
}

static struct task_cgroup *copy_cgroups(const struct pair *p, const struct task *t, size_t *nr)
{
	const struct task_groups of = task_groups(p->host->model, t);
	struct task_cgroup *copy = xcalloc(of.nr, sizeof(*copy));

	if (of.nr)
		memcpy(copy, of.list, of.nr * sizeof(*copy));
	*nr = of.nr;
	return copy;
}

/*
 * A sleeping task cannot change its name, and every run of it is in the trace
 * if switches are; so a name that was told before it slept still holds.
 */
static bool comm_is_certain(const struct pair *p, const struct task *t)
{
	return p->host->offers[EV_SWITCH] && t->comm_told && !t->on_cpu && t->ran < p->begin;
}

/* Children of a living parent keep it; a fork's parent may be the parent's own. */
static bool ppid_is_certain(const struct pair *p, const struct task *t)
{
	const struct task *parent = model_task(p->host->model, t->ppid);

	return t->ppid_told && (!t->ppid || (parent && !parent->exited));
}

static void capture_task(struct pair *p, const struct task *t)
{
	struct capture *c;

	p->captures = grow(p->captures, p->nr_captures, &p->cap_captures, sizeof(*c));
	c = &p->captures[p->nr_captures++];
	*c = (struct capture){.task = t, .ppid = t->ppid};
	memcpy(c->comm, t->comm, sizeof(c->comm));
	memcpy(c->ns_inums, t->ns_inums, sizeof(c->ns_inums));
	c->comm_certain = comm_is_certain(p, t);
	c->ns_certain = p->host->offers[EV_NAMESPACE_SWITCH] ||
			(p->host->offers[EV_SWITCH] && !t->on_cpu && t->ran < t->ns_told);
	c->ppid_certain = ppid_is_certain(p, t);
	c->cgroups = copy_cgroups(p, t, &c->nr_cgroups);
}

static void capture(struct pair *p)
{
	const struct model *m = p->host->model;
	const struct task *t;
	size_t pos = 0, i;

	p->captured = true;
	p->dumps = m->nr_whole_dumps;
	p->sure = model_is_whole(m);
	while ((t = hash_next(&m->by_tid, &pos)))
		if (!t->exited && !t->only_ran)
			capture_task(p, t);
	for (i = 0; i < p->nr_captures; i++)
		hash_put(&p->by_task, (uintptr_t)p->captures[i].task, &p->captures[i]);
}

/* A state dump has ended since the snapshot: it tells whether something changed. */
static void complete_captures(struct pair *p)
{
	const struct model *m = p->host->model;
	size_t i;

	p->dumps = m->nr_whole_dumps;
	for (i = 0; i < p->nr_captures; i++) {
		struct capture *c = &p->captures[i];

		if (c->told_after || c->task->dump_seq != m->dump_seq)
			continue;
		c->told_after = true;
		memcpy(c->ns_after, c->task->ns_inums, sizeof(c->ns_after));
		c->cgroups_after = copy_cgroups(p, c->task, &c->nr_cgroups_after);
	}
}

/* The pairs of one host; what host->user points to. */
struct schedule {
	struct pair **pairs;
	size_t nr, cap;
	uint64_t next; /* the next moment at which something is to be done */
	unsigned int dumps;
};

static void look(struct schedule *s, const struct host *h, uint64_t ns)
{
	size_t i;

	s->next = UINT64_MAX;
	s->dumps = h->model->nr_whole_dumps;
	for (i = 0; i < s->nr; i++) {
		struct pair *p = s->pairs[i];

		if (!p->captured && ns > p->end)
			capture(p);
		if (!p->captured && p->end < s->next)
			s->next = p->end;
		if (p->captured && p->dumps != h->model->nr_whole_dumps)
			complete_captures(p);
	}
}

static void before_event(void *ctx, struct host *h, uint64_t ns)
{
	struct schedule *s = h->user;

	(void)ctx;
	if (s && (ns > s->next || h->model->nr_whole_dumps != s->dumps))
		look(s, h, ns);
}

static int on_host(void *ctx, struct host *h)
{
	struct against *a = ctx;
	struct schedule *s = xcalloc(1, sizeof(*s));
	size_t i;

	for (i = 0; i < a->nr_windows; i++) {
		struct window *w = &a->windows[i];
		struct pair *p;

		if (strcmp(w->snapshot.boot_id, h->trace->boot_id))
			continue;
		p = xcalloc(1, sizeof(*p));
		p->snapshot = &w->snapshot;
		p->host = h;
		p->begin = w->snapshot.begin + (uint64_t)h->trace->clock_offset;
		p->end = w->snapshot.end + (uint64_t)h->trace->clock_offset;
		w->pairs = grow(w->pairs, w->nr_pairs, &w->cap_pairs, sizeof(struct pair *));
		w->pairs[w->nr_pairs++] = p;
		s->pairs = grow(s->pairs, s->nr, &s->cap, sizeof(struct pair *));
		s->pairs[s->nr++] = p;
	}
	if (s->nr)
		h->user = s;
	else
		free(s);
	return 0;
}

void against_prepare(struct against *a, struct load_options *opt)
{
	opt->model.keep_dead = true;
	opt->on_host = on_host;
	opt->before_event = before_event;
	opt->ctx = a;
}

static int snapshot_error(const struct window *w, const char *what, const struct loaded *l)
{
	char *path = text_escape(w->snapshot.path), *boot_id = text_escape(w->snapshot.boot_id);

	error("%s file=%s snapshot_boot_id=%s trace_boot_id=%s", what, path, boot_id,
	      l->nr_hosts && *l->hosts[0]->trace->boot_id ? l->hosts[0]->trace->boot_id : "none");
	free(path);
	free(boot_id);
	return -1;
}

/* The snapshot was taken within the trace; else nobody's life is known all along. */
static bool is_inside(const struct pair *p)
{
	return p->begin >= p->host->begin && p->end <= p->host->end;
}

static void judge_pair(struct loaded *l, struct pair *p)
{
	const struct model *m = p->host->model;

	if (!p->captured) {
		capture(p);
	} else if (p->dumps != m->nr_whole_dumps) {
		complete_captures(p);
	}
	/* A dump after the snapshot tells as well who had lived, if nothing was lost. */
	if (p->sure == UNSURE_EARLY && m->nr_whole_dumps)
		p->sure = m->nr_losses ? UNSURE_LOST : SURE;
	compare_pair(&l->verdicts, p);
}

int against_judge(struct against *a, struct loaded *l)
{
	size_t i, k;

	for (i = 0; i < a->nr_windows; i++) {
		struct window *w = &a->windows[i];
		uint64_t compared = 0;
		bool inside = false;

		for (k = 0; k < w->nr_pairs; k++) {
			if (!is_inside(w->pairs[k]))
				continue;
			inside = true;
			judge_pair(l, w->pairs[k]);
			compared += w->pairs[k]->nr_compared;
		}
		if (!w->nr_pairs)
			return snapshot_error(w,
					      "The snapshot is of another boot or host than the"
					      " trace; give the one that was taken during it.",
					      l);
		if (!inside)
			return snapshot_error(w,
					      "The snapshot was not taken while the trace was"
					      " recorded.",
					      l);
		if (!compared)
			return snapshot_error(w,
					      "No thread of the snapshot could be compared with"
					      " the trace.",
					      l);
	}
	return 0;
}

static void pair_free(struct pair *p)
{
	size_t i;

	for (i = 0; i < p->nr_captures; i++) {
		free(p->captures[i].cgroups);
		free(p->captures[i].cgroups_after);
	}
	free(p->captures);
	hash_free(&p->by_task);
	free(p);
}

static void schedule_free(struct host *h)
{
	struct schedule *s = h->user;

	h->user = NULL;
	if (!s)
		return;
	free(s->pairs);
	free(s);
}

void against_free(struct against *a)
{
	size_t i, k;

	for (i = 0; i < a->nr_windows; i++) {
		struct window *w = &a->windows[i];

		for (k = 0; k < w->nr_pairs; k++) {
			schedule_free(w->pairs[k]->host);
			pair_free(w->pairs[k]);
		}
		free(w->pairs);
		snapshot_free(&w->snapshot);
	}
	free(a->windows);
	*a = (struct against){0};
}
