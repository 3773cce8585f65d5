/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "cgroup-path.h"
#include "container.h"
#include "cpus.h"
#include "base/util.h"

/*
 * A switch tells who was there before it, so whose time it was is known for certain only then.
 * Until then a CPU's time is kept in segments: a new one begins where an interrupt begins or ends,
 * where the place of who runs changes, and where events were lost. The switch settles them, see
 * struct split; while nothing was lost and it is known who was switched in, pass() settles at once.
 *
 * Losses come as stretches (gaps). Before the gap the one runs that was switched in last, after it
 * the one that the next switch comes from. What is within is unknown, unless both are the same task
 * and the gap ends with the switch: a packet that is full loses events up to its end.
 */

/*
 * Who ran before a CPU's first switch, or after a gap, is told by the switch that ends it. If that
 * one was moved meanwhile, where it was before is told by the moves of which so many are kept.
 */
#define MOVES_MAX 256

/* The first may have begun before the loss. */
#define DUMPS_OF_DOUBT 2

struct move {
	uint64_t ns;
	const struct task *task;
	struct place from;
};

/* Time between two switches, of which it may not be known yet whose it was. */
struct segment {
	uint64_t begin, end;
	bool interrupt;
	struct place place;
	/* Of what was lost until then: up to when, and how many times. */
	uint64_t loss_until, losses;
};

/* Who runs. */
struct runner {
	bool told;
	int tid;
	struct task *task; /* NULL for tid 0, and where not known */
	struct place place;
	unsigned int placed_by; /* the dump that told the place of one that runs already */
};

struct cpu {
	int nr;
	struct runner now;
	uint64_t start; /* before it nothing is known of the CPU */
	uint64_t since; /* begin of what is not in a segment yet */
	/* Which interrupts run, and whether they may have run since before the trace. */
	bool hard, soft, hard_open, soft_open;
	/*
	 * Events were lost somewhere in this time, which may be the hull of several gaps
	 * that follow each other: then at least one ended since the last switch.
	 */
	bool has_gap, gap_ended;
	uint64_t gap_begin, gap_end;
	bool gap_left;		  /* what is known again after gap_end is asked for */
	uint64_t open_since;	  /* interrupts that end without a begin began before that */
	struct segment *segments; /* not told of yet; they follow each other */
	size_t nr_segments, cap_segments;
	/* As cpus_now() tells it: what was lost is not known until the next switch. */
	int64_t tid;   /* -1: not known */
	int64_t there; /* for cpus_there() */
	char comm[COMM_MAX + 1];
	uint64_t in, lost_until, switch_lost;
	unsigned int depth; /* of interrupts in interrupts */
};

struct cpus {
	struct model *m;
	cpus_on_run *on_run; /* NULL: only what is now is kept */
	void *ctx;
	uint64_t begin; /* of the trace; 0 until known */
	/* What was lost before the time at hand: up to when, and how many times. */
	uint64_t loss_until, losses;
	uint64_t cut; /* begin of what was lost since the last event; 0: nothing was */
	bool keeps_now, keeps_names;
	struct move moves[MOVES_MAX]; /* the last ones; move n is at n % MOVES_MAX */
	size_t nr_moves;
	struct cpu **list;
	size_t nr, cap;
	struct cpu **by_nr; /* NULL: not met */
	size_t nr_by_nr;
	uint64_t nr_contradictions;
};

struct cpus *cpus_new(struct model *m, cpus_on_run *on_run, void *ctx)
{
	struct cpus *s = xcalloc(1, sizeof(*s));

	s->m = m;
	s->on_run = on_run;
	s->ctx = ctx;
	return s;
}

void cpus_free(struct cpus *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->nr; i++) {
		free(s->list[i]->segments);
		free(s->list[i]);
	}
	free(s->list);
	free(s->by_nr);
	free(s);
}

static struct cpu *cpu_find(const struct cpus *s, int nr)
{
	return nr >= 0 && (size_t)nr < s->nr_by_nr ? s->by_nr[nr] : NULL;
}

static struct cpu *cpu_new(struct cpus *s, int nr, uint64_t begin)
{
	struct cpu *c;

