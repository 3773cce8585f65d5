/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "timeline.h"
#include "base/util.h"

/* Pointers are keys; the tids and CPUs of a host are mixed with its. */
static uint64_t key_of(const void *p, int64_t nr)
{
	return hash_numbers((uintptr_t)p, (uint64_t)nr);
}

static struct tl_task *new_task(struct timeline *tl, const struct host *h, struct task *task,
				int tid)
{
	struct tl_task *t = xcalloc(1, sizeof(*t));

	t->number = (uint32_t)tl->nr_tasks;
	t->host = h;
	t->task = task;
	t->tid = tid;
	tl->tasks = grow(tl->tasks, tl->nr_tasks, &tl->cap_tasks, sizeof(*tl->tasks));
	tl->tasks[tl->nr_tasks++] = t;
	return t;
}

static struct tl_task *task_get(struct timeline *tl, const struct host *h, struct task *task,
				int tid)
{
	struct tl_task *t = task ? task->user : hash_get(&tl->by_tid, key_of(h, tid));

	if (t)
		return t;
	t = new_task(tl, h, task, tid);
	if (task)
		task->user = t;
	else
		hash_put(&tl->by_tid, key_of(h, tid), t);
	return t;
}

static struct timeline *timeline_of(const struct host *h)
{
	return h->opt->ctx;
}

static struct tl_cpu *new_cpu(struct timeline *tl, const struct host *h, int cpu)
{
	struct tl_host *of = h->user;
	struct tl_cpu *c = xcalloc(1, sizeof(*c));
	size_t nr = (size_t)cpu + 1;

	c->number = (uint32_t)tl->nr_cpus;
	c->host = h;
	c->cpu = cpu;
	tl->cpus = grow(tl->cpus, tl->nr_cpus, &tl->cap_cpus, sizeof(*tl->cpus));
	tl->cpus[tl->nr_cpus++] = c;
	if (nr > of->nr_cpus) {
		of->cpus = xrealloc(of->cpus, nr, sizeof(struct tl_cpu *));
		memset(of->cpus + of->nr_cpus, 0, (nr - of->nr_cpus) * sizeof(struct tl_cpu *));
		of->nr_cpus = nr;
	}
	of->cpus[cpu] = c;
	return c;
}

static struct tl_cpu *cpu_get(struct timeline *tl, const struct host *h, int cpu)
{
	const struct tl_host *of = h->user;
	struct tl_cpu *c = (size_t)cpu < of->nr_cpus ? of->cpus[cpu] : NULL;

	return c ? c : new_cpu(tl, h, cpu);
}

static int on_host(void *ctx, struct host *h)
{
	struct timeline *tl = ctx;
	struct tl_host *of = xcalloc(1, sizeof(*of));

	of->next = tl->hosts;
	tl->hosts = of;
	h->user = of;
	return 0;
}

static uint32_t add_container(struct timeline *tl, const struct host *h, struct container *c)
{
	tl->containers = grow(tl->containers, tl->nr_containers, &tl->cap_containers,
			      sizeof(*tl->containers));
	tl->containers[tl->nr_containers] = (struct tl_container){h, c};
	return (uint32_t)tl->nr_containers++;
}

uint32_t timeline_container(struct timeline *tl, const struct host *h, struct container *c)
{
	const void *key;
	void *number;

	c = container_is(c);
	key = c ? (const void *)c : (const void *)h;
	number = hash_get(&tl->by_container, (uint64_t)(uintptr_t)key);
	if (!number) {
		number = (void *)(uintptr_t)add_container(tl, h, c);
		hash_put(&tl->by_container, (uint64_t)(uintptr_t)key, number);
	}
	return (uint32_t)(uintptr_t)number;
}

bool timeline_shows(const struct timeline *tl, const struct tl_container *c)
{
	return !tl->selection || selection_holds(tl->selection, c->host->model, c->container);
}

uint32_t timeline_task_container(struct timeline *tl, const struct tl_task *t)
{
	return timeline_container(tl, t->host,
				  t->task ? task_container(t->host->model, t->task) : NULL);
}

char *timeline_title(const struct tl_container *c)
{
	char *label = container_label(c->container);
	char *text = xasprintf("%s%s", c->host->prefix, label);

	free(label);
	return text;
}

static void put_number(FILE *out, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		putc_unlocked((int)(n & 0x7f) | 0x80, out);
	putc_unlocked((int)n, out);
}

/* The wait as it is written; 0 is since the task's last run, @has: there was one. */
static uint64_t wait_of(const struct tl_cpu *c, bool *has)
{
	*has = c->woken && c->woken < c->begin;
	if (!*has || c->woken == c->task->ran_until)
		return 0;
	return c->begin - c->woken;
}

