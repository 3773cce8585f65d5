/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "model-int.h"

/* Sizes of struct model's near_tid: the largest has room for what pid_max mostly is. */
#define NEAR_MIN 1024
#define NEAR_MAX (1 << 20)

const char *const ns_kind_names[NS_KIND_NR] = {
	[NS_USER] = "user", [NS_CGROUP] = "cgroup", [NS_IPC] = "ipc",	[NS_MNT] = "mnt",
	[NS_NET] = "net",   [NS_UTS] = "uts",	    [NS_TIME] = "time",
};

bool is_untold_comm(const char *comm)
{
	return comm && (!strncmp(comm, "iou-", 4) || !strncmp(comm, "vhost-", 6) ||
			!strncmp(comm, "kvm-nx-", 7));
}

struct task *model_runner(const struct model *m, int64_t tid)
{
	struct task *t = m->near_tid ? m->near_tid[(size_t)tid & m->near_mask] : NULL;

	return t && t->tid == tid ? t : hash_get(&m->by_tid, (uint64_t)tid);
}

struct task *model_task(const struct model *m, int64_t tid)
{
	struct task *t = model_runner(m, tid);

	return t && t->only_ran ? NULL : t;
}

struct task *model_task_in(const struct model *m, uint32_t inum, int32_t vtid)
{
	const struct pidns *ns = model_namespace(m, inum);

	return ns ? task_in(m, ns, vtid) : NULL;
}

const struct pidns *task_ns_at(const struct task *t, int level)
{
	const struct pidns *ns = t->ns;

	while (ns && ns->level > level)
		ns = ns->parent;
	return ns && ns->level == level ? ns : NULL;
}

const struct task_cgroup *task_main_cgroup(const struct model *m, const struct task *t)
{
	const struct task_groups of = task_groups(m, t);
	size_t i;

	for (i = 0; i < of.nr; i++)
		if (!of.list[i].hierarchy)
			return &of.list[i];
	return of.nr ? &of.list[0] : NULL;
}

static uint64_t vtid_key(const struct pidns *ns, int32_t vtid)
{
	return hash_numbers(ns->serial, (uint32_t)vtid);
}

static void join_process(struct model *m, struct task *t)
{
	struct task *first;

	/* What moved the process before did not move this one. */
	t->moves_seen = m->nr_process_moves;
	if (t->pid < 0 || t->exited)
		return;
	first = hash_get(&m->by_pid, (uint64_t)t->pid);
	t->next_of_pid = first;
	if (first)
		first->prev_of_pid = t;
	hash_put(&m->by_pid, (uint64_t)t->pid, t);
}

static void leave_process(struct model *m, struct task *t)
{
	if (t->next_of_pid)
		t->next_of_pid->prev_of_pid = t->prev_of_pid;
	if (t->prev_of_pid)
		t->prev_of_pid->next_of_pid = t->next_of_pid;
	else if (t->pid >= 0 && hash_get(&m->by_pid, (uint64_t)t->pid) == t && t->next_of_pid)
		hash_put(&m->by_pid, (uint64_t)t->pid, t->next_of_pid);
	else if (t->pid >= 0 && hash_get(&m->by_pid, (uint64_t)t->pid) == t) {
		hash_del(&m->by_pid, (uint64_t)t->pid);
		process_moves_forget(m, t->pid);
	}
	t->next_of_pid = t->prev_of_pid = NULL;
}

void task_set_pid(struct model *m, struct task *t, int pid)
{
	task_keep_up(m, t);
	leave_process(m, t);
	t->pid = pid;
	join_process(m, t);
}

static void drop(struct task *t)
{
	free(t->vtids);
	free(t->cgroups);
	free(t);
}

static void make_room_near(struct model *m)
{
	size_t i, nr = m->near_tid ? 2 * (m->near_mask + 1) : NEAR_MIN;
	struct task **grown = xcalloc(nr, sizeof(struct task *));

	for (i = 0; m->near_tid && i <= m->near_mask; i++)
		if (m->near_tid[i])
			grown[(size_t)m->near_tid[i]->tid & (nr - 1)] = m->near_tid[i];
	free(m->near_tid);
	m->near_tid = grown;
	m->near_mask = nr - 1;
}