	if ((size_t)nr >= s->nr_by_nr) {
		s->by_nr = xrealloc(s->by_nr, (size_t)nr + 1, sizeof(struct cpu *));
		memset(s->by_nr + s->nr_by_nr, 0,
		       ((size_t)nr + 1 - s->nr_by_nr) * sizeof(struct cpu *));
		s->nr_by_nr = (size_t)nr + 1;
	}
	c = xcalloc(1, sizeof(*c));
	c->nr = nr;
	c->tid = c->there = -1;
	c->start = c->since = begin;
	c->hard_open = c->soft_open = true;
	s->by_nr[nr] = c;
	s->list = grow(s->list, s->nr, &s->cap, sizeof(*s->list));
	s->list[s->nr++] = c;
	return c;
}

static inline struct cpu *cpu_get(struct cpus *s, int nr, uint64_t begin)
{
	struct cpu *c = cpu_find(s, nr);

	return c ? c : cpu_new(s, nr, begin);
}

/*
 * Under version 1 the unified hierarchy may hold everything in its root; and of the others systemd
 * makes in some no more than slices: from there nobody sees which user's or service's it is.
 */
static const struct task_cgroup *best_cgroup(const struct model *m, const struct task *t)
{
	const struct task_groups of = task_groups(m, t);
	const struct task_cgroup *main = task_main_cgroup(m, t), *best = main;
	const struct cgroup *g;
	size_t i;

	if (!main || of.nr == 1)
		return main;
	g = task_group(m, main);
	if (g && strcmp(g->path, "/"))
		return main;
	for (i = 0; i < of.nr; i++) {
		g = task_group(m, &of.list[i]);
		if (!g || !strcmp(g->path, "/"))
			continue;
		if (g->is_of_somebody)
			return &of.list[i];
		if (best == main)
			best = &of.list[i];
	}
	return best;
}

struct place cpus_place(struct model *m, struct task *t)
{
	const struct task_cgroup *g;
	struct place p = {0};

	if (!t || !t->ns || (m->offers[EV_DUMP_PROCESS_CGROUP] && !task_groups(m, t).nr))
		return p;
	p.known = true;
	p.container = task_container(m, t);
	p.told = m->nr_losses ? task_told(m, t) : t->conf;
	g = best_cgroup(m, t);
	if (g) {
		p.hierarchy = g->hierarchy;
		p.cgroup_id = g->id;
	}
	return p;
}

uint64_t cgroup_owner(const struct cgroup *own, const struct cgroup *g)
{
	uint32_t user;
	size_t len;

	if (!g->path)
		return 0;
	len = cgroup_user_slice(g->path, &user);
	if (!len)
		len = cgroup_service(g->path);
	/* A container's own services are its own. */
	if (!len || (own && own->path && strlen(own->path) <= len))
		return 0;
	return hash_text(g->path, len);
}

uint64_t place_owner(struct model *m, const struct place *p)
{
	struct container *c = container_outside(m, p->container, NULL);
	const struct cgroup *g = c ? c->cgroup : NULL;
	uint64_t owner;

	if (!g && p->cgroup_id)
		g = model_cgroup(m, p->hierarchy, p->cgroup_id);
	owner = g ? cgroup_owner(c ? c->cgroup : NULL, g) : 0;
	if (owner)
		return owner;
	return c ? (uintptr_t)c : 1;
}

struct place cpus_place_on(const struct cpus *s, int cpu, struct task *t)
{
	const struct cpu *c = s->on_run ? cpu_find(s, cpu) : NULL;

	return c && t && c->now.task == t ? c->now.place : cpus_place(s->m, t);
}

bool cpus_place_is_sure(struct model *m, struct task *t)
{
	struct place p;

	if (!m->nr_losses)
		return true;
	p = cpus_place(m, t);
	return p.known && p.told > m->loss_until;
}

bool cpus_same_place(const struct place *a, const struct place *b)
{
	return a->known == b->known && container_is(a->container) == container_is(b->container) &&
	       a->hierarchy == b->hierarchy && a->cgroup_id == b->cgroup_id;
}

