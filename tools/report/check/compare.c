/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "against-int.h"
#include "model/id-text.h"

/* An exit event is followed by a while of taking the task apart before /proc says Z. */
#define EXITING_NS 5000000000ull

/* What is common to the verdicts about one thread. */
struct pairing {
	struct verdicts *v;
	const struct pair *p;
	const struct snap_thread *s;
	const struct task *t;
	const struct capture *c; /* NULL: the trace told of the task later */
	struct event at;	 /* where an offence is located */
};

static bool is_dead(const struct snap_thread *s)
{
	return s->state == 'Z' || s->state == 'X';
}

static bool same_ids(const struct task *t, const int32_t *ids, int nr)
{
	return t->nr_levels == nr && !memcmp(t->vtids, ids, (size_t)nr * sizeof(*ids));
}

static void compare_ids(const struct pairing *x, const struct task *leader)
{
	const struct snap_thread *s = x->s;
	const struct task *t = x->t;
	bool ok = t->pid == s->pid && (!s->nr_nspid || same_ids(t, s->nspid, s->nr_nspid));

	if (leader && leader->ns && s->nr_nstgid)
		ok = ok && same_ids(leader, s->nstgid, s->nr_nstgid);
	judge(x->v, RULE_PROC_IDS, t->ns && t->pid >= 0 ? x->p->sure : UNSURE_SHAPE, ok, &x->at,
	      "tid=%d pid=%d vtids=%s leader_vtids=%s proc_pid=%d proc_nspid=%s proc_nstgid=%s",
	      t->tid, t->pid, vtids_text(t->vtids, t->nr_levels),
	      leader ? vtids_text(leader->vtids, leader->nr_levels) : "none", s->pid,
	      vtids_text(s->nspid, s->nr_nspid), vtids_text(s->nstgid, s->nr_nstgid));
}

static void compare_parent(const struct pairing *x)
{
	int ppid = x->c ? x->c->ppid : x->t->ppid;
	enum sure sure = x->p->sure;

	if (x->s->ppid < 0 || ppid < 0)
		return;
	if (ppid != x->s->ppid && !(x->c && x->c->ppid_certain))
		sure = both_sure(sure, UNSURE_UNTOLD);
	judge(x->v, RULE_PROC_PARENT, sure, ppid == x->s->ppid, &x->at,
	      "tid=%d ppid=%d proc_ppid=%d", x->t->tid, ppid, x->s->ppid);
}

static void compare_pid_ns(const struct pairing *x)
{
	if (!x->s->pid_ns)
		return;
	judge(x->v, RULE_PROC_PID_NS, x->t->ns ? x->p->sure : UNSURE_SHAPE,
	      x->t->ns->inum == x->s->pid_ns, &x->at, "tid=%d ns_inum=%u proc_pid_ns=%u", x->t->tid,
	      x->t->ns->inum, x->s->pid_ns);
}

/*
 * Without namespace_switch there are no events for setns and unshare; but a task
 * that slept since it was told of did neither, nor one of which the same is told
 * before and after.
 */
static bool ns_is_certain(const struct pairing *x, int kind, uint32_t inum)
{
	return x->c && (x->c->ns_certain || (x->c->told_after && x->c->ns_after[kind] == inum));
}

static void compare_namespaces(const struct pairing *x)
{
	int k;

	for (k = 0; k < NS_KIND_NR; k++) {
		uint32_t inum = x->c ? x->c->ns_inums[k] : x->t->ns_inums[k];
		uint32_t want = x->s->ns_inums[k];
		enum sure sure = x->p->sure;

		if (!inum || !want)
			continue;
		if (inum != want && !ns_is_certain(x, k, inum))
			sure = both_sure(sure, UNSURE_UNTOLD);
		judge(x->v, RULE_PROC_NAMESPACES, sure, inum == want, &x->at,
		      "tid=%d kind=%s ns_inum=%u proc_ns_inum=%u", x->t->tid, ns_kind_names[k],
		      inum, want);
	}
}

static const struct task_cgroup *cgroup_in(const struct task_cgroup *c, size_t nr, int hierarchy)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (c[i].hierarchy == hierarchy)
			return &c[i];
	return NULL;
}

/* The kernel marks a removed cgroup that still has (dead) tasks. */
static bool same_path(const char *ours, const char *proc)
{
	size_t len = strlen(ours);

	return !strncmp(ours, proc, len) && (!proc[len] || !strcmp(proc + len, " (deleted)"));
}

static bool cgroup_is_certain(const struct pairing *x, const struct task_cgroup *now)
{
	const struct task_cgroup *after;

	if (!x->c)
		return false;
	if (x->p->host->offers[EV_CGROUP_ATTACH])
		return true;
	after = cgroup_in(x->c->cgroups_after, x->c->nr_cgroups_after, now->hierarchy);
	return x->c->told_after && after && after->id == now->id;
}

static void compare_cgroups(const struct pairing *x)
{
	const struct task_groups of = x->c ? (struct task_groups){x->c->cgroups, x->c->nr_cgroups}
					   : task_groups(x->p->host->model, x->t);
	size_t i;

	for (i = 0; i < x->s->nr_cgroups && !is_dead(x->s); i++) {
		const struct snap_cgroup *want = &x->s->cgroups[i];
		const struct task_cgroup *told = cgroup_in(of.list, of.nr, want->hierarchy);
		const struct cgroup *known;
		enum sure sure = x->p->sure;
		bool ok;

		if (!told)
			continue;
		known = task_group(x->p->host->model, told);
		ok = known && same_path(known->path, want->path);
		if (!known)
			sure = both_sure(sure, UNSURE_SHAPE);
		else if (!ok && !cgroup_is_certain(x, told))
			sure = both_sure(sure, UNSURE_UNTOLD);
		judge(x->v, RULE_PROC_CGROUP, sure, ok, &x->at,
		      "tid=%d hierarchy=%d path=%s proc_path=%s", x->t->tid, told->hierarchy,
		      known->path, want->path);
	}
}

