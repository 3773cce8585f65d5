/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <string.h>

#include "model-int.h"

void model_exit(struct model *m, const struct event *ev)
{
	struct task *t;
	enum sure sure;

	if (ev->task.tid <= 0)
		return;
	t = model_task(m, ev->task.tid);
	if (t)
		task_heard(m, t, ev);
	sure = t ? told_sure(m, t->conf) : absence_sure(m);
	if (!t && is_untold_comm(ev->task.comm))
		sure = UNSURE_UNTOLD;
	judge(m->v, RULE_EXIT_ALIVE, sure, t && !t->exited, ev, "tid=%lld comm=%s known=%s",
	      (long long)ev->task.tid, ev->task.comm ? ev->task.comm : "", t ? "exited" : "no");
	/* Remembered even so: its state-dump record may be yet to come. */
	if (!t)
		t = task_new(m, (int)ev->task.tid, ev->ns);
	task_set_comm(m, t, ev->task.comm, true);
	t->death_told = !t->exited;
	task_exit(m, t, ev->ns);
}

/*
 * In an exec by a thread, the dead leader gets the thread's tid, and is freed
 * under it: often before the event that tells of the exec.
 */
static bool is_old_leader(const struct model *m, const struct task *t)
{
	const struct task *leader = t->pid > 0 ? model_task(m, t->pid) : NULL;

	return !t->exited && t->pid != t->tid && leader && leader->exited && !leader->freed;
}

/* The old leader is freed, under the tid of the thread that took its place. */
static void forget_ghost(struct model *m, const struct task *thread)
{
	struct task *leader = model_task(m, thread->pid);

	if (leader && leader->revived == thread->death)
		leader->ghost = false;
}

/* The kernel frees a task some time after it exited, maybe after its tid was reused. */
void model_free_event(struct model *m, const struct event *ev)
{
	struct task *t = ev->task.tid > 0 ? model_runner(m, ev->task.tid) : NULL;
	enum sure sure;

	if (!t)
		return;
	/* Its exit was before the trace: it ran once more, to its end. */
	if (t->only_ran) {
		task_free(m, t);
		return;
	}
	if (t->ghost) {
		t->ghost = false;
		verdict_ok(m->v, RULE_FREE_AFTER_EXIT);
		return;
	}
	if (is_old_leader(m, t)) {
		t->freed_early = true;
		return;
	}
	if (t->became_leader)
		forget_ghost(m, t);
	/* A task that was dumped may have been past its exit event when the trace began. */
	sure = both_sure(told_sure(m, t->conf), t->forked || t->exited ? SURE : UNSURE_EARLY);
	judge(m->v, RULE_FREE_AFTER_EXIT, sure, t->exited && !t->freed, ev,
	      "tid=%d comm=%s known=%s", t->tid, t->comm, t->freed ? "freed" : "alive");
	task_free(m, t);
}

static void base_name(char comm[COMM_MAX], const char *path)
{
	const char *slash = strrchr(path, '/');

	strncpy(comm, slash ? slash + 1 : path, COMM_MAX - 1);
	comm[COMM_MAX - 1] = '\0';
}

/*
 * A thread that executes kills the others and, if it was not the leader, takes
 * over the leader's tid. The dead leader is freed under the thread's old tid,
 * or before Linux 5.7 under its own.
 */
static void take_over(struct model *m, struct task *leader, struct task *thread)
{
	const struct task_groups of = task_groups(m, thread);
	bool freed = leader->freed || thread->freed_early;
	size_t i;

	/* What is the thread's own, and not the process's, lives on under the new tid. */
	memcpy(leader->ns_inums, thread->ns_inums, sizeof(leader->ns_inums));
	leader->ns_told = thread->ns_told;
	leader->ns_switched = thread->ns_switched;
	for (i = 0; i < of.nr; i++)
		task_set_cgroup(m, leader, of.list[i].hierarchy, of.list[i].id, 0);
	task_revive(m, leader);
	leader->ghost = !freed;
	thread->death_told = !thread->exited;
	task_exit(m, thread, m->now);
	thread->became_leader = true;
	task_set_pid(m, thread, leader->tid);
	if (freed)
		task_free(m, thread);
}

/*
 * The same, by a thread of which nothing is known: the kernel gave it the tid well before it tells
 * of the exec, and between the two the state dump came by.
 */
static void take_tid(struct model *m, struct task *leader)
{
	/* After a loss another process may have the tid. */
	if (!leader->exited || leader->freed || leader->death <= m->loss_until)
		return;
	leader->ghost = true;
	task_revive(m, leader);
}