enum doubt_end cpus_doubt(struct model *m, struct task *t, const struct place *found,
			  uint64_t losses, unsigned int *dumps)
{
	struct place p = cpus_place(m, t);

	if (losses != m->nr_losses)
		return DOUBT_REMAINS;
	/* It must not have left and come back meanwhile. */
	if (p.known && p.told > m->loss_until && task_moved(m, t) <= m->loss_until &&
	    cpus_same_place(&p, found))
		return DOUBT_IS_RESOLVED;
	return ++*dumps < DUMPS_OF_DOUBT ? DOUBT_IS_OPEN : DOUBT_REMAINS;
}

static enum whereabouts where_is(const struct cpus *s, const struct segment *g,
				 const struct task *t, const struct place *p)
{
	if (!s->m->nr_losses)
		return IS_THERE;
	/* A move tells where it goes, and not where it was: the dump that did is among what was
	 * lost. */
	if (!g->place.known && t && task_moved(s->m, t) > g->begin)
		return IN_LOSS;
	/* What is told later held before, unless something was lost in between. */
	if (p->known && p->told > g->loss_until &&
	    (p->told <= g->end || s->m->nr_losses == g->losses))
		return IS_THERE;
	return g->begin >= g->loss_until ? IN_DOUBT : IN_LOSS;
}

/* One stretch that is certain to be, or not to be, somebody's. */
static void tell(struct cpus *s, const struct cpu *c, const struct segment *g,
		 const struct runner *who, bool unsure)
{
	struct run run;

	if (g->begin >= g->end)
		return;
	run = (struct run){
		.cpu = c->nr,
		.begin = g->begin,
		.end = g->end,
		.under = !who	    ? RUN_UNKNOWN
			 : who->tid ? RUN_TASK
				    : RUN_IDLE,
		.unsure = unsure,
	};
	if (run.under == RUN_TASK) {
		run.task = who->task;
		run.tid = who->tid;
		run.place = g->place;
		/* It may have been told since then. */
		if (!run.place.known)
			run.place = who->place.known ? who->place : cpus_place(s->m, who->task);
		run.where = where_is(s, g, run.task, &run.place);
		run.losses = g->losses;
	}
	run.kind = g->interrupt ? RUN_INTERRUPT : run.under;
	s->on_run(s->ctx, &run);
}

/*
 * What is before @sure is of the one who was switched to last, what is from @back
 * on of @prev, who is switched from; what is between, of @middle, or nobody knows.
 */
struct split {
	uint64_t sure, back;
	const struct runner *middle, *prev;
	bool gap; /* what is between was lost: nor is it known what interrupted whom */
};

static struct segment cut(const struct segment *g, uint64_t begin, uint64_t end)
{
	struct segment part = *g;

	if (part.begin < begin)
		part.begin = begin;
	if (part.end > end)
		part.end = end;
	return part;
}

/* Of one who ran up to now: where it was then, which is not where it is if it was moved since. */
static void tell_back(struct cpus *s, const struct cpu *c, const struct segment *g,
		      const struct runner *prev)
{
	struct segment rest = *g, part;
	size_t i = s->nr_moves > MOVES_MAX ? s->nr_moves - MOVES_MAX : 0;

	for (; prev && prev->task && i < s->nr_moves && rest.begin < rest.end; i++) {
		const struct move *m = &s->moves[i % MOVES_MAX];

		/* Another task of before may have had the same memory. */
		if (m->task != prev->task || m->ns <= rest.begin || m->ns < prev->task->seen)
			continue;
		part = cut(&rest, 0, m->ns);
		part.place = m->from;
		tell(s, c, &part, prev, false);
		rest.begin = part.end;
	}
	if (prev)
		rest.place = prev->place;
	tell(s, c, &rest, prev, false);
}

static void settle(struct cpus *s, struct cpu *c, const struct split *split)
{
	struct segment part;
	size_t i;

	for (i = 0; i < c->nr_segments; i++) {
		const struct segment *g = &c->segments[i];

		/* As most are, it is all of one. */
		if (g->end <= split->sure) {
			tell(s, c, g, &c->now, false);
			continue;
		}
		part = cut(g, 0, split->sure);
		tell(s, c, &part, &c->now, false);
		part = cut(g, split->sure, split->back);
		part.interrupt = part.interrupt && !(split->gap && !split->middle);
		tell(s, c, &part, split->middle, split->middle != NULL);
		part = cut(g, split->back, UINT64_MAX);
		tell_back(s, c, &part, split->prev);
	}
	c->nr_segments = 0;
}

