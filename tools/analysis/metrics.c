/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "metrics.h"
#include "model/cgroup-path.h"

#define RELAYD_SERVICE "/system.slice/lttng-relayd.service"
/* lttng-sessiond's workers start programs, too. */
#define GENERATIONS    4

const uint64_t latency_bounds[LATENCY_BUCKETS] = {
	1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
};

/* What is not settled of a task. */
struct pending {
	ns_sum cpu, interrupted; /* before it was told where it is */
	uint32_t nr_waits;	 /* that delays.h has not told of yet */
};

enum { KEY_HOST = 1, KEY_UNTOLD = 3 };

static struct metric_row *row_of(struct metrics *m, bool told, struct container *c)
{
	uint64_t key;
	struct metric_row *r;

	c = container_is(c);
	key = !told ? KEY_UNTOLD : c ? (uintptr_t)c : KEY_HOST;
	r = hash_get(&m->by_container, key);
	if (r)
		return r;
	r = xcalloc(1, sizeof(*r));
	r->told = told;
	r->container = c;
	m->rows = grow(m->rows, m->nr_rows, &m->cap_rows, sizeof(*m->rows));
	m->rows[m->nr_rows++] = r;
	hash_put(&m->by_container, key, r);
	return r;
}

struct metric_row *metrics_row(struct metrics *m, struct container *c)
{
	return row_of(m, true, c);
}

/* The row of who is there. */
static struct metric_row *row_at(struct metrics *m, const struct place *p)
{
	struct metric_row *r = row_of(m, p->known, p->container);
	const struct container *outer;
	const struct cgroup *g;

	if (r->has_owner || !r->told || !r->container || !p->cgroup_id)
		return r;
	g = model_cgroup(m->host->model, p->hierarchy, p->cgroup_id);
	if (g) {
		outer = container_outside(m->host->model, r->container, NULL);
		r->has_owner = true;
		r->owner = cgroup_owner(outer->cgroup, g);
	}
	return r;
}

/*
 * Who is shown with others is one culprit with them, or, where that is shown by name, with the
 * container that he is within.
 */
static struct culprit shown_culprit(const struct metrics *m, struct culprit who)
{
	const struct metric_row *r, *outer;
	struct container *around;

	if (who.kind != BY_TASKS || !who.container)
		return who;
	r = hash_get(&m->by_container, (uintptr_t)container_is(who.container));
	if (!r || !r->nr_added || r->container == who.container)
		return who;
	around = container_around(m->host->model, who.container);
	outer = around ? hash_get(&m->by_container, (uintptr_t)around) : NULL;
	who.container = outer && outer->shown == SHOWN_ITSELF ? around : r->container;
	return who;
}

static struct metrics *metrics_of(void *ctx)
{
	return ((struct host *)ctx)->user;
}

static struct pending *pending_of(struct metrics *m, const struct task *t)
{
	struct pending *p = t ? hash_get(&m->tasks, (uintptr_t)t) : NULL;

	if (p || !t)
		return p;
	p = xcalloc(1, sizeof(*p));
	hash_put(&m->tasks, (uintptr_t)t, p);
	return p;
}

/* The process that asks for state dumps; 0: not known. */
static int64_t sessiond_of(struct metrics *m)
{
	const struct task *t = m->dumper > 0 ? model_task(m->host->model, m->dumper) : NULL;

	if (t && t->pid > 0) {
		m->sessiond = t->pid;
		m->dumper = 0;
	}
	return m->sessiond;
}

/* Of lttng-sessiond, of what it has started, as lttng-consumerd, or of the recorder. */
static bool is_descendant(struct metrics *m, const struct task *t)
{
	const struct model *model = m->host->model;
	int64_t sessiond = sessiond_of(m);
	int i;

	for (i = 0; t && t->pid > 0 && i < GENERATIONS; i++) {
		if (t->pid == sessiond || (t->pid == model->recorder_pid && !model->recorder_gone))
			return true;
		t = model_task(model, t->pid);
		t = t && t->ppid > 0 ? model_task(model, t->ppid) : NULL;
	}
	return false;
}