/* From now on it is the one of its tid. */
static void put_tid(struct model *m, struct task *t)
{
	if (!m->near_tid || (m->by_tid.nr * 2 > m->near_mask && m->near_mask + 1 < NEAR_MAX))
		make_room_near(m);
	hash_put(&m->by_tid, (uint64_t)t->tid, t);
	m->near_tid[(size_t)t->tid & m->near_mask] = t;
}

/* It will be no more. */
static void forget_tid(struct model *m, const struct task *t)
{
	struct task **near = &m->near_tid[(size_t)t->tid & m->near_mask];

	if (hash_get(&m->by_tid, (uint64_t)t->tid) == t)
		hash_del(&m->by_tid, (uint64_t)t->tid);
	if (*near == t)
		*near = NULL;
}

/*
 * Where dead tasks are not kept, they go when their tid is taken: their own
 * list is too long to search, so it is cleaned once it has doubled.
 */
static void prune(struct model *m)
{
	struct task **link = &m->tasks;
	size_t alive = 0;

	while (*link) {
		struct task *t = *link;

		if (hash_get(&m->by_tid, (uint64_t)t->tid) == t || !t->exited) {
			link = &t->next;
			alive++;
		} else {
			*link = t->next;
			drop(t);
		}
	}
	m->nr_tasks = alive;
	m->prune_at = alive * 2 + 1024;
}

/* 0: it lives, or the kernel has not said that it is gone. */
static uint64_t gone_since(const struct model *m, const struct task *t)
{
	if (t->freed)
		return t->freed_at;
	/* That it is freed was lost, or is not recorded. */
	if (t->exited && (!m->offers[EV_FREE] || hash_get(&m->by_tid, (uint64_t)t->tid) != t))
		return t->death;
	return 0;
}

void model_forget(struct model *m, uint64_t before, bool (*may_go)(void *ctx, struct task *t),
		  void *ctx)
{
	struct task **link = &m->tasks;

	while (*link) {
		struct task *t = *link;
		uint64_t gone = gone_since(m, t);

		if (!gone || gone >= before || !may_go(ctx, t)) {
			link = &t->next;
			continue;
		}
		*link = t->next;
		forget_tid(m, t);
		drop(t);
		m->nr_tasks--;
	}
}

struct task *task_new(struct model *m, int tid, uint64_t now)
{
	struct task *old, *t;

	/* Before the new one: callers may still use one whose tid it takes. */
	if (m->nr_tasks >= m->prune_at && !m->keep_dead)
		prune(m);
	old = model_runner(m, tid);
	if (old && old->only_ran && !old->exited) {
		old->only_ran = false;
		/* It may have been a thread of the process. */
		if (m->group_moved >= old->seen && m->group_moved > old->moved)
			old->moved = m->group_moved;
		old->met_after_loss = m->nr_losses;
		old->seen = old->conf = now;
		return old;
	}
	t = xcalloc(1, sizeof(*t));
	t->tid = tid;
	t->pid = t->ppid = -1;
	t->seen = now;
	t->conf = now;
	t->met_after_loss = m->nr_losses;
	if (old) {
		if (!old->exited)
			task_exit(m, old, now);
		t->ghost = !old->freed;
	}
	put_tid(m, t);
	t->next = m->tasks;
	m->tasks = t;
	m->nr_tasks++;
	return t;
}

void task_set_comm(struct model *m, struct task *t, const char *comm, bool told)
{
	if (!comm || (m->attributes_until && m->now > m->attributes_until && t->comm[0]))
		return;
	strncpy(t->comm, comm, COMM_MAX);
	t->comm_told = told;
}

bool told_since_read(const struct model *m, const struct task *t, uint64_t event)
{
	return event > t->dumped_at && event > m->loss_until;
}

/* The task's in the hierarchy, which is made if there is none; NULL: it has too many. */
static struct task_cgroup *cgroup_in(struct task *t, int hierarchy, uint64_t id)
{
	struct task_cgroup *c;
	size_t i;