static struct segment segment_of(const struct cpus *s, const struct cpu *c, uint64_t now,
				 bool interrupt)
{
	return (struct segment){
		.begin = c->since,
		.end = now,
		.interrupt = interrupt,
		.place = c->now.place,
		.loss_until = s->loss_until,
		.losses = s->losses,
	};
}

static void add_segment(const struct cpus *s, struct cpu *c, uint64_t now, bool interrupt)
{
	if (now <= c->since)
		return;
	c->segments = grow(c->segments, c->nr_segments, &c->cap_segments, sizeof(*c->segments));
	c->segments[c->nr_segments++] = segment_of(s, c, now, interrupt);
	c->since = now;
}

static void close_segment(const struct cpus *s, struct cpu *c, uint64_t now, bool interrupt)
{
	if (s->loss_until < now)
		add_segment(s, c, s->loss_until, interrupt);
	add_segment(s, c, now, interrupt);
}

static bool in_gap(const struct cpu *c, uint64_t now)
{
	return c->has_gap && c->gap_begin < now;
}

/* Most time is like that: all of one, and known whose. */
static bool is_plain(const struct cpus *s, const struct cpu *c)
{
	return c->now.told && !c->nr_segments && !c->has_gap && s->loss_until <= c->since;
}

/* What is plain needs no segment. */
static void tell_plain(struct cpus *s, struct cpu *c, uint64_t now, bool interrupt)
{
	struct segment g;

	if (now <= c->since)
		return;
	g = segment_of(s, c, now, interrupt);
	c->since = now;
	tell(s, c, &g, &c->now, false);
}

/* Ends a segment, and tells of it if nothing that comes can change whose it is. */
static void pass(struct cpus *s, struct cpu *c, uint64_t now, bool interrupt)
{
	const struct split all = {.sure = UINT64_MAX, .back = UINT64_MAX};

	if (is_plain(s, c)) {
		tell_plain(s, c, now, interrupt);
		return;
	}
	close_segment(s, c, now, interrupt);
	if (c->now.told && !in_gap(c, now))
		settle(s, c, &all);
}

