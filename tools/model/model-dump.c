/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "dump-int.h"

/*
 * How a state dump is taken in. A task is several records, one for each PID namespace level, the
 * deepest first (2.12: process_state, and a process_pid_ns for each level): they are gathered in
 * dump->cur, and taken in by flush() when level 0 comes, or else whatever is not of that task.
 *
 * The dump takes a while, and goes on beside the events. A record tells what was so when it was
 * read, which was after the record before it was written (dump->prev) and before it was itself. So
 * an event of that task between the two may or may not be in it: there, what differs is not held
 * against either (known_task(), take_task()).
 *
 * What a record says of another task (its leader, its parent) is a forward reference: it is judged
 * at once if that one is known, and otherwise waits for its record, up to the end of the dump
 * (model-reference.c). At the end, too, is judged what only the whole tells: who is missing, which
 * namespaces have no record, which hierarchies a task lacks. All of it is sure only if nothing was
 * lost since the dump began.
 */

/* lttng_thread_type and lttng_process_status of the state dump */
enum { TYPE_KERNEL_THREAD = 1 };
enum { STATUS_EXIT = 3, STATUS_ZOMBIE = 4, STATUS_DEAD = 7 };

struct dump *dump_new(void)
{
	return xcalloc(1, sizeof(struct dump));
}

void dump_free(struct dump *d)
{
	references_drop(d);
	free(d);
}

static bool levels_contiguous(const struct task_record *r)
{
	int i;

	if (r->nr < 1 || r->nr > LEVELS_MAX)
		return false;
	for (i = 0; i < r->nr; i++)
		if (r->levels[i].level != r->nr - 1 - i)
			return false;
	return true;
}

static const char *levels_text(const struct task_record *r)
{
	struct seq s = {.nr = r->nr};
	int i;

	for (i = 0; i < r->nr && i < LEVELS_MAX; i++)
		s.v[i] = r->levels[i].level;
	return seq_text(&s);
}

/* 2.7 did not number the levels; the order is all there is. */
static void number_levels(struct task_record *r)
{
	int i;

	for (i = 0; i < r->nr && i < LEVELS_MAX; i++)
		if (r->levels[i].level == ABSENT)
			r->levels[i].level = r->nr - 1 - i;
}

/* Judges the records in themselves and makes the chain of them. */
static void judge_levels(struct model *m, struct task_record *r)
{
	struct chain *c = &r->chain;
	const struct level_record *root;
	enum sure sure = told_sure(m, r->ev.ns);
	bool ok;
	int i;

	number_levels(r);
	ok = levels_contiguous(r);
	if (!r->nr) {
		verdict_unsure(m->v, RULE_DUMP_LEVELS,
			       m->offers[EV_DUMP_PID_NS] && sure != SURE ? sure : UNSURE_SHAPE);
		return;
	}
	judge(m->v, RULE_DUMP_LEVELS, ok ? SURE : sure, ok, &r->ev, "tid=%d comm=%s levels=%s",
	      r->tid, r->name, levels_text(r));
	if (!ok)
		return;
	root = &r->levels[r->nr - 1];
	judge(m->v, RULE_DUMP_ROOT_VTID, SURE, root->vtid == r->tid && root->vpid == r->pid, &r->ev,
	      "tid=%d vtid=%lld pid=%d vpid=%lld", r->tid, (long long)root->vtid, r->pid,
	      (long long)root->vpid);
	c->n = r->nr;
	c->has_inums = true;
	for (i = 0; i < r->nr; i++) {
		c->inums[r->levels[i].level] = (uint32_t)r->levels[i].inum;
		c->vtids[r->levels[i].level] = (int32_t)r->levels[i].vtid;
		if (r->levels[i].inum == ABSENT)
			c->n = 0;
	}
	if (!c->n)
		return;
	judge_root_inum(m, RULE_DUMP_ROOT_INUM, c->inums[0], &r->ev);
	c->inums[0] = m->root_inum;
	c->vtids[0] = r->tid;
	c->own = c->inums[c->n - 1];
}

static bool is_same(const struct task *t, const struct task_record *r)
{
	return (t->pid < 0 || t->pid == r->pid) &&
	       (!t->ns || !r->chain.n || task_has_chain(t, &r->chain));
}

static void judge_known_task(struct model *m, const struct task *t, const struct task_record *r)
{
	/* The exit event comes before the kernel makes the task a zombie. */
	bool dead_agrees = !r->is_dead || t->exited || !t->forked || t->revived > r->prev;

	judge(m->v, RULE_DUMP_AGREES, told_sure(m, t->conf), is_same(t, r) && dead_agrees, &r->ev,
	      "tid=%d comm=%s pid=%d known_pid=%d vtids=%s known_vtids=%s ns_inums=%s"
	      " known_ns_inums=%s dead=%d exit_seen=%d",
	      r->tid, r->name, r->pid, t->pid, vtids_text(r->chain.vtids, r->chain.n),
	      vtids_text(t->vtids, t->nr_levels), inums_text(&r->chain), pidns_text(t->ns),
	      r->is_dead, t->exited);
}

