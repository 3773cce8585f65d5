/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <string.h>

#include "model-int.h"

/* What a fork event says of the child's place, and which parts of it hold. */
struct birth {
	const struct ev_fork *f;
	const struct event *ev;
	struct task *parent;
	struct chain chain;
	enum sure parent_sure;
};

static bool levels_ok(const struct ev_fork *f)
{
	return f->vtids.nr >= 1 && f->vtids.nr <= LEVELS_MAX &&
	       (f->ns_inums.nr < 0 || f->ns_inums.nr == f->vtids.nr);
}

/* The rules that need no more than the event itself. */
static bool judge_event(struct model *m, const struct ev_fork *f, const struct event *ev)
{
	bool ok = levels_ok(f);

	if (f->vtids.nr >= 0)
		judge(m->v, RULE_FORK_LEVELS, SURE, ok, ev, "child_tid=%lld vtids=%s ns_inums=%s",
		      (long long)f->child_tid, seq_text(&f->vtids), seq_text(&f->ns_inums));
	if (f->vtids.nr >= 1)
		judge(m->v, RULE_FORK_ROOT_VTID, SURE, f->vtids.v[0] == f->child_tid, ev,
		      "child_tid=%lld vtids=%s", (long long)f->child_tid, seq_text(&f->vtids));
	if (f->ns_inums.nr >= 1)
		judge_root_inum(m, RULE_FORK_ROOT_INUM, f->ns_inums.v[0], ev);
	if (f->ns_inums.nr >= 1 && f->ns_inums.nr <= SEQ_MAX && f->child_ns_inum != ABSENT)
		judge(m->v, RULE_FORK_OWN_INUM, SURE,
		      f->ns_inums.v[f->ns_inums.nr - 1] == f->child_ns_inum, ev,
		      "child_tid=%lld child_ns_inum=%lld ns_inums=%s", (long long)f->child_tid,
		      (long long)f->child_ns_inum, seq_text(&f->ns_inums));
	if (f->child_pid != ABSENT && f->parent_pid != ABSENT)
		judge(m->v, RULE_FORK_GROUP, SURE,
		      f->child_pid == f->child_tid || f->child_pid == f->parent_pid, ev,
		      "child_tid=%lld child_pid=%lld parent_pid=%lld", (long long)f->child_tid,
		      (long long)f->child_pid, (long long)f->parent_pid);
	return ok;
}

/*
 * The first and the last entry have rules of their own; here their right
 * values are put in, so that one defect does not look like several.
 */
static void take_chain(struct model *m, struct chain *c, const struct ev_fork *f)
{
	int i;

	c->n = (int)f->vtids.nr;
	c->has_inums = f->ns_inums.nr == f->vtids.nr;
	for (i = 0; i < c->n; i++) {
		c->vtids[i] = (int32_t)f->vtids.v[i];
		if (c->has_inums)
			c->inums[i] = (uint32_t)f->ns_inums.v[i];
	}
	c->vtids[0] = (int32_t)f->child_tid;
	c->own = f->child_ns_inum != ABSENT ? (uint32_t)f->child_ns_inum
		 : c->has_inums		    ? c->inums[c->n - 1]
					    : 0;
	if (!c->has_inums) {
		/* Level 0 is the root: then the one inode is the whole chain. */
		c->has_inums = c->n == 1;
		c->inums[0] = c->own;
		return;
	}
	c->inums[c->n - 1] = c->own;
	if (m->root_inum && c->n > 1)
		c->inums[0] = m->root_inum;
}

static void judge_parent(struct model *m, struct birth *b)
{
	const struct ev_fork *f = b->f;
	struct task *p = b->parent;

	judge(m->v, RULE_FORK_PARENT_ALIVE, p ? told_sure(m, p->conf) : absence_sure(m),
	      p && !p->exited, b->ev, "parent_tid=%lld parent_comm=%s known=%s child_tid=%lld",
	      (long long)f->parent_tid, f->parent_comm ? f->parent_comm : "", p ? "exited" : "no",
	      (long long)f->child_tid);
	if (!p || p->exited || !p->ns)
		return;
	if (f->parent_pid != ABSENT && f->parent_ns_inum != ABSENT)
		judge(m->v, RULE_FORK_PARENT_NS, b->parent_sure,
		      p->pid == f->parent_pid && p->ns->inum == f->parent_ns_inum, b->ev,
		      "parent_tid=%d parent_pid=%lld known_pid=%d parent_ns_inum=%lld"
		      " known_ns_inum=%u",
		      p->tid, (long long)f->parent_pid, p->pid, (long long)f->parent_ns_inum,
		      p->ns->inum);
}