static void write_run(struct timeline *tl, struct tl_cpu *c)
{
	struct tl_task *t = c->task;
	uint64_t gap, wait;
	bool has_wait;

	if (!t)
		return;
	if (!c->started)
		c->start = c->until = c->begin;
	c->started = true;
	gap = c->begin - c->until;
	wait = wait_of(c, &has_wait);
	put_number(tl->runs, (uint64_t)c->number * RUN_NR_FLAGS + (gap ? RUN_HAS_GAP : 0) +
				     (has_wait ? RUN_HAS_WAIT : 0) +
				     (c->container != t->container ? RUN_HAS_CONTAINER : 0));
	if (gap)
		put_number(tl->runs, gap);
	put_number(tl->runs, c->end - c->begin);
	put_number(tl->runs, t->number);
	if (has_wait)
		put_number(tl->runs, wait);
	if (c->container != t->container)
		put_number(tl->runs, c->container);
	t->container = c->container;
	t->ran_until = c->until = c->end;
	c->task = NULL;
	tl->nr_runs++;
}

static void add_unknown(struct timeline *tl, const struct tl_cpu *c, const struct run *run)
{
	struct tl_unknown *last = tl->nr_unknowns ? &tl->unknowns[tl->nr_unknowns - 1] : NULL;

	if (last && last->cpu == c->number && last->end == run->begin) {
		last->end = run->end;
		return;
	}
	tl->unknowns =
		grow(tl->unknowns, tl->nr_unknowns, &tl->cap_unknowns, sizeof(*tl->unknowns));
	tl->unknowns[tl->nr_unknowns++] = (struct tl_unknown){c->number, run->begin, run->end};
}

/* What a task did just before the end of what is shown. */
static void note_end(struct timeline *tl, struct tl_task *t, uint64_t begin)
{
	if (t->is_past_end)
		return;
	t->is_past_end = true;
	if (t->in == begin && t->in_woken && t->in_woken < tl->to)
		t->waiting = t->in_woken;
}

static void add_run(struct timeline *tl, struct tl_cpu *c, struct tl_task *t, const struct run *run)
{
	uint32_t container = OWN_CONTAINER;

	if (run->place.known)
		container = timeline_container(tl, c->host, run->place.container);
	if (c->task == t && c->end == run->begin && c->container == container) {
		c->end = run->end;
		return;
	}
	write_run(tl, c);
	c->task = t;
	c->begin = run->begin;
	c->end = run->end;
	c->container = container;
	c->woken = t->in == run->begin ? t->in_woken : 0;
}

static void on_run(void *ctx, const struct run *told)
{
	struct host *h = ctx;
	struct timeline *tl = timeline_of(h);
	struct tl_cpu *c = cpu_get(tl, h, told->cpu);
	struct tl_task *t = NULL;
	struct run run = *told;

	if (run.under == RUN_TASK)
		t = task_get(tl, h, run.task, run.tid);
	if (t && run.begin >= tl->to)
		note_end(tl, t, run.begin);
	if (run.begin < tl->from)
		run.begin = tl->from;
	if (run.end > tl->to)
		run.end = tl->to;
	if (run.begin >= run.end)
		return;
	if (t)
		add_run(tl, c, t, &run);
	else
		write_run(tl, c);
	if (run.kind == RUN_UNKNOWN)
		add_unknown(tl, c, &run);
}

/* Of one that a task woke; what an interrupt does has no slice that it could begin in. */
static void write_wakeup(struct timeline *tl, struct host *h, const struct handover *over)
{
	const struct wakeup *by = over->woken;
	struct tl_wakeup w;

	if (!tl->wakeups || !by || over->ran_since || by->waker.kind != RUN_TASK ||
	    by->waker.cpu < 0)
		return;
	memset(&w, 0, sizeof(w));
	w.woken = by->ns;
	w.in = over->ns;
	w.waker_cpu = cpu_get(tl, h, by->waker.cpu)->number;
	w.woken_cpu = cpu_get(tl, h, over->cpu)->number;
	fwrite(&w, sizeof(w), 1, tl->wakeups);
}

/* That there is one makes timers' interrupts known, which are no tasks. */
static void on_wakeup(void *ctx, struct wakeup *w)
{
	(void)ctx;
	(void)w;
}