/* Takes in a task that was not known, or was known to be gone. */
static struct task *meet(struct model *m, const struct task_record *r, const struct task *old)
{
	struct task *t = task_new(m, r->tid, r->ev.ns);

	t->idle_since_dump = !r->is_dead;
	t->fork_due = t->idle_since_dump && (old || m->nr_whole_dumps);
	t->exited = r->is_dead;
	if (t->exited)
		t->death = r->ev.ns;
	return t;
}

/* The record may be of a task that ended between being read and being written. */
static bool is_stale(const struct model *m, const struct task *t, const struct task_record *r)
{
	if (!t || !m->in_dump)
		return false;
	return t->freed ? t->freed_at > r->prev && is_same(t, r)
			: t->forked && t->birth > r->prev && !is_same(t, r);
}

static struct task *known_task(struct model *m, const struct task_record *r)
{
	struct task *t = model_task(m, r->tid);

	if (is_stale(m, t, r))
		return NULL;
	if (!t || t->freed)
		return meet(m, r, t);
	/* The tid may have been taken again, or what was known is out of date. */
	if (!is_same(t, r) && (t->exited || told_sure(m, t->conf) != SURE))
		return meet(m, r, t);
	judge_known_task(m, t, r);
	if (!t->fork_due && (t->forked || m->nr_whole_dumps))
		verdict_ok(m->v, RULE_DUMP_KNOWN);
	t->conf = r->ev.ns;
	if (r->is_dead && t->revived <= r->prev)
		task_exit(m, t, r->ev.ns);
	return t;
}

static void mark_namespaces(struct model *m, const struct task *t)
{
	struct pidns *ns;

	for (ns = t->ns; ns; ns = ns->parent) {
		ns->dump_seen = m->dump_seq;
		ns->conf = m->now;
	}
}

/* Told once for a group; a thread that has others than its leader is told of next. */
static void take_leaders_namespaces(struct model *m, struct task *t)
{
	const struct task *leader = t->pid != t->tid ? model_task(m, t->pid) : NULL;

	if (!leader || leader->at_once_seq != m->dump_seq)
		return;
	memcpy(t->ns_inums, leader->ns_inums, sizeof(t->ns_inums));
	t->ns_told = t->dumped_at;
}

static void take_task(struct model *m, struct task *t, struct task_record *r)
{
	struct pidns *ns;

	task_set_pid(m, t, r->pid);
	t->ppid = r->ppid;
	t->ppid_told = true;
	t->is_kthread = r->is_kthread;
	t->dump_seq = m->dump_seq;
	t->dumped_at = r->ev.ns;
	task_set_comm(m, t, r->name, true);
	if (!t->ns && r->chain.n) {
		ns = pidns_of_chain(m, &r->chain, r->chain.n, t->exited, &r->ev);
		task_place(m, t, ns, r->chain.vtids, r->chain.n, &r->ev);
	}
	take_leaders_namespaces(m, t);
	mark_namespaces(m, t);
	references_judge(m, r);
}

static void judge_namespace(struct model *m, const struct task_record *r)
{
	const struct event *ev = &m->dump->namespace;
	const struct ev_dump_namespace *n = &ev->namespace;
	const struct chain *c = &r->chain;
	struct pidns *ns;
	bool ok;

	if (!m->dump->has_namespace)
		return;
	m->dump->has_namespace = false;
	ns = model_namespace(m, (uint32_t)n->ns_inum);
	if (ns)
		ns->dump_record = m->dump_seq;
	if (r->tid == n->init_tid && !c->n)
		return;
	ok = r->tid == n->init_tid && c->vtids[c->n - 1] == 1 && c->own == n->ns_inum &&
	     c->n - 1 == n->ns_level &&
	     (c->n > 1 ? c->inums[c->n - 2] == n->parent_ns_inum : !n->parent_ns_inum);
	judge(m->v, RULE_DUMP_NAMESPACE_AGREES, told_sure(m, ev->ns), ok, ev,
	      "ns_inum=%lld ns_level=%lld parent_ns_inum=%lld init_tid=%lld next_tid=%d"
	      " its_ns_inums=%s its_vtids=%s",
	      (long long)n->ns_inum, (long long)n->ns_level, (long long)n->parent_ns_inum,
	      (long long)n->init_tid, r->tid, inums_text(c), vtids_text(c->vtids, c->n));
	if (!ok || !ns)
		return;
	ns->init_tid = n->init_tid;
	ns->init_start_time = n->init_start_time;
	ns->user_ns_inum = n->user_ns_inum;
}