	for (i = 0; i < t->nr_cgroups; i++)
		if (t->cgroups[i].hierarchy == hierarchy)
			return &t->cgroups[i];
	/* Each fork has as many: no kernel has so many hierarchies beside the unified one. */
	if (hierarchy && t->nr_cgroups >= HIERARCHIES_MAX)
		return NULL;
	t->cgroups = grow(t->cgroups, t->nr_cgroups, &t->cap_cgroups, sizeof(*c));
	c = &t->cgroups[t->nr_cgroups++];
	*c = (struct task_cgroup){.hierarchy = hierarchy, .id = id};
	return c;
}

static void take_move(struct task *t, const struct process_move *g)
{
	struct task_cgroup *c = cgroup_in(t, g->hierarchy, g->id);

	if (!c)
		return;
	c->moved = g->moved;
	if (t->moved < g->moved)
		t->moved = g->moved;
	if (g->told_nr > t->moves_seen) {
		c->id = g->id;
		c->group = g->group;
		c->told = g->told;
	}
	t->has_container = false;
}

/* Nobody sees from outside which of its process's moves a thread has taken over. */
void task_catch_up(const struct model *m, const struct task *looked_at)
{
	struct task *t = (struct task *)looked_at;
	const struct process_move *moves;
	size_t nr = 0, i;

	/* One that has ended is not moved any more. */
	if (!t->exited && t->pid >= 0)
		moves = process_moves(m, t->pid, &nr);
	for (i = 0; i < nr; i++)
		if (moves[i].nr > t->moves_seen)
			take_move(t, &moves[i]);
	t->moves_seen = m->nr_process_moves;
}

void task_join_cgroup(struct model *m, struct task *t, int hierarchy, uint64_t id,
		      unsigned int dump_seq)
{
	struct task_cgroup *c;

	task_keep_up(m, t);
	c = cgroup_in(t, hierarchy, id);
	if (!c)
		return;
	if (dump_seq)
		c->dump_seq = dump_seq;
	else
		t->moved = c->moved = m->now;
	if (dump_seq && told_since_read(m, t, c->moved))
		return;
	if (!m->attributes_until || m->now <= m->attributes_until) {
		c->id = id;
		c->group = model_cgroup(m, hierarchy, id);
		c->told = m->now;
	}
	t->has_container = false;
}

static void register_vtids(struct model *m, struct task *t)
{
	const struct pidns *ns;

	for (ns = t->ns; ns; ns = ns->parent)
		hash_put(&m->by_vtid, vtid_key(ns, t->vtids[ns->level]), t);
}

static void unregister_vtids(struct model *m, struct task *t)
{
	const struct pidns *ns;

	for (ns = t->ns; ns; ns = ns->parent)
		if (hash_get(&m->by_vtid, vtid_key(ns, t->vtids[ns->level])) == t)
			hash_del(&m->by_vtid, vtid_key(ns, t->vtids[ns->level]));
}

struct task *task_in(const struct model *m, const struct pidns *ns, int32_t vtid)
{
	return hash_get(&m->by_vtid, vtid_key(ns, vtid));
}

/* Another living task that has one of the ids; *where is the namespace. */
static struct task *find_twin(const struct model *m, const struct task *t,
			      const struct pidns **where)
{
	const struct pidns *ns;

	for (ns = t->ns; ns; ns = ns->parent) {
		struct task *other = hash_get(&m->by_vtid, vtid_key(ns, t->vtids[ns->level]));

		if (other && other != t && !other->exited) {
			*where = ns;
			return other;
		}
	}
	return NULL;
}

static void judge_twin(struct model *m, const struct task *t, const struct event *ev)
{
	const struct pidns *where = NULL;
	const struct task *twin = find_twin(m, t, &where);
	/* Two that are both told are compared when the second one comes. */
	enum sure sure = m->loss_until ? absence_sure(m) : SURE;

	if (twin)
		sure = told_sure(m, twin->conf);
	judge(m->v, RULE_VTID_UNIQUE, sure, !twin, ev,
	      "tid=%d vtid=%d ns_inum=%u other_tid=%d other_comm=%s", t->tid,
	      t->vtids[where->level], where->inum, twin->tid, twin->comm);
}