/* The first task of a namespace. */
static struct pidns *enter_new(struct model *m, struct birth *b)
{
	const struct chain *c = &b->chain;
	struct pidns *old = model_namespace(m, c->own), *above = NULL;
	bool lives = old && !old->death;
	enum sure sure = lives ? told_sure(m, old->conf) : absence_sure(m);

	/* No task of it is known: whether it lives is open until the next dump. */
	if (lives && !old->nr_alive)
		sure = both_sure(sure, absence_sure(m));
	judge(m->v, RULE_NS_INUM_UNIQUE, sure, !lives, b->ev,
	      "ns_inum=%u child_tid=%lld living_tasks=%u", c->own, (long long)b->f->child_tid,
	      old->nr_alive);
	if (c->has_inums) {
		above = model_namespace(m, c->inums[c->n - 2]);
		judge(m->v, RULE_FORK_NEW_NS, above ? told_sure(m, above->conf) : absence_sure(m),
		      above && pidns_has_chain(above, c, c->n - 1), b->ev,
		      "child_tid=%lld vtids=%s ns_inums=%s parent_namespace=%s",
		      (long long)b->f->child_tid, vtids_text(c->vtids, c->n), inums_text(c),
		      pidns_text(above));
		if (!above || !pidns_has_chain(above, c, c->n - 1))
			above = pidns_of_chain(m, c, c->n - 1, false, b->ev);
	} else if (b->parent && b->parent->nr_levels == c->n - 1) {
		above = b->parent->ns;
	}
	return pidns_new(m, c->own, c->n - 1, above, b->ev->ns);
}

/* A task that joins a namespace that is not its parent's: after setns. */
static struct pidns *enter_known(struct model *m, struct birth *b)
{
	const struct chain *c = &b->chain;
	struct pidns *ns = model_namespace(m, c->own);

	if (!ns || ns->death)
		judge(m->v, RULE_FORK_NEW_NS, ns ? told_sure(m, ns->conf) : absence_sure(m), false,
		      b->ev, "child_tid=%lld vtids=%s ns_inums=%s namespace=%s wanted_vtid=1",
		      (long long)b->f->child_tid, vtids_text(c->vtids, c->n), inums_text(c),
		      ns ? "dead" : "unknown");
	return pidns_of_chain(m, c, c->n, false, b->ev);
}

static bool same_levels(const struct birth *b)
{
	const struct pidns *ns = b->parent->ns;

	return pidns_has_chain(ns, &b->chain, b->chain.n);
}

static bool descends(const struct birth *b)
{
	const struct chain *c = &b->chain;
	const struct pidns *ns = b->parent->ns;

	if (c->n <= ns->level + 1)
		return false;
	for (; ns && c->has_inums; ns = ns->parent)
		if (ns->inum != c->inums[ns->level])
			return false;
	return true;
}

/* Where the child lives; NULL if the event contradicts itself or the parent. */
static struct pidns *place_of_child(struct model *m, struct birth *b)
{
	const struct chain *c = &b->chain;
	const struct pidns *parent_ns = b->parent && !b->parent->exited ? b->parent->ns : NULL;
	bool ok;

	if (parent_ns && parent_ns->inum == c->own && !parent_ns->death) {
		ok = same_levels(b);
		judge(m->v, RULE_FORK_SAME_NS, b->parent_sure, ok, b->ev,
		      "child_tid=%lld vtids=%s ns_inums=%s parent_tid=%d parent_namespaces=%s",
		      (long long)b->f->child_tid, vtids_text(c->vtids, c->n), inums_text(c),
		      b->parent->tid, pidns_text(parent_ns));
		if (ok || b->parent_sure == SURE)
			return ok ? b->parent->ns : NULL;
	} else if (parent_ns) {
		ok = descends(b);
		judge(m->v, RULE_FORK_DESCENDS, b->parent_sure, ok, b->ev,
		      "child_tid=%lld vtids=%s ns_inums=%s parent_tid=%d parent_namespaces=%s",
		      (long long)b->f->child_tid, vtids_text(c->vtids, c->n), inums_text(c),
		      b->parent->tid, pidns_text(parent_ns));
		if (!ok && b->parent_sure == SURE)
			return NULL;
	}
	if (c->n > 1 && c->vtids[c->n - 1] == 1)
		return enter_new(m, b);
	if (c->n == 1)
		return pidns_of_chain(m, c, c->n, false, b->ev);
	return enter_known(m, b);
}