static void flush(struct model *m)
{
	struct task_record *r = &m->dump->cur;
	struct task *t;

	if (!r->open)
		return;
	r->open = false;
	judge_levels(m, r);
	t = known_task(m, r);
	if (t)
		take_task(m, t, r);
	judge_namespace(m, r);
	m->dump->last = *r;
}

void model_dump_flush(struct model *m)
{
	flush(m);
}

static void open_record(struct model *m, const struct event *ev)
{
	const struct ev_dump_process *p = &ev->process;
	struct task_record *r = &m->dump->cur;

	flush(m);
	memset(r, 0, sizeof(*r));
	r->open = true;
	r->prev = m->dump->prev;
	r->ev.kind = ev->kind;
	r->ev.cpu = ev->cpu;
	r->ev.ns = ev->ns;
	r->ev.trace = ev->trace;
	r->tid = (int)p->tid;
	r->pid = p->pid == ABSENT ? r->tid : (int)p->pid;
	r->ppid = p->ppid == ABSENT ? -1 : (int)p->ppid;
	r->is_kthread = p->type == TYPE_KERNEL_THREAD;
	r->is_dead =
		p->status == STATUS_EXIT || p->status == STATUS_ZOMBIE || p->status == STATUS_DEAD;
	strncpy(r->name, p->name ? p->name : "", COMM_MAX);
}

static void add_level(struct model *m, int64_t level, int64_t inum, int64_t vtid, int64_t vpid,
		      int64_t vppid)
{
	struct task_record *r = &m->dump->cur;

	if (r->nr < LEVELS_MAX)
		r->levels[r->nr] = (struct level_record){level, inum, vtid, vpid, vppid};
	r->nr++;
	if (!level)
		flush(m);
}

static void on_process(struct model *m, const struct event *ev)
{
	const struct ev_dump_process *p = &ev->process;
	const struct task_record *r = &m->dump->cur;

	if (p->tid == ABSENT)
		return;
	if (!r->open || r->tid != p->tid || m->shape == SHAPE_2_12)
		open_record(m, ev);
	if (m->shape != SHAPE_2_12 && p->vtid != ABSENT)
		add_level(m, p->ns_level, p->ns_inum, p->vtid, p->vpid, p->vppid);
}

/* Where process_state has levels of its own, process_pid_ns must repeat them. */
static void on_pid_ns(struct model *m, const struct event *ev)
{
	const struct ev_dump_ns *n = &ev->ns_of;
	const struct task_record *last = &m->dump->last;
	const struct level_record *l = NULL;
	int i;

	if (n->tid == ABSENT || n->ns_level == ABSENT)
		return;
	if (m->shape == SHAPE_2_12) {
		if (m->dump->cur.open && m->dump->cur.tid == n->tid)
			add_level(m, n->ns_level, n->ns_inum, n->vtid, n->vpid, n->vppid);
		return;
	}
	flush(m);
	if (last->tid != n->tid)
		last = NULL;
	for (i = 0; last && i < last->nr && i < LEVELS_MAX; i++)
		if (last->levels[i].level == n->ns_level)
			l = &last->levels[i];
	judge(m->v, RULE_DUMP_PID_NS_AGREES, told_sure(m, m->dump_start),
	      l && l->inum == n->ns_inum && l->vtid == n->vtid && l->vpid == n->vpid, ev,
	      "tid=%lld ns_level=%lld ns_inum=%lld vtid=%lld vpid=%lld process_state=%s"
	      " its_ns_inum=%lld its_vtid=%lld its_vpid=%lld",
	      (long long)n->tid, (long long)n->ns_level, (long long)n->ns_inum, (long long)n->vtid,
	      (long long)n->vpid, l ? "differs" : "missing", l ? (long long)l->inum : 0,
	      l ? (long long)l->vtid : 0, l ? (long long)l->vpid : 0);
}

static void on_other_ns(struct model *m, const struct event *ev)
{
	static const enum ns_kind kind_of[EV_NR] = {
		[EV_DUMP_USER_NS] = NS_USER, [EV_DUMP_CGROUP_NS] = NS_CGROUP,
		[EV_DUMP_IPC_NS] = NS_IPC,   [EV_DUMP_MNT_NS] = NS_MNT,
		[EV_DUMP_NET_NS] = NS_NET,   [EV_DUMP_UTS_NS] = NS_UTS,
		[EV_DUMP_TIME_NS] = NS_TIME,
	};
	struct task *t;

	if (ev->ns_of.tid == ABSENT || ev->ns_of.ns_inum == ABSENT)
		return;
	flush(m);
	t = model_task(m, ev->ns_of.tid);
	if (!t || told_since_read(m, t, t->ns_switched))
		return;
	/* User namespaces nest; the first record is of the task's own. */
	if (ev->kind == EV_DUMP_USER_NS && t->ns_told >= t->dumped_at && t->ns_inums[NS_USER])
		return;
	t->ns_inums[kind_of[ev->kind]] = (uint32_t)ev->ns_of.ns_inum;
	t->ns_told = ev->ns;
}