/* Nothing tells of it but its name: not where a user, or who runs a service, may choose that. */
static bool is_relayd(const struct metrics *m, const struct run *run)
{
	const struct cgroup *g;
	uint32_t user;

	if (strcmp(run->task->comm, "lttng-relayd"))
		return false;
	g = model_cgroup(m->host->model, run->place.hierarchy, run->place.cgroup_id);
	if (!g || (cgroup_user_slice(g->path, &user) && user))
		return false;
	return !cgroup_service(g->path) || !strcmp(g->path, RELAYD_SERVICE);
}

/* Only the host's: whatever a container calls its own. */
static bool is_recorder(struct metrics *m, const struct run *run)
{
	return run->task && !run->place.container &&
	       (is_descendant(m, run->task) || is_relayd(m, run));
}

/* Who had the CPU when the dump began there. */
static void seek_dumper(struct metrics *m, const struct run *run)
{
	if (run->cpu != m->dump_cpu || run->end <= m->dump_ns)
		return;
	m->seeks_dumper = false;
	if (run->under == RUN_TASK && run->begin <= m->dump_ns &&
	    m->host->model->nr_losses == m->dump_losses)
		m->dumper = run->tid;
}

/* Its number is another's, or may be. */
static void forget_sessiond(struct metrics *m, int64_t tid)
{
	if (tid == m->dumper)
		m->dumper = 0;
	if (tid == m->sessiond)
		m->sessiond = 0;
}

void metrics_event(struct metrics *m, const struct event *ev)
{
	switch (ev->kind) {
	case EV_DUMP_START:
		m->dump_cpu = ev->cpu;
		m->dump_ns = ev->ns;
		m->dump_losses = m->host->model->nr_losses;
		m->seeks_dumper = true;
		break;
	case EV_FORK:
		forget_sessiond(m, ev->fork.child_tid);
		break;
	case EV_EXIT:
		forget_sessiond(m, ev->task.tid);
		break;
	default:
		break;
	}
}

/* Where a task is told first, it was before, too. */
static void place(struct metrics *m, const struct run *run, uint64_t ns)
{
	struct pending *p = run->task ? hash_get(&m->tasks, (uintptr_t)run->task) : NULL;
	struct metric_row *r = row_at(m, &run->place);

	if (p && (p->cpu || p->interrupted)) {
		r->cpu += p->cpu;
		r->interrupted += p->interrupted;
		m->unplaced -= p->cpu + p->interrupted;
		p->cpu = p->interrupted = 0;
	}
	*(run->kind == RUN_INTERRUPT ? &r->interrupted : &r->cpu) += ns;
	if (run->kind == RUN_TASK && is_recorder(m, run))
		m->recorder += ns;
}

/* What a wait costs is by how many culprits there are. */
static void tell_delays(struct metrics *m, const struct run *run)
{
	struct run told = *run;

	if (run->kind == RUN_TASK)
		told.place.container = shown_culprit(m, culprit_of_run(run)).container;
	delays_sched.on_run(&m->as_delays, &told);
}

static void on_run(void *ctx, const struct run *run)
{
	struct metrics *m = metrics_of(ctx);
	uint64_t ns = run->end - run->begin;
	struct pending *p;

	tell_delays(m, run);
	if (m->seeks_dumper)
		seek_dumper(m, run);
	if (run->kind == RUN_INTERRUPT)
		m->interrupts += ns;
	else if (run->kind != RUN_TASK)
		*(run->kind == RUN_IDLE ? &m->idle : &m->unknown) += ns;
	if (run->under != RUN_TASK)
		return;
	if (run->place.known) {
		place(m, run, ns);
		return;
	}
	m->unplaced += ns;
	p = pending_of(m, run->task);
	if (p)
		*(run->kind == RUN_INTERRUPT ? &p->interrupted : &p->cpu) += ns;
}

/* Whoever is shown as the culprit. */
static void blame(const struct metrics *m, struct metric_row *r, const struct blame *b)
{
	const struct blame shown = {.who = shown_culprit(m, b->who), .ns = b->ns};

	blames_add(&r->blames, &shown);
}