bool task_set_ids(struct model *m, struct task *t, struct pidns *ns, const int32_t *vtids, int n,
		  const struct event *ev)
{
	if (!ns || n != ns->level + 1)
		return false;
	t->ns = ns;
	t->nr_levels = n;
	free(t->vtids);
	t->vtids = xcalloc((size_t)n, sizeof(*t->vtids));
	memcpy(t->vtids, vtids, (size_t)n * sizeof(*vtids));
	if (t->exited)
		return false;
	judge_twin(m, t, ev);
	register_vtids(m, t);
	ns->nr_alive++;
	ns->death = 0;
	t->has_container = false;
	return true;
}

uint64_t task_told(const struct model *m, const struct task *t)
{
	const struct task_groups of = task_groups(m, t);
	uint64_t told = t->conf;
	size_t i;

	if (!m->offers[EV_DUMP_PROCESS_CGROUP])
		return told;
	if (t->ns->level && t->ns->owner_told < told)
		told = t->ns->owner_told;
	for (i = 0; i < of.nr; i++) {
		const struct task_cgroup *c = &of.list[i];

		/* A container further up is not known where the path up to the root is not. */
		if (!cgroup_is_whole(task_group(m, c)))
			return 0;
		if (c->told < told)
			told = c->told;
	}
	return told;
}

/*
 * Whether what was lost may be of it. A state dump tells where who has the tid now is, but not that
 * nobody else had it before: it may have ended in what was lost, and the tid been taken again.
 */
static bool has_lost_of(const struct model *m, const struct task *t)
{
	return m->nr_losses &&
	       (!t->ns || t->seen <= m->loss_until || task_told(m, t) <= m->loss_until);
}

bool task_is_unsure(const struct model *m, const struct task *t)
{
	if (!m->nr_losses)
		return false;
	if (!t->ns || (t->met_after_loss && !t->forked))
		return true;
	return t->exited ? !t->death_told || t->unsure_at_death : has_lost_of(m, t);
}

void task_exit(struct model *m, struct task *t, uint64_t when)
{
	if (t->exited)
		return;
	task_keep_up(m, t);
	leave_process(m, t);
	t->exited = true;
	t->unsure_at_death = has_lost_of(m, t);
	t->death = when;
	t->on_cpu = false;
	if (!t->ns)
		return;
	unregister_vtids(m, t);
	if (!--t->ns->nr_alive && t->ns->level)
		pidns_emptied(m, t->ns, when);
}

void task_revive(struct model *m, struct task *t)
{
	if (!t->exited)
		return;
	t->exited = t->freed = t->death_told = false;
	leave_process(m, t);
	join_process(m, t);
	t->death = 0;
	t->conf = t->revived = m->now;
	if (!t->ns)
		return;
	register_vtids(m, t);
	t->ns->nr_alive++;
	t->ns->death = 0;
}

void task_free(struct model *m, struct task *t)
{
	task_exit(m, t, m->now);
	t->freed = true;
	t->freed_at = m->now;
}

void task_heard(struct model *m, struct task *t, const struct event *ev)
{
	t->idle_since_dump = false;
	if (!t->fork_due)
		return;
	t->fork_due = false;
	judge(m->v, RULE_DUMP_KNOWN, is_untold_comm(t->comm) ? UNSURE_UNTOLD : absence_sure(m),
	      false, ev, "tid=%d comm=%s first_seen=state-dump fork=none", t->tid, t->comm);
}

bool task_has_chain(const struct task *t, const struct chain *c)
{
	if (!t->ns || t->nr_levels != c->n ||
	    memcmp(t->vtids, c->vtids, (size_t)c->n * sizeof(*c->vtids)))
		return false;
	return pidns_has_chain(t->ns, c, c->n);
}

void tasks_free(struct model *m)
{
	while (m->tasks) {
		struct task *t = m->tasks;

		m->tasks = t->next;
		drop(t);
	}
	hash_free(&m->by_tid);
	free(m->near_tid);
	hash_free(&m->by_vtid);
	hash_free(&m->by_pid);
	process_moves_free(m);
}