static bool in_interrupt(const struct cpu *c)
{
	return c->hard || c->soft;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * In an exec by a thread that is not the first, the thread has the first one's
 * tid some time before sched_process_exec tells.
 */
static bool is_amid_exec(const struct cpus *s, const struct runner *now, int64_t prev_tid)
{
	const struct task *first = prev_tid > 0 ? model_runner(s->m, prev_tid) : NULL;

	return now->told && now->task && now->task->pid == prev_tid && first && first->exited;
}

/*
 * What a CPU does from going down to coming up again is not traced: it switched to
 * its stopper thread last, which never runs for long, and comes back from the idle one.
 */
static bool is_offline(const struct runner *now)
{
	return now->told && now->task && now->task->is_kthread &&
	       !strncmp(now->task->comm, "migration/", strlen("migration/"));
}

/* Whose time it was since the last switch, now that the next one tells who ran up to it. */
static void settle_switch(struct cpus *s, struct cpu *c, const struct runner *prev, uint64_t now)
{
	bool gap = in_gap(c, now), agree = c->now.told && (c->now.tid == prev->tid ||
							   is_amid_exec(s, &c->now, prev->tid));
	struct split split = {.prev = prev, .gap = gap};

	bool offline = !gap && !agree && !prev->tid && is_offline(&c->now);

	if (c->now.told && !gap && !agree && !offline)
		s->nr_contradictions++;
	if (c->now.told)
		split.sure = gap ? c->gap_begin : agree ? now : 0;
	if (!gap)
		split.back = c->now.told && !offline ? now : 0;
	else if (c->gap_end >= now)
		split.back = now;
	else
		split.back = c->gap_end;
	/*
	 * A tracer loses events when its packet is full, which is at the end of a gap:
	 * within it, switches that agree are most likely neighbours.
	 */
	if (gap && agree && c->gap_end >= now && !c->gap_ended)
		split.middle = &c->now;
	split.back = later(split.back, split.sure);
	settle(s, c, &split);
	c->gap_ended = false;
	if (c->has_gap && c->gap_end <= now)
		c->has_gap = false;
}

/* @task: the model's of that tid. */
static struct runner runner_of(struct cpus *s, int64_t tid, struct task *task)
{
	struct runner r = {.told = true, .tid = (int)tid};

	if (tid > 0) {
		r.task = task;
		r.place = cpus_place(s->m, r.task);
	}
	return r;
}

static void on_switch(struct cpus *s, struct cpu *c, const struct event *ev)
{
	const struct ev_switch *sw = &ev->sw;
	bool agrees = c->now.told && c->now.tid == sw->prev_tid;

	if (sw->prev_tid == ABSENT || sw->next_tid == ABSENT)
		return;
	if (agrees && is_plain(s, c)) {
		tell_plain(s, c, ev->ns, in_interrupt(c));
		c->gap_ended = false;
	} else {
		struct runner prev;

		close_segment(s, c, ev->ns, in_interrupt(c));
		/* It is looked up only where it is needed. */
		prev = agrees ? c->now : runner_of(s, sw->prev_tid, s->m->left);
		settle_switch(s, c, &prev, ev->ns);
	}
	c->now = runner_of(s, sw->next_tid, s->m->came);
	c->hard = c->soft = c->hard_open = c->soft_open = false;
}

/* An interrupt ends that began before anything was recorded of the CPU, or in what was lost. */
static void was_interrupt(struct cpu *c)
{
	size_t i;

	for (i = 0; i < c->nr_segments; i++)
		if (c->segments[i].begin >= c->open_since)
			c->segments[i].interrupt = true;
}

/* Which interrupts run when events are told again is known only from those that end. */
static void leave_gap(const struct cpus *s, struct cpu *c, uint64_t now)
{
	if (!c->has_gap || c->gap_left || now < c->gap_end)
		return;
	close_segment(s, c, c->gap_end, in_interrupt(c));
	c->gap_left = true;
	c->open_since = c->gap_end;
	c->hard = c->soft = false;
	c->hard_open = c->soft_open = true;
}

static void on_interrupt(struct cpus *s, struct cpu *c, bool *runs, bool *open, bool entry,
			 uint64_t now)
{
	bool was = in_interrupt(c);

	if (!entry && *open) {
		pass(s, c, now, true);
		was_interrupt(c);
	} else if (entry && !was) {
		pass(s, c, now, false);
	}
	*runs = entry;
	*open = false;
	if (was && !in_interrupt(c))
		pass(s, c, now, true);
}

/* The one that runs was moved, or its place is told for the first time. */
static void replace(struct cpus *s, struct cpu *c, uint64_t now, bool by_dump)
{
	struct place p = cpus_place(s->m, c->now.task);

	if (cpus_same_place(&c->now.place, &p)) {
		c->now.place.told = p.told;
		return;
	}
	if (c->now.place.known && !(by_dump && c->now.placed_by == s->m->dump_seq))
		pass(s, c, now, in_interrupt(c));
	c->now.place = p;
	if (by_dump)
		c->now.placed_by = s->m->dump_seq;
}

static void on_move(struct cpus *s, const struct event *ev)
{
	bool by_dump = ev->kind == EV_DUMP_PROCESS_CGROUP;
	size_t i;

	for (i = 0; i < s->nr; i++) {
		struct cpu *c = s->list[i];

		if (c->now.task && (!by_dump || c->now.tid == ev->process_cgroup.tid))
			replace(s, c, ev->ns, by_dump);
	}
}

static void keep_move(struct cpus *s, struct task *t, uint64_t ns)
{
	const struct place from = cpus_place(s->m, t);

	if (from.known)
		s->moves[s->nr_moves++ % MOVES_MAX] = (struct move){ns, t, from};
}

void cpus_before_move(struct cpus *s, const struct event *ev)
{
	const struct ev_process_cgroup *e = &ev->process_cgroup;
	struct task *t = e->tid > 0 ? model_runner(s->m, e->tid) : NULL, *other;
	size_t i;

	for (i = 0; i < s->nr && s->list[i]->now.told && !s->list[i]->has_gap; i++)
		;
	if (!s->on_run || !t || i == s->nr)
		return;
	keep_move(s, t, ev->ns);
	if (e->threadgroup == ABSENT || !e->threadgroup || t->pid < 0)
		return;
	other = hash_get(&s->m->by_pid, (uint64_t)t->pid);
	for (i = 1; other && i < MOVES_MAX; i++, other = other->next_of_pid)
		if (other != t)
			keep_move(s, other, ev->ns);
}

/* A thread that is not the first takes over the first one's tid. */
static void on_exec(struct cpus *s, const struct event *ev)
{
	size_t i;

	if (ev->exec.old_tid <= 0 || ev->exec.old_tid == ev->exec.tid)
		return;
	for (i = 0; i < s->nr; i++) {
		struct cpu *c = s->list[i];

		if (!c->now.told || c->now.tid != ev->exec.old_tid)
			continue;
		pass(s, c, ev->ns, in_interrupt(c));
		c->now = runner_of(s, ev->exec.tid, model_runner(s->m, ev->exec.tid));
	}
}

/* Events, since cut_at_loss(). */
static bool has_lost(const struct cpus *s)
{
	return s->losses != s->m->nr_losses;
}

/* What is before a loss must not be taken for what is after it. */
static void cut_at_loss(struct cpus *s, uint64_t now)
{
	size_t i;

	for (i = 0; i < s->nr && s->cut <= now; i++) {
		struct cpu *c = s->list[i];

		leave_gap(s, c, s->cut);
		pass(s, c, s->cut, in_interrupt(c));
	}
	s->cut = 0;
	s->loss_until = s->m->loss_until;
	s->losses = s->m->nr_losses;
}

static void set_begin(struct cpus *s, uint64_t begin)
{
	size_t i;

	s->begin = begin;
	for (i = 0; i < s->nr; i++)
		s->list[i]->start = s->list[i]->since = later(s->list[i]->since, begin);
}

void cpus_meet(struct cpus *s, int cpu, uint64_t begin)
{
	if (cpu >= 0)
		cpu_get(s, cpu, later(begin, s->begin));
}

/* Whose the time was. */
static void take_run(struct cpus *s, const struct event *ev, uint64_t begin)
{
	struct cpu *c;

	if (!s->begin)
		set_begin(s, begin);
	if (has_lost(s))
		cut_at_loss(s, ev->ns);
	switch (ev->kind) {
	case EV_CGROUP_ATTACH:
	case EV_CGROUP_TRANSFER:
	case EV_DUMP_PROCESS_CGROUP:
		on_move(s, ev);
		return;
	case EV_EXEC:
		on_exec(s, ev);
		return;
	case EV_SWITCH:
	case EV_IRQ_ENTRY:
	case EV_IRQ_EXIT:
	case EV_SOFTIRQ_ENTRY:
	case EV_SOFTIRQ_EXIT:
		break;
	default:
		return;
	}
	if (ev->cpu < 0)
		return;
	c = cpu_get(s, ev->cpu, s->begin);
	leave_gap(s, c, ev->ns);
	if (ev->kind == EV_SWITCH)
		on_switch(s, c, ev);
	else if (ev->kind == EV_IRQ_ENTRY || ev->kind == EV_IRQ_EXIT)
		on_interrupt(s, c, &c->hard, &c->hard_open, ev->kind == EV_IRQ_ENTRY, ev->ns);
	else
		on_interrupt(s, c, &c->soft, &c->soft_open, ev->kind == EV_SOFTIRQ_ENTRY, ev->ns);
}

/* What is now, for cpus_now(). */
static void update(const struct cpus *s, struct cpu *c, const struct event *ev)
{
	switch (ev->kind) {
	case EV_SWITCH:
		c->tid = c->there = ev->sw.next_tid < 0 ? -1 : ev->sw.next_tid;
		c->in = ev->ns;
		/* No interrupt lasts beyond it: what is left of one is an exit that was lost. */
		c->depth = 0;
		*c->comm = '\0';
		if (s->keeps_names && ev->sw.next_comm)
			strncpy(c->comm, ev->sw.next_comm, COMM_MAX);
		break;
	case EV_IRQ_ENTRY:
	case EV_SOFTIRQ_ENTRY:
	case EV_HRTIMER_ENTRY:
		c->depth++;
		break;
	default:
		if (c->depth)
			c->depth--;
		break;
	}
}

void cpus_keep_now(struct cpus *s, bool keep, bool with_names)
{
	s->keeps_now = keep;
	s->keeps_names = with_names;
}

static void rename_runner(struct cpus *s, const struct event *ev)
{
	size_t i;

	if (ev->exec.old_tid <= 0 || ev->exec.tid <= 0)
		return;
	for (i = 0; i < s->nr; i++) {
		struct cpu *c = s->list[i];

		c->tid = c->tid == ev->exec.old_tid ? ev->exec.tid : c->tid;
		c->there = c->there == ev->exec.old_tid ? ev->exec.tid : c->there;
	}
}

static void keep_now(struct cpus *s, const struct event *ev, uint64_t begin)
{
	switch (ev->kind) {
	case EV_EXEC:
		rename_runner(s, ev);
		break;
	case EV_SWITCH:
	case EV_IRQ_ENTRY:
	case EV_IRQ_EXIT:
	case EV_SOFTIRQ_ENTRY:
	case EV_SOFTIRQ_EXIT:
	case EV_HRTIMER_ENTRY:
	case EV_HRTIMER_EXIT:
		if (ev->cpu >= 0)
			update(s, cpu_get(s, ev->cpu, s->begin ? s->begin : begin), ev);
		break;
	default:
		break;
	}
}

void cpus_event(struct cpus *s, const struct event *ev, uint64_t begin)
{
	if (s->keeps_now)
		keep_now(s, ev, begin);
	if (s->on_run)
		take_run(s, ev, begin);
}
static void add_gap(struct cpu *c, const struct loss *loss)
{
	if (!c->has_gap) {
		c->has_gap = true;
		c->gap_begin = loss->begin;
		c->gap_end = loss->end;
	} else {
		c->gap_ended = true;
		c->gap_end = later(c->gap_end, loss->end);
	}
	c->gap_left = false;
}

void cpus_before_loss(struct cpus *s, const struct loss *loss)
{
	if (!s->cut)
		s->cut = loss->begin;
}

static void lose(struct cpus *s, struct cpu *c, const struct loss *loss)
{
	c->tid = -1;
	c->depth = 0;
	*c->comm = '\0';
	c->lost_until = later(c->lost_until, loss->end);
	if (loss->may_switch) {
		c->there = -1;
		if (loss->end != UINT64_MAX)
			c->switch_lost = later(c->switch_lost, loss->end);
	}
	if (s->on_run && loss->may_switch)
		add_gap(c, loss);
}

void cpus_loss(struct cpus *s, const struct loss *loss)
{
	size_t i;

	if (loss->cpu >= 0) {
		struct cpu *c =
			loss->may_switch ? cpu_get(s, loss->cpu, s->begin) : cpu_find(s, loss->cpu);

		if (c)
			lose(s, c, loss);
		return;
	}
	for (i = 0; i < s->nr; i++)
		lose(s, s->list[i], loss);
}

static void finish(struct cpus *s, struct cpu *c, uint64_t begin, uint64_t end)
{
	/* A CPU may be met after the last event. */
	const struct segment before = {.begin = begin, .end = c->start < end ? c->start : end};
	struct split split = {.sure = c->now.told ? UINT64_MAX : 0, .back = UINT64_MAX};

	tell(s, c, &before, NULL, false);
	if (is_offline(&c->now))
		c->now = (struct runner){.told = true};
	leave_gap(s, c, end);
	close_segment(s, c, end, in_interrupt(c));
	split.gap = in_gap(c, end);
	if (c->now.told && split.gap)
		split.sure = c->gap_begin;
	settle(s, c, &split);
}

void cpus_finish(struct cpus *s, uint64_t begin, uint64_t end)
{
	size_t i;

	/* No event told it. */
	if (!s->begin)
		set_begin(s, begin);
	if (has_lost(s))
		cut_at_loss(s, end);
	for (i = 0; i < s->nr; i++)
		finish(s, s->list[i], begin, end);
}

/* What is told as nobody's for now: all that waits for the next switch. */
static void tell_open(const struct cpu *c, uint64_t now, cpus_on_run *on_open, void *ctx)
{
	const struct run run = {
		.kind = RUN_UNKNOWN,
		.under = RUN_UNKNOWN,
		.cpu = c->nr,
		.begin = c->nr_segments ? c->segments[0].begin : c->since,
		.end = now,
	};

	if (run.begin < run.end)
		on_open(ctx, &run);
}

static void flush(struct cpus *s, struct cpu *c, uint64_t now, cpus_on_run *on_open, void *ctx)
{
	if (now <= c->since)
		return;
	if (c->now.told && !in_gap(c, now))
		pass(s, c, now, in_interrupt(c));
	else
		tell_open(c, now, on_open, ctx);
}

/* Before the first event nobody knows from when on the time counts: nothing is certain then. */
static void cut_for_flush(struct cpus *s, uint64_t now)
{
	if (s->begin && has_lost(s))
		cut_at_loss(s, now);
}

void cpus_flush(struct cpus *s, uint64_t now, cpus_on_run *on_open, void *ctx)
{
	size_t i;

	cut_for_flush(s, now);
	for (i = 0; i < s->nr; i++)
		flush(s, s->list[i], now, on_open, ctx);
}

void cpus_flush_one(struct cpus *s, int cpu, uint64_t now, cpus_on_run *on_open, void *ctx)
{
	struct cpu *c = cpu_find(s, cpu);

	cut_for_flush(s, now);
	if (c)
		flush(s, c, now, on_open, ctx);
}

bool cpus_need(const struct cpus *s, const struct task *t)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (s->list[i]->now.task == t)
			return true;
	return false;
}