void model_exec(struct model *m, const struct event *ev)
{
	const struct ev_exec *x = &ev->exec;
	struct task *t, *old;
	char comm[COMM_MAX];
	enum sure sure;
	bool ok;

	if (x->tid <= 0)
		return;
	t = model_task(m, x->tid);
	old = x->old_tid > 0 ? model_task(m, x->old_tid) : t;
	if (t)
		task_heard(m, t, ev);
	sure = both_sure(t ? told_sure(m, t->conf) : absence_sure(m),
			 old ? told_sure(m, old->conf) : absence_sure(m));
	if (!old && t && t->dumped_at)
		sure = both_sure(sure, UNSURE_EARLY);
	ok = t && old && !old->exited &&
	     (old == t || (t->exited && (old->pid < 0 || old->pid == t->tid)));
	judge(m->v, RULE_EXEC_AGREES, sure, ok, ev,
	      "tid=%lld is=%s old_tid=%s old_is=%s old_pid=%d", (long long)x->tid,
	      !t	  ? "unknown"
	      : t->exited ? "exited"
			  : "alive",
	      int_text(x->old_tid),
	      !old	    ? "unknown"
	      : old->exited ? "exited"
			    : "alive",
	      old ? old->pid : -1);
	if (t && old && t != old && (old->pid < 0 || old->pid == t->tid))
		take_over(m, t, old);
	else if (t && !old)
		take_tid(m, t);
	/* One that ended is not the one that executes: whose tid it has now was lost. */
	if (!t || t->exited || !x->filename)
		return;
	/* Nearly always so, but the program may be a script, or a file descriptor. */
	base_name(comm, x->filename);
	task_set_comm(m, t, comm, false);
}

static void switched(struct model *m, struct task *t, const char *comm, bool in,
		     const struct event *ev)
{
	t->on_cpu = in;
	t->ran = ev->ns;
	if (t->idle_since_dump)
		task_heard(m, t, ev);
	/* Mostly nothing changed, and this is the most frequent event by far. */
	if (!t->comm_told || (comm && strncmp(t->comm, comm, COMM_MAX)))
		task_set_comm(m, t, comm, true);
}

/* Dead, or a zombie: the kernel's EXIT_* and TASK_DEAD, as its versions number them. */
static bool was_last_run(int64_t prev_state)
{
	return prev_state != ABSENT && (prev_state & (0x10 | 0x20 | 0x40));
}

/* Nothing is known yet but that it runs: there is nothing to judge. */
static struct task *meet_runner(struct model *m, int64_t tid, const char *comm, bool in,
				const struct event *ev)
{
	struct task *t = model_runner(m, tid);

	if (!t || (t->only_ran && t->freed)) {
		t = task_new(m, (int)tid, ev->ns);
		t->only_ran = true;
	}
	if (!t->exited)
		switched(m, t, comm, in, ev);
	return t;
}

static struct task *switch_from(struct model *m, const struct event *ev)
{
	const struct ev_switch *s = &ev->sw;
	struct task *t = s->prev_tid > 0 ? model_runner(m, s->prev_tid) : NULL;

	if (s->prev_tid <= 0 || ((!t || t->only_ran) && was_last_run(s->prev_state)))
		return t;
	if (!t || t->only_ran)
		return meet_runner(m, s->prev_tid, s->prev_comm, false, ev);
	if (!t->exited)
		switched(m, t, s->prev_comm, false, ev);
	return t;
}

static struct task *switch_to(struct model *m, const struct event *ev)
{
	const struct ev_switch *s = &ev->sw;
	struct task *t = s->next_tid > 0 ? model_runner(m, s->next_tid) : NULL;
	enum sure sure;

	if (s->next_tid <= 0)
		return NULL;
	if (t && !t->only_ran) {
		verdict_ok(m->v, RULE_SWITCH_KNOWN);
		if (!t->exited)
			switched(m, t, s->next_comm, true, ev);
		return t;
	}
	sure = absence_sure(m);
	if (sure == UNSURE_EARLY)
		return meet_runner(m, s->next_tid, s->next_comm, true, ev);
	if (is_untold_comm(s->next_comm))
		sure = UNSURE_UNTOLD;
	judge(m->v, RULE_SWITCH_KNOWN, sure, false, ev, "next_tid=%lld next_comm=%s known=no",
	      (long long)s->next_tid, s->next_comm ? s->next_comm : "");
	t = task_new(m, (int)s->next_tid, ev->ns);
	switched(m, t, s->next_comm, true, ev);
	return t;
}

void model_switch(struct model *m, const struct event *ev)
{
	m->left = switch_from(m, ev);
	m->came = switch_to(m, ev);
	/* Their making may have dropped a dead task of that tid. */
	if (m->left && m->left != m->came && m->left->exited)
		m->left = model_runner(m, ev->sw.prev_tid);
}

void task_set_namespaces(struct task *t, const struct event *ev)
{
	const struct ev_namespace_switch *s = &ev->ns_switch;
	const int64_t told[NS_KIND_NR] = {
		[NS_USER] = s->user, [NS_CGROUP] = s->cgroup, [NS_IPC] = s->ipc,
		[NS_MNT] = s->mnt,   [NS_NET] = s->net,	      [NS_UTS] = s->uts,
		[NS_TIME] = s->time,
	};
	int k;

	for (k = 0; k < NS_KIND_NR; k++)
		if (told[k] > 0)
			t->ns_inums[k] = (uint32_t)told[k];
	t->ns_told = ev->ns;
}

void model_namespace_switch(struct model *m, const struct event *ev)
{
	struct task *t = ev->ns_switch.tid > 0 ? model_task(m, ev->ns_switch.tid) : NULL;

	if (!t)
		return;
	task_heard(m, t, ev);
	task_set_namespaces(t, ev);
	t->ns_switched = ev->ns;
}