/* Of delays.h: all is known of a wait. */
static void on_wait_told(void *ctx, const struct wait *w)
{
	struct metrics *m = ctx;
	struct metric_row *r = row_of(m, w->told, w->container);
	struct pending *p = w->task ? hash_get(&m->tasks, (uintptr_t)w->task) : NULL;
	size_t i;

	if (p)
		p->nr_waits--;
	r->waits++;
	r->waited += w->ns;
	for (i = 0; i < LATENCY_BUCKETS; i++)
		if (w->ns <= latency_bounds[i]) {
			r->buckets[i]++;
			break;
		}
	for (i = 0; i < w->blames.nr; i++)
		blame(m, r, &w->blames.list[i]);
}

static void on_wait(void *ctx, struct sched_wait *w)
{
	struct metrics *m = metrics_of(ctx);
	struct pending *p = pending_of(m, w->task);

	if (p)
		p->nr_waits++;
	delays_sched.on_wait(&m->as_delays, w);
}

static void on_wait_moves(void *ctx, struct sched_wait *w, int from, uint64_t ns)
{
	delays_sched.on_wait_moves(&metrics_of(ctx)->as_delays, w, from, ns);
}

static void on_wait_ends(void *ctx, struct sched_wait *w)
{
	delays_sched.on_wait_ends(&metrics_of(ctx)->as_delays, w);
}

static void on_handover(void *ctx, const struct handover *h)
{
	delays_sched.on_handover(&metrics_of(ctx)->as_delays, h);
}

static void on_throttle(void *ctx, const struct throttles *t, int cpu, uint64_t ns)
{
	delays_sched.on_throttle(&metrics_of(ctx)->as_delays, t, cpu, ns);
}

static void on_dump_end(void *ctx)
{
	delays_sched.on_dump_end(&metrics_of(ctx)->as_delays);
}

/* TASK_UNINTERRUPTIBLE; with TASK_NOLOAD a kernel's thread only idles in it. */
static bool is_uninterruptible(int64_t state)
{
	return state != ABSENT && (state & 2) && !(state & 0x400);
}

static enum blocked_by blocked_by(const struct block *b)
{
	if (is_uninterruptible(b->state))
		return BLOCKED_UNINTERRUPTIBLE;
	if (!b->by || b->unfinished)
		return BLOCKED_UNKNOWN;
	switch (b->by->waker.kind) {
	case RUN_TASK:
		return BLOCKED_TASK;
	case RUN_INTERRUPT:
	case RUN_IDLE:
		return BLOCKED_INTERRUPT;
	default:
		return BLOCKED_UNKNOWN;
	}
}

static void on_block(void *ctx, const struct block *b)
{
	struct metrics *m = metrics_of(ctx);
	struct place p = cpus_place(m->host->model, b->task);

	if (b->begin)
		row_at(m, &p)->blocked[blocked_by(b)] += b->end - b->begin;
}

/* Who wakes is asked of struct block. */
static void on_wakeup(void *ctx, struct wakeup *w)
{
	(void)ctx;
	(void)w;
}

const struct sched_callbacks metrics_sched = {
	.on_run = on_run,
	.on_handover = on_handover,
	.on_wait = on_wait,
	.on_wait_moves = on_wait_moves,
	.on_wait_ends = on_wait_ends,
	.on_block = on_block,
	.on_wakeup = on_wakeup,
	.on_throttle = on_throttle,
	.on_dump_end = on_dump_end,
};

struct metrics *metrics_new(struct host *h, bool is_endless)
{
	struct metrics *m = xcalloc(1, sizeof(*m));
	enum metric_shown i;

	m->host = h;
	m->is_endless = is_endless;
	m->delays = delays_new(h, 0);
	delays_tell(m->delays, on_wait_told, m);
	m->as_delays.user = m->delays;
	for (i = SHOWN_AS_ENDED; i <= SHOWN_AS_OTHER; i++) {
		m->added_up[i] = xcalloc(1, sizeof(*m->added_up[i]));
		/* A sweep need not look at it. */
		m->added_up[i]->is_kept = true;
	}
	/* It is there from the beginning. */
	row_of(m, true, NULL);
	return m;
}