/*
 * Of a kernel thread /proc has the whole name, where comm is cut off at 15
 * bytes, and appends to a worker's what it works on.
 */
static bool same_comm(const struct task *t, const char *ours, const char *proc)
{
	size_t len = strlen(ours);

	if (!strcmp(ours, proc))
		return true;
	return t->is_kthread && !strncmp(ours, proc, len) &&
	       (len == COMM_MAX - 1 || proc[len] == '-' || proc[len] == '+');
}

static void compare_comm(const struct pairing *x)
{
	const char *comm = x->c ? x->c->comm : x->t->comm;
	bool ok = same_comm(x->t, comm, x->s->comm);
	enum sure sure = x->p->sure;

	if (!x->s->has_comm || !*comm)
		return;
	if (!ok && !(x->c && x->c->comm_certain))
		sure = both_sure(sure, UNSURE_UNTOLD);
	judge(x->v, RULE_PROC_COMM, sure, ok, &x->at, "tid=%d comm=%s proc_comm=%s", x->t->tid,
	      comm, x->s->comm);
}

void compare_thread(struct verdicts *v, const struct pair *p, const struct snap_thread *s,
		    const struct task *t, const struct task *leader)
{
	struct pairing x = {
		.v = v,
		.p = p,
		.s = s,
		.t = t,
		.c = hash_get(&p->by_task, (uintptr_t)t),
		.at = {.kind = EV_NR, .cpu = -1, .ns = p->begin, .trace = p->host->trace->path},
	};

	compare_ids(&x, leader);
	compare_parent(&x);
	compare_pid_ns(&x);
	compare_namespaces(&x);
	compare_cgroups(&x);
	compare_comm(&x);
}

/* The tasks of a host as the snapshot could see them, by tid. */
struct population {
	struct hash through; /* lived all along */
	struct hash partly;  /* may be in the snapshot or not */
};

static bool is_partly(const struct task *t, uint64_t begin, uint64_t end)
{
	uint64_t birth = t->forked ? t->birth : 0;

	if (birth > end)
		return false;
	/* Dead tasks stay in /proc until they are reaped, which is not told. */
	return !t->exited || !t->freed || t->freed_at >= begin;
}

static bool is_through(const struct task *t, uint64_t begin, uint64_t end)
{
	uint64_t birth = t->forked ? t->birth : 0;

	/* The state dump, where it was whole, would have told of one that lived. */
	if (t->only_ran)
		return false;
	/* A worker that no fork told of began at some time before it was seen. */
	if (!t->forked && t->seen > begin && is_untold_comm(t->comm))
		return false;
	return birth < begin && (!t->exited || t->death > end);
}

static void populate(struct population *pop, const struct pair *p)
{
	const struct task *t;

	for (t = p->host->model->tasks; t; t = t->next) {
		if (is_through(t, p->begin, p->end))
			hash_put(&pop->through, (uint64_t)t->tid, (void *)t);
		else if (is_partly(t, p->begin, p->end))
			hash_put(&pop->partly, (uint64_t)t->tid, (void *)t);
	}
}

static void compare_snapshot(struct verdicts *v, struct pair *p, const struct population *pop)
{
	const struct event at = {
		.kind = EV_NR, .cpu = -1, .ns = p->begin, .trace = p->host->trace->path};
	const struct snapshot *s = p->snapshot;
	size_t i;

	for (i = 0; i < s->nr_threads; i++) {
		const struct snap_thread *st = &s->threads[i];
		const struct task *t = hash_get(&pop->through, (uint64_t)st->tid);
		const struct task *partly = hash_get(&pop->partly, (uint64_t)st->tid);

		if (!t && partly && partly->exited && !is_dead(st) && partly->death < p->begin &&
		    p->begin - partly->death > EXITING_NS)
			partly = NULL;
		if (!t && partly) {
			p->nr_raced++;
			continue;
		}
		judge(v, RULE_PROC_KNOWN, !t && is_untold_comm(st->comm) ? UNSURE_UNTOLD : p->sure,
		      t, &at, "tid=%d pid=%d proc_comm=%s proc_state=%c trace=none", st->tid,
		      st->pid, st->comm, st->state ? st->state : '?');
		if (!t)
			continue;
		p->nr_compared++;
		compare_thread(v, p, st, t, hash_get(&pop->through, (uint64_t)st->pid));
	}
}

static void compare_trace(struct verdicts *v, const struct pair *p, const struct population *pop)
{
	const struct event at = {
		.kind = EV_NR, .cpu = -1, .ns = p->begin, .trace = p->host->trace->path};
	const struct task *t;
	struct hash seen = {0};
	size_t pos = 0, i;

	for (i = 0; i < p->snapshot->nr_threads; i++)
		hash_put(&seen, (uint64_t)p->snapshot->threads[i].tid, &p->snapshot->threads[i]);
	while ((t = hash_next(&pop->through, &pos)))
		judge(v, RULE_PROC_ALIVE, p->sure, hash_get(&seen, (uint64_t)t->tid), &at,
		      "tid=%d comm=%s proc=none", t->tid, t->comm);
	hash_free(&seen);
}

void compare_pair(struct verdicts *v, struct pair *p)
{
	struct population pop = {0};

	populate(&pop, p);
	compare_snapshot(v, p, &pop);
	compare_trace(v, p, &pop);
	hash_free(&pop.through);
	hash_free(&pop.partly);
}