static void on_namespaces(struct model *m, const struct event *ev)
{
	struct task *t;

	if (ev->ns_switch.tid == ABSENT)
		return;
	flush(m);
	t = model_task(m, ev->ns_switch.tid);
	if (!t)
		return;
	if (!told_since_read(m, t, t->ns_switched))
		task_set_namespaces(t, ev);
	t->at_once_seq = m->dump_seq;
}

static void on_namespace(struct model *m, const struct event *ev)
{
	if (ev->namespace.ns_inum == ABSENT || ev->namespace.init_tid == ABSENT)
		return;
	flush(m);
	m->dump->has_namespace = true;
	m->dump->namespace = *ev;
}

static void on_start(struct model *m, const struct event *ev)
{
	flush(m);
	references_drop(m->dump);
	m->dump->has_namespace = false;
	m->in_dump = true;
	m->dump_seq++;
	m->dump_start = ev->ns;
	m->dump_hierarchies = 0;
}

/* Who lived before the dump and still lives must have been in it. */
static void judge_completeness(struct model *m, const struct event *ev)
{
	bool nothing_lost = told_sure(m, m->dump_start) == SURE;
	enum sure sure;
	struct task *t;
	size_t pos = 0;

	while ((t = hash_next(&m->by_tid, &pos))) {
		if (t->exited || t->only_ran || t->seen >= m->dump_start)
			continue;
		sure = nothing_lost ? told_sure(m, t->conf) : UNSURE_LOST;
		judge(m->v, RULE_DUMP_COMPLETE, sure, t->dump_seq == m->dump_seq, ev,
		      "tid=%d comm=%s dumped=no", t->tid, t->comm);
		/* Its exit was lost before the dump. */
		if (t->dump_seq != m->dump_seq && nothing_lost && sure != SURE)
			task_exit(m, t, m->dump_start);
	}
}

/*
 * What is judged at the end of a dump looks at all that is known: that is right for one that tells
 * of all, but thousands of them that tell nothing would take for ever.
 */
static bool dump_is_worth_it(struct model *m)
{
	m->dump_work += m->by_tid.nr_items + m->nr_namespaces;
	return m->dump_work < 64 * m->nr_events;
}

static void judge_namespaces(struct model *m, const struct event *ev)
{
	size_t i;

	for (i = 0; i < m->nr_namespaces; i++) {
		const struct pidns *ns = m->namespaces[i];

		/* A namespace that is dying, or was born meanwhile, may have been missed. */
		if (ns->dump_seen != m->dump_seq || ns->death || !task_in(m, ns, 1) ||
		    (ns->birth >= m->dump_start && ns->dump_record != m->dump_seq))
			continue;
		judge(m->v, RULE_DUMP_NAMESPACE, told_sure(m, m->dump_start),
		      ns->dump_record == m->dump_seq, ev, "ns_inum=%u ns_level=%d record=no",
		      ns->inum, ns->level);
	}
}

static void on_end(struct model *m, const struct event *ev)
{
	static const struct task_record none;

	flush(m);
	judge_namespace(m, &none);
	if (!m->in_dump)
		return;
	m->in_dump = false;
	references_settle(m);
	if (!dump_is_worth_it(m))
		return;
	judge_completeness(m, ev);
	if (m->offers[EV_DUMP_NAMESPACE])
		judge_namespaces(m, ev);
	model_cgroup_dump_end(m, ev);
	m->whole_dump = m->dump_start;
	if (absence_sure(m) == SURE)
		pidns_bury(m);
	m->nr_whole_dumps++;
}

void model_dump_event(struct model *m, const struct event *ev)
{
	m->dump->prev = m->dump->now;
	switch (ev->kind) {
	case EV_DUMP_START:
		on_start(m, ev);
		break;
	case EV_DUMP_END:
		on_end(m, ev);
		break;
	case EV_DUMP_PROCESS:
		on_process(m, ev);
		break;
	case EV_DUMP_PID_NS:
		on_pid_ns(m, ev);
		break;
	case EV_DUMP_NAMESPACES:
		on_namespaces(m, ev);
		break;
	case EV_DUMP_NAMESPACE:
		on_namespace(m, ev);
		break;
	default:
		on_other_ns(m, ev);
	}
	m->dump->now = ev->ns;
}

void model_dump_finish(struct model *m)
{
	struct task *t;
	size_t pos = 0;

	flush(m);
	references_drop(m->dump);
	while ((t = hash_next(&m->by_tid, &pos)))
		if (t->fork_due)
			task_heard(m, t, NULL);
}
