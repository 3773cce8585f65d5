/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "path.h"
#include "analysis/selection.h"
#include "report/query.h"
#include "base/util.h"

/* One reading of the traces. */
struct reading {
	const struct path_wanted *wanted;
	struct why_options why;
};

/* The one that is chosen, as the next reading finds it. */
struct choice {
	size_t host;
	int tid;
	uint64_t birth, seen, awake; /* seen: where its fork was lost, its birth is not known */
	bool is_of_container;
};

static int on_host(void *ctx, struct host *h)
{
	const struct reading *r = ctx;

	if (query_check_sched(h))
		return -1;
	h->user = why_new(h, &r->why);
	return 0;
}

static void on_begin(void *ctx, struct host *h)
{
	const struct reading *r = ctx;
	uint64_t from, to;

	window_fix(&r->wanted->window, h, &from, &to);
	why_limit(h->user, from, to);
}

static int after_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)ctx;
	why_event(h->user, ev);
	return 0;
}

static void on_loss(void *ctx, struct host *h, const struct loss *loss)
{
	(void)ctx;
	why_loss(h->user, loss);
}

static void forget(struct loaded *l)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++)
		why_free(l->hosts[i]->user);
	loaded_free(l);
}

static int read_all(struct loaded *l, struct reading *r)
{
	const struct load_options opt = {
		.model.keep_dead = true,
		.on_host = on_host,
		.on_begin = on_begin,
		.sched = &why_sched,
		.after_event = after_event,
		.on_loss = on_loss,
		.wants = why_wants(),
		.ctx = r,
	};
	size_t i;

	if (load(l, r->wanted->traces, r->wanted->nr_traces, &opt))
		return -1;
	for (i = 0; i < l->nr_hosts; i++)
		why_finish(l->hosts[i]->user, l->hosts[i]->last);
	return window_check(&r->wanted->window, l);
}

/* The time in which something was to be done. */
static uint64_t awake_of(const struct why_account *a)
{
	uint64_t ns = a->ns;
	size_t i;

	for (i = 0; i < a->nr_sums; i++)
		if (a->sums[i]->cause->kind == WHY_SLEPT ||
		    a->sums[i]->cause->kind == WHY_NOT_WOKEN)
			ns -= a->sums[i]->ns;
	return ns;
}

/* Containers are asked about, before the host. */
static bool is_better(const struct choice *than, const struct choice *c)
{
	if (than->tid && than->is_of_container != c->is_of_container)
		return c->is_of_container;
	return !than->tid || c->awake > than->awake;
}

static void choose_of_host(struct choice *choice, const struct loaded *l, size_t host,
			   const struct path_wanted *wanted, const struct selection *selection)
{
	const struct host *h = l->hosts[host];
	struct why_account *const *accounts;
	size_t nr, i;

	accounts = why_accounts(h->user, &nr);
	for (i = 0; i < nr; i++) {
		const struct why_account *a = accounts[i];
		struct choice c = {host,	  a->task->tid, a->task->birth,
				   a->task->seen, awake_of(a),	a->told && a->container};

		if ((wanted->tid && wanted->tid != c.tid) || !a->ns ||
		    (wanted->container &&
		     (!a->told || !selection_holds(selection, h->model, a->container))))
			continue;
		if (is_better(choice, &c))
			*choice = c;
	}
}

static int choose(struct choice *choice, const struct path_wanted *wanted)
{
	struct reading r = {wanted, {.by_task = true}};
	struct loaded l = {0};
	struct selection selection = {0};
	int ret = read_all(&l, &r);
	size_t i;

	if (!ret && wanted->container)
		ret = selection_containers(&selection, &l, wanted->container, 0);
	for (i = 0; !ret && i < l.nr_hosts; i++)
		choose_of_host(choice, &l, i, wanted, &selection);
	if (!ret && !choice->tid)
		ret = error("No such thread lived in that time; 'lttng-containers tree' lists them."
			    " tid=%d",
			    wanted->tid);
	selection_free(&selection);
	forget(&l);
	return ret;
}

static void take(struct path *p, const struct choice *choice)
{
	const struct path_step *all;
	size_t nr, cap = 0, i;

	p->host = p->loaded.hosts[choice->host];
	all = why_path(p->host->user, &nr);
	for (i = 0; i < nr; i++) {
		if (all[i].owner->birth != choice->birth || all[i].owner->seen != choice->seen)
			continue;
		p->task = all[i].owner;
		p->steps = grow(p->steps, p->nr, &cap, sizeof(*p->steps));
		p->steps[p->nr] = all[i];
		p->steps[p->nr++].container = container_is(all[i].container);
		time_add(&p->ns, all[i].end - all[i].begin);
	}
}

int path_find(struct path *p, const struct path_wanted *wanted)
{
	struct choice choice = {0};
	struct reading r = {wanted, {.by_task = true}};

	if (choose(&choice, wanted))
		return -1;
	r.why.path_tid = choice.tid;
	if (read_all(&p->loaded, &r))
		return -1;
	take(p, &choice);
	return p->nr ? 0 : error("The trace has changed while it was read; try again.");
}

void path_free(struct path *p)
{
	free(p->steps);
	forget(&p->loaded);
	*p = (struct path){0};
}