static void row_free(struct metric_row *r)
{
	blames_clear(&r->blames);
	free(r);
}

void metrics_free(struct metrics *m)
{
	struct pending *p;
	size_t pos = 0, i;

	if (!m)
		return;
	delays_free(m->delays);
	while ((p = hash_next(&m->tasks, &pos)))
		free(p);
	hash_free(&m->tasks);
	hash_free(&m->by_container);
	for (i = 0; i < m->nr_rows; i++)
		row_free(m->rows[i]);
	for (i = SHOWN_AS_ENDED; i <= SHOWN_AS_OTHER; i++)
		free(m->added_up[i]);
	free(m->rows);
	free(m);
}

/* It may be known now where it was. */
static void settle(struct metrics *m, struct task *t)
{
	struct pending *p = hash_get(&m->tasks, (uintptr_t)t);
	struct place at = cpus_place(m->host->model, t);
	struct metric_row *r;

	if (!p)
		return;
	if (at.known && (p->cpu || p->interrupted)) {
		r = row_at(m, &at);
		r->cpu += p->cpu;
		r->interrupted += p->interrupted;
		m->unplaced -= p->cpu + p->interrupted;
	}
	hash_del(&m->tasks, (uintptr_t)t);
	free(p);
}

static bool may_go(void *ctx, struct task *t)
{
	struct metrics *m = ctx;
	const struct pending *p = hash_get(&m->tasks, (uintptr_t)t);

	if ((p && p->nr_waits) || !sched_forget(m->host->sched, t))
		return false;
	delays_forget(m->delays, t);
	settle(m, t);
	return true;
}

/* What is to come of it is added up, too: who is shown with others stays with them. */
static bool may_fold(const struct metric_row *r)
{
	return r->shown >= SHOWN_AS_ENDED && !r->nr_added && !r->container->became;
}

static void add_row(struct metric_row *to, const struct metric_row *r)
{
	size_t i;

	to->cpu += r->cpu;
	to->interrupted += r->interrupted;
	to->waits += r->waits;
	to->waited += r->waited;
	for (i = 0; i < LATENCY_BUCKETS; i++)
		to->buckets[i] += r->buckets[i];
	for (i = 0; i < BLOCKED_NR; i++)
		to->blocked[i] += r->blocked[i];
	blames_add_all(&to->blames, &r->blames);
}

/*
 * Culprits that have become one. What was shown as one's own is not to be its outer container's all
 * at once, as if that had just happened.
 */
static void fold_blames(const struct metrics *m, const struct hash *were_shown,
			struct metric_row *r)
{
	struct blames old = r->blames;
	size_t i;

	r->blames = (struct blames){0};
	for (i = 0; i < old.nr; i++) {
		const struct metric_row *into = NULL;

		if (old.list[i].who.kind == BY_TASKS && old.list[i].who.container)
			into = hash_get(were_shown,
					(uintptr_t)container_is(old.list[i].who.container));
		if (into)
			old.list[i].who.container = into->container;
		blame(m, r, &old.list[i]);
	}
	blames_clear(&old);
}

/* The row of all that are shown so. */
static struct metric_row *row_of_several(struct metrics *m, enum metric_shown shown)
{
	struct metric_row *r = row_of(m, true, m->added_up[shown]);

	r->shown = shown;
	return r;
}

static void fold_row(struct metrics *m, struct hash *were_shown, struct metric_row *r)
{
	struct metric_row *into = row_of_several(m, r->shown);

	if (r->was_itself)
		hash_put(were_shown, (uintptr_t)r->container, into);
	add_row(into, r);
	into->nr_added++;
	hash_put(&m->by_container, (uintptr_t)r->container, into);
	row_free(r);
}