void cpus_keep(const struct cpus *s, struct sweep *sweep)
{
	size_t i, k;

	for (i = 0; i < s->nr; i++) {
		const struct cpu *c = s->list[i];

		sweep_keep(sweep, c->now.place.container);
		for (k = 0; k < c->nr_segments; k++)
			sweep_keep(sweep, c->segments[k].place.container);
	}
	for (i = 0; i < s->nr_moves && i < MOVES_MAX; i++)
		sweep_keep(sweep, s->moves[i].from.container);
}

size_t cpus_count(const struct cpus *s)
{
	return s->nr;
}

uint64_t cpus_contradictions(const struct cpus *s)
{
	return s->nr_contradictions;
}

int64_t cpus_there(const struct cpus *s, int cpu, uint64_t ns)
{
	const struct cpu *c = cpu_find(s, cpu);

	/* One that is told amid what was lost may not be the last in it. */
	return c && (c->in >= c->switch_lost || ns < c->switch_lost) ? c->there : -1;
}

int64_t cpus_causes(const struct cpus *s, int cpu, uint64_t ns, const struct event *ev)
{
	if (ev && ev->kind == EV_SWITCH)
		return ev->sw.prev_tid == ABSENT ? -1 : ev->sw.prev_tid;
	return cpus_there(s, cpu, ns);
}

struct on_cpu cpus_now(const struct cpus *s, int cpu, uint64_t ns)
{
	const struct cpu *c = cpu_find(s, cpu);
	struct on_cpu now = {.kind = RUN_UNKNOWN, .cpu = cpu, .tid = -1, .comm = ""};

	if (!c)
		return now;
	now.tid = c->tid;
	now.comm = c->comm;
	now.since = c->tid < 0 ? 0 : c->in;
	now.is_sure = c->tid >= 0 && ns > c->lost_until && c->in > c->lost_until;
	now.task = c->tid > 0 ? model_runner(s->m, c->tid) : NULL;
	if (c->depth)
		now.kind = RUN_INTERRUPT;
	else if (c->tid >= 0)
		now.kind = c->tid ? RUN_TASK : RUN_IDLE;
	return now;
}