static void on_handover(void *ctx, const struct handover *over)
{
	struct host *h = ctx;
	struct timeline *tl = timeline_of(h);
	struct tl_task *t;

	if (over->cpu < 0)
		return;
	/* A task may run elsewhere from here on, and its runs are to be in order. */
	write_run(tl, cpu_get(tl, h, over->cpu));
	write_wakeup(tl, h, over);
	if (over->prev_tid > 0) {
		t = task_get(tl, h, over->prev, (int)over->prev_tid);
		t->in = 0;
	}
	if (over->next_tid > 0) {
		t = task_get(tl, h, over->next, (int)over->next_tid);
		t->in = over->ns;
		t->in_woken = over->wait ? over->wait->begin : 0;
	}
}

static void on_wait(void *ctx, struct sched_wait *w)
{
	struct host *h = ctx;
	struct timeline *tl = timeline_of(h);
	struct tl_task *t = task_get(tl, h, w->task, w->tid);

	tl->has_wakeups = tl->has_wakeups || w->reason != WAIT_PREEMPTED;
	t->woken = w->begin;
	w->user = t;
}

static void on_wait_ends(void *ctx, struct sched_wait *w)
{
	struct tl_task *t = w->user;

	(void)ctx;
	/* What lasts up to the end is shown as waiting. */
	if (!w->unfinished)
		t->woken = 0;
}

bool timeline_is_full(const struct timeline *tl)
{
	return ferror(tl->runs) || (tl->wakeups && ferror(tl->wakeups));
}

/* The temporary files may be full. */
static int after_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)h;
	(void)ev;
	return timeline_is_full(ctx) ? -1 : 0;
}

static void on_loss(void *ctx, struct host *h, const struct loss *loss)
{
	struct timeline *tl = ctx;

	tl->losses = grow(tl->losses, tl->nr_losses, &tl->cap_losses, sizeof(*tl->losses));
	tl->losses[tl->nr_losses++] = (struct tl_loss){h, *loss};
}

/* The first event tells when the trace begins, to which the moments may be relative. */
static void before_event(void *ctx, struct host *h, uint64_t ns)
{
	struct timeline *tl = ctx;

	(void)ns;
	if (tl->begin_text && !tl->from)
		time_parse(tl->begin_text, h->begin, &tl->from);
	if (tl->end_text && tl->to == UINT64_MAX)
		time_parse(tl->end_text, h->begin, &tl->to);
}

int timeline_start(struct timeline *tl, struct load_options *opt)
{
	static const struct sched_callbacks sched = {
		.on_run = on_run,
		.on_handover = on_handover,
		.on_wait = on_wait,
		.on_wait_ends = on_wait_ends,
	};
	static const struct sched_callbacks with_wakeups = {
		.on_run = on_run,
		.on_handover = on_handover,
		.on_wait = on_wait,
		.on_wait_ends = on_wait_ends,
		.on_wakeup = on_wakeup,
	};

	opt->model.keep_dead = true;
	opt->on_host = on_host;
	opt->sched = tl->wants_wakeups ? &with_wakeups : &sched;
	opt->after_event = after_event;
	opt->before_event = before_event;
	opt->on_loss = on_loss;
	opt->ctx = tl;
	tl->to = UINT64_MAX;
	add_container(tl, NULL, NULL);
	tl->runs = tmpfile();
	tl->wakeups = tl->wants_wakeups ? tmpfile() : NULL;
	return tl->runs && (tl->wakeups || !tl->wants_wakeups)
		       ? 0
		       : error("A temporary file cannot be made; make room in /tmp. reason=%s",
			       strerror(errno));
}

static void number_containers(struct timeline *tl, const struct host *h)
{
	struct model *m = h->model;
	struct task *t;
	size_t i;

	timeline_container(tl, h, NULL);
	for (t = m->tasks; t; t = t->next) {
		struct container *c = task_container(m, t);

		task_get(tl, h, t, t->tid);
		timeline_container(tl, h, c);
	}
	for (i = 0; i < m->nr_containers; i++) {
		struct container *c = container_is(m->containers[i]);

		timeline_container(tl, h, c);
		timeline_container(tl, h, container_parent(m, c));
	}
}

/* What is lost from some moment on is so up to the end. */
static void end_losses(struct timeline *tl)
{
	size_t i;

	for (i = 0; i < tl->nr_losses; i++)
		if (tl->losses[i].loss.end > tl->end)
			tl->losses[i].loss.end = tl->end;
}