/* The dump can see a task in the moment between its creation and its fork event. */
static bool fork_of_dumped(struct model *m, struct birth *b, struct task *old)
{
	if (!old || old->exited || !old->idle_since_dump || old->forked)
		return false;
	if (old->ns && b->chain.n && !task_has_chain(old, &b->chain))
		return false;
	if (old->fork_due)
		verdict_ok(m->v, RULE_DUMP_KNOWN);
	old->idle_since_dump = old->fork_due = false;
	old->forked = true;
	old->birth = b->ev->ns;
	if (old->ns && old->ns->level && old->vtids[old->ns->level] == 1 && !old->ns->birth)
		old->ns->birth = b->ev->ns;
	return true;
}

static void inherit(struct model *m, struct task *t, const struct birth *b)
{
	const struct ev_fork *f = b->f;
	const struct task *p = b->parent;
	struct task_groups of;
	size_t i;

	t->forked = true;
	t->birth = b->ev->ns;
	task_set_pid(m, t, f->child_pid != ABSENT ? (int)f->child_pid : t->tid);
	t->ppid = t->pid == t->tid ? (int)f->parent_pid : p ? p->ppid : -1;
	task_set_comm(m, t, f->child_comm, true);
	if (p) {
		t->is_kthread = p->is_kthread;
		of = task_groups(m, p);
		for (i = 0; i < of.nr; i++)
			task_set_cgroup(m, t, of.list[i].hierarchy, of.list[i].id, 0);
		/* If they differ from the parent's, the next event of the child tells. */
		if (m->offers[EV_NAMESPACE_SWITCH]) {
			memcpy(t->ns_inums, p->ns_inums, sizeof(t->ns_inums));
			t->ns_told = m->now;
		}
	}
	if (f->child_cgroup_id != ABSENT && f->child_cgroup_id)
		task_set_cgroup(m, t, 0, (uint64_t)f->child_cgroup_id, 0);
}

/* A task that lived before the trace and is not dumped yet. */
static void remember_parent(struct model *m, const struct ev_fork *f)
{
	struct task *t = task_new(m, (int)f->parent_tid, m->now);

	task_set_pid(m, t, f->parent_pid != ABSENT ? (int)f->parent_pid : t->tid);
	task_set_comm(m, t, f->parent_comm, true);
}

/* Who ran under the child's tid before anything was known was another task. */
static void forget_runner(struct model *m, int64_t tid)
{
	struct task *t = model_runner(m, tid);

	if (t && t->only_ran)
		task_free(m, t);
}

void model_fork(struct model *m, const struct event *ev)
{
	const struct ev_fork *f = &ev->fork;
	struct birth b = {.f = f, .ev = ev};
	struct pidns *ns = NULL;
	struct task *t;

	if (f->child_tid == ABSENT)
		return;
	if (judge_event(m, f, ev))
		take_chain(m, &b.chain, f);
	if (f->parent_tid > 0) {
		b.parent = model_task(m, f->parent_tid);
		judge_parent(m, &b);
	}
	if (b.parent) {
		task_heard(m, b.parent, ev);
		b.parent_sure = told_sure(m, b.parent->conf);
	} else if (f->parent_tid > 0) {
		remember_parent(m, f);
	}
	t = model_task(m, f->child_tid);
	if (fork_of_dumped(m, &b, t))
		return;
	if (b.chain.n)
		ns = place_of_child(m, &b);
	forget_runner(m, f->child_tid);
	if (t && !t->exited)
		judge(m->v, RULE_VTID_UNIQUE, told_sure(m, t->conf), false, ev,
		      "child_tid=%d child_comm=%s other_comm=%s other=alive", t->tid,
		      f->child_comm ? f->child_comm : "", t->comm);
	t = task_new(m, (int)f->child_tid, ev->ns);
	inherit(m, t, &b);
	task_place(m, t, ns, b.chain.vtids, b.chain.n, ev);
}