static void fold(struct metrics *m)
{
	size_t nr = m->nr_rows, kept = 0, i;
	struct hash were_shown = {0};

	/* Rows of several come behind those that were there. */
	for (i = 0; i < nr; i++)
		if (may_fold(m->rows[i])) {
			fold_row(m, &were_shown, m->rows[i]);
			m->rows[i] = NULL;
		}
	for (i = 0; i < m->nr_rows; i++)
		if (m->rows[i])
			m->rows[kept++] = m->rows[i];
	m->nr_rows = kept;
	for (i = 0; i < kept; i++)
		fold_blames(m, &were_shown, m->rows[i]);
	hash_free(&were_shown);
}

void metrics_fold(struct metrics *m)
{
	size_t i;

	for (i = 0; i < m->nr_rows; i++)
		if (may_fold(m->rows[i])) {
			fold(m);
			return;
		}
}

/* The row of what @r is of was found out to be another one's. Whether @r is no more. */
static bool join(struct metrics *m, struct metric_row *r)
{
	struct container *c = container_is(r->container);
	struct metric_row *is = hash_get(&m->by_container, (uintptr_t)c);

	hash_del(&m->by_container, (uintptr_t)r->container);
	if (!is) {
		r->container = c;
		hash_put(&m->by_container, (uintptr_t)c, r);
		return false;
	}
	add_row(is, r);
	if (is->shown == SHOWN_NOT_YET)
		is->shown = r->shown;
	row_free(r);
	return true;
}

void metrics_join(struct metrics *m)
{
	size_t nr = 0, i;

	for (i = 0; i < m->nr_rows; i++) {
		struct metric_row *r = m->rows[i];

		if (!m->is_endless || !r->container || !r->container->became || !join(m, r))
			m->rows[nr++] = r;
	}
	m->nr_rows = nr;
}

static void keep(void *ctx, struct sweep *s)
{
	const struct metrics *m = ctx;
	size_t i, k;

	for (i = 0; i < m->nr_rows; i++) {
		sweep_keep(s, m->rows[i]->container);
		for (k = 0; k < m->rows[i]->blames.nr; k++)
			sweep_keep(s, m->rows[i]->blames.list[k].who.container);
	}
	delays_keep(m->delays, s);
	sched_keep(m->host->sched, s);
}

/* It has no row of its own. */
static void on_gone(void *ctx, const struct container *c)
{
	hash_del(&((struct metrics *)ctx)->by_container, (uintptr_t)c);
}

static void forget_tasks(struct metrics *m, uint64_t before)
{
	model_forget(m->host->model, before, may_go, m);
	m->forget_at = 2 * m->host->model->nr_tasks;
}

void metrics_sweep(struct metrics *m, uint64_t before)
{
	const struct sweep_callbacks cb = {keep, on_gone, m};
	struct model *model = m->host->model;

	forget_tasks(m, before);
	/* No row is to point to one that is added up with others. */
	fold(m);
	sched_forget_throttles(m->host->sched, before);
	if (model_sweep(model, before, &cb)) {
		fold(m);
		model_sweep(model, before, &cb);
	}
	/* A sweep looks at as much as stayed, tasks included. */
	m->sweep_at = 2 * model_size(model) + model->nr_tasks;
}

#define TASKS_LEAST 1024
#define SWEEP_LEAST 1024

void metrics_forget(struct metrics *m, uint64_t before)
{
	const struct model *model = m->host->model;
	size_t size = m->is_endless ? model_size(model) : 0;

	if (size >= SWEEP_LEAST && size >= m->sweep_at)
		metrics_sweep(m, before);
	else if (model->nr_tasks >= TASKS_LEAST && model->nr_tasks >= m->forget_at)
		forget_tasks(m, before);
}

bool metrics_are_too_long(const struct metrics *m)
{
	size_t i, k;

	for (i = 0; i < m->nr_rows; i++)
		for (k = 0; k < m->rows[i]->blames.nr; k++)
			if (time_is_too_long(m->rows[i]->blames.list[k].ns))
				return true;
	return false;
}

void metrics_finish(struct metrics *m)
{
	struct task *t;

	delays_finish(m->delays, m->host->last);
	for (t = m->host->model->tasks; t; t = t->next)
		settle(m, t);
}