int timeline_finish(struct timeline *tl, struct loaded *l)
{
	size_t i;

	tl->begin = UINT64_MAX;
	for (i = 0; i < l->nr_hosts; i++) {
		const struct host *h = l->hosts[i];

		number_containers(tl, h);
		if (h->begin < tl->begin)
			tl->begin = h->begin;
		if (h->end > tl->end)
			tl->end = h->end;
	}
	if (tl->from > tl->begin)
		tl->begin = tl->from;
	if (tl->to < tl->end)
		tl->end = tl->to;
	end_losses(tl);
	for (i = 0; i < tl->nr_cpus; i++)
		write_run(tl, tl->cpus[i]);
	for (i = 0; i < tl->nr_tasks; i++)
		if (!tl->tasks[i]->is_past_end && tl->tasks[i]->woken < tl->end)
			tl->tasks[i]->waiting = tl->tasks[i]->woken;
	if (fflush(tl->runs) || (tl->wakeups && fflush(tl->wakeups)) || timeline_is_full(tl))
		return error("The temporary file cannot be written; make room in /tmp. reason=%s",
			     strerror(errno));
	return 0;
}

static bool get_number(FILE *in, uint64_t *n)
{
	int shift = 0, byte;

	*n = 0;
	do {
		byte = getc(in);
		if (byte == EOF)
			return false;
		*n |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return true;
}

/* What reading back needs of the runs before. */
struct position {
	uint64_t *cpu_until, *task_until;
	uint32_t *containers;
};

static bool read_run(struct timeline *tl, struct position *p, struct tl_run *r)
{
	uint64_t head, gap = 0, duration, task, wait = 0, container;

	if (!get_number(tl->runs, &head))
		return false;
	if ((head & RUN_HAS_GAP && !get_number(tl->runs, &gap)) ||
	    !get_number(tl->runs, &duration) || !get_number(tl->runs, &task) ||
	    (head & RUN_HAS_WAIT && !get_number(tl->runs, &wait)))
		return false;
	if (head & RUN_HAS_CONTAINER) {
		if (!get_number(tl->runs, &container))
			return false;
		p->containers[task] = (uint32_t)container;
	}
	r->cpu = tl->cpus[head / RUN_NR_FLAGS];
	r->task = tl->tasks[task];
	r->begin = p->cpu_until[r->cpu->number] + gap;
	r->end = r->begin + duration;
	r->woken = !(head & RUN_HAS_WAIT) ? 0 : wait ? r->begin - wait : p->task_until[task];
	r->container = p->containers[task];
	p->cpu_until[r->cpu->number] = p->task_until[task] = r->end;
	return true;
}

int timeline_each_wakeup(struct timeline *tl, void (*call)(void *ctx, const struct tl_wakeup *w),
			 void *ctx)
{
	struct tl_wakeup w;

	rewind(tl->wakeups);
	while (fread(&w, sizeof(w), 1, tl->wakeups) == 1)
		call(ctx, &w);
	if (ferror(tl->wakeups))
		return error("The temporary file cannot be read. reason=%s", strerror(errno));
	return 0;
}

int timeline_each_run(struct timeline *tl, void (*call)(void *ctx, const struct tl_run *r),
		      void *ctx)
{
	struct position p = {
		.cpu_until = xcalloc(tl->nr_cpus, sizeof(uint64_t)),
		.task_until = xcalloc(tl->nr_tasks, sizeof(uint64_t)),
		.containers = xcalloc(tl->nr_tasks, sizeof(uint32_t)),
	};
	struct tl_run r;
	size_t i;

	for (i = 0; i < tl->nr_cpus; i++)
		p.cpu_until[i] = tl->cpus[i]->start;
	rewind(tl->runs);
	while (read_run(tl, &p, &r)) {
		if (r.container == OWN_CONTAINER)
			r.container = timeline_task_container(tl, r.task);
		call(ctx, &r);
	}
	free(p.cpu_until);
	free(p.task_until);
	free(p.containers);
	if (ferror(tl->runs))
		return error("The temporary file cannot be read. reason=%s", strerror(errno));
	return 0;
}

void timeline_free(struct timeline *tl)
{
	size_t i;

	for (i = 0; i < tl->nr_tasks; i++)
		free(tl->tasks[i]);
	for (i = 0; i < tl->nr_cpus; i++)
		free(tl->cpus[i]);
	free(tl->tasks);
	free(tl->cpus);
	free(tl->containers);
	free(tl->unknowns);
	free(tl->losses);
	hash_free(&tl->by_tid);
	hash_free(&tl->by_container);
	while (tl->hosts) {
		struct tl_host *next = tl->hosts->next;

		free(tl->hosts->cpus);
		free(tl->hosts);
		tl->hosts = next;
	}
	if (tl->runs)
		fclose(tl->runs);
	if (tl->wakeups)
		fclose(tl->wakeups);
}
