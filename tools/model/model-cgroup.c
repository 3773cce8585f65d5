/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <limits.h>
#include <string.h>

#include "model-int.h"

/* The kernel has no longer ones; it is told of each task that is there. */
static const char *path_of(const char *told)
{
	return told && strnlen(told, PATH_MAX) < PATH_MAX ? told : NULL;
}

static void cgroup_remove(struct model *m, const struct ev_cgroup *e)
{
	struct cgroup *c;

	if (e->hierarchy == ABSENT || e->cgroup_id == ABSENT)
		return;
	c = model_cgroup(m, (int)e->hierarchy, (uint64_t)e->cgroup_id);
	if (c)
		c->death = m->now;
}

/* Whether a path is one name below its parent's. */
static bool is_child_path(const char *parent, const char *path)
{
	/* The parent's path may be far longer. */
	if (strcmp(parent, "/"))
		for (; *parent && *parent == *path; parent++)
			path++;
	else
		parent++;
	return !*parent && path[0] == '/' && path[1] && !strchr(path + 1, '/');
}

static void dump_cgroup(struct model *m, const struct event *ev)
{
	const struct ev_cgroup *e = &ev->cgroup;
	const char *path = path_of(e->path);
	struct cgroup *parent, *c;
	bool ok;

	if (e->hierarchy == ABSENT || e->cgroup_id == ABSENT || e->parent_id == ABSENT || !path)
		return;
	parent = e->parent_id ? model_cgroup(m, (int)e->hierarchy, (uint64_t)e->parent_id) : NULL;
	if (e->parent_id)
		ok = parent && is_child_path(parent->path, path);
	else
		ok = !strcmp(path, "/");
	/* A record that is missing because it was lost came in this very dump. */
	judge(m->v, RULE_DUMP_CGROUP_PARENT, m->in_dump ? told_sure(m, m->dump_start) : SURE, ok,
	      ev, "hierarchy=%d cgroup_id=%llu path=%s parent_id=%llu parent_path=%s",
	      (int)e->hierarchy, (unsigned long long)e->cgroup_id, path,
	      (unsigned long long)e->parent_id,
	      parent	     ? parent->path
	      : e->parent_id ? "unknown"
			     : "none");
	c = cgroup_put(m, (int)e->hierarchy, (uint64_t)e->cgroup_id, path);
	cgroup_set_parent(m, c, parent);
}

static void note_hierarchy(struct model *m, int hierarchy, const struct task *t)
{
	uint64_t bit = 1ull << hierarchy;

	if (!(m->dump_hierarchies & bit))
		m->hierarchy_since[hierarchy] = t->dumped_at;
	m->dump_hierarchies |= bit;
}

static void dump_process_cgroup(struct model *m, const struct event *ev)
{
	const struct ev_process_cgroup *e = &ev->process_cgroup;
	const struct task_cgroup *known = NULL;
	struct task_groups of = {0};
	struct task *t;
	enum sure sure;
	size_t i;
	bool ok;

	if (e->tid == ABSENT || e->hierarchy == ABSENT || e->cgroup_id == ABSENT)
		return;
	sure = m->in_dump ? told_sure(m, m->dump_start) : UNSURE_EARLY;
	judge(m->v, RULE_DUMP_CGROUP, sure,
	      model_cgroup(m, (int)e->hierarchy, (uint64_t)e->cgroup_id), ev,
	      "tid=%lld hierarchy=%d cgroup_id=%llu announced=no", (long long)e->tid,
	      (int)e->hierarchy, (unsigned long long)e->cgroup_id);
	t = model_task(m, e->tid);
	if (t)
		of = task_groups(m, t);
	for (i = 0; i < of.nr; i++)
		if (of.list[i].hierarchy == e->hierarchy && of.list[i].dump_seq == m->dump_seq)
			known = &of.list[i];
	ok = t && !known && (t->dump_seq == m->dump_seq || t->exited);
	if (!ok)
		judge(m->v, RULE_DUMP_CGROUP_TASK, sure, false, ev,
		      "tid=%lld hierarchy=%d cgroup_id=%llu task=%s", (long long)e->tid,
		      (int)e->hierarchy, (unsigned long long)e->cgroup_id,
		      known ? "has-one-already" : "not-dumped-before");
	if (!t)
		return;
	if (e->hierarchy >= 0 && e->hierarchy < HIERARCHIES_MAX)
		note_hierarchy(m, (int)e->hierarchy, t);
	task_set_cgroup(m, t, (int)e->hierarchy, (uint64_t)e->cgroup_id, m->dump_seq);
}

static uint64_t hierarchies_told(const struct model *m, const struct task *t)
{
	const struct task_groups of = task_groups(m, t);
	uint64_t mask = 0;
	size_t i;

	for (i = 0; i < of.nr; i++)
		if (of.list[i].dump_seq == m->dump_seq && of.list[i].hierarchy >= 0 &&
		    of.list[i].hierarchy < HIERARCHIES_MAX)
			mask |= 1ull << of.list[i].hierarchy;
	return mask;
}

void model_cgroup_dump_end(struct model *m, const struct event *ev)
{
	const struct task *t;
	uint64_t missing;
	size_t pos = 0;
	int h;

	/* A hierarchy of version 1 can be mounted in the middle of the dump. */
	while (m->dump_hierarchies && (t = hash_next(&m->by_tid, &pos))) {
		uint64_t told = hierarchies_told(m, t);

		if (t->exited || t->dump_seq != m->dump_seq)
			continue;
		missing = m->dump_hierarchies & ~told;
		for (h = 1; h < HIERARCHIES_MAX; h++)
			if (t->dumped_at < m->hierarchy_since[h])
				missing &= ~(1ull << h);
		judge(m->v, RULE_DUMP_CGROUP_TASK, told_sure(m, m->dump_start), !missing, ev,
		      "tid=%d comm=%s missing_hierarchies=0x%llx", t->tid, t->comm,
		      (unsigned long long)missing);
	}
	m->dump_hierarchies = 0;
}

/* One of which nothing is told yet may be the one that is moved, or a thread of it. */
static void note_move(struct model *m, const struct ev_process_cgroup *e)
{
	struct task *t = model_runner(m, e->tid);

	if (t && t->only_ran)
		t->moved = m->now;
	if (e->threadgroup)
		m->group_moved = m->now;
}

static void attach(struct model *m, const struct event *ev)
{
	const struct ev_process_cgroup *e = &ev->process_cgroup;
	struct task *t = e->tid == ABSENT ? NULL : model_task(m, e->tid), *first;

	if (m->nr_losses)
		note_move(m, e);
	if (!t || e->cgroup_id == ABSENT || e->hierarchy == ABSENT)
		return;
	/* One that was empty when the state was dumped, or whose making was not recorded. */
	if (path_of(e->path) && !model_cgroup(m, (int)e->hierarchy, (uint64_t)e->cgroup_id))
		cgroup_put(m, (int)e->hierarchy, (uint64_t)e->cgroup_id, e->path);
	/* A first thread that ended stands for its process; but its tid may be another's since. */
	if (!t->exited || (!t->freed && told_sure(m, t->conf) == SURE))
		task_set_cgroup(m, t, (int)e->hierarchy, (uint64_t)e->cgroup_id, 0);
	if (e->threadgroup == ABSENT || !e->threadgroup || t->pid < 0)
		return;
	first = hash_get(&m->by_pid, (uint64_t)t->pid);
	if (!first || (first == t && !t->next_of_pid))
		return;
	process_move_note(m, t->pid, (int)e->hierarchy, (uint64_t)e->cgroup_id);
	/* A move of the first one tells of a PID namespace, too; see container_init_moved(). */
	first = model_task(m, t->pid);
	if (first && first != t && !first->exited && first->pid == t->pid)
		task_set_cgroup(m, first, (int)e->hierarchy, (uint64_t)e->cgroup_id, 0);
}

static void cgroup_told(struct model *m, const struct event *ev)
{
	const struct ev_cgroup *e = &ev->cgroup;

	if (e->hierarchy == ABSENT || e->cgroup_id == ABSENT || !path_of(e->path))
		return;
	if (ev->kind == EV_CGROUP_MKDIR)
		cgroup_make(m, (int)e->hierarchy, (uint64_t)e->cgroup_id, e->path);
	else
		cgroup_put(m, (int)e->hierarchy, (uint64_t)e->cgroup_id, e->path);
}

void model_cgroup_event(struct model *m, const struct event *ev)
{
	switch (ev->kind) {
	case EV_DUMP_CGROUP:
		dump_cgroup(m, ev);
		break;
	case EV_DUMP_PROCESS_CGROUP:
		dump_process_cgroup(m, ev);
		break;
	case EV_CGROUP_MKDIR:
	case EV_CGROUP_RENAME:
		cgroup_told(m, ev);
		break;
	case EV_CGROUP_RMDIR:
		cgroup_remove(m, &ev->cgroup);
		break;
	default:
		attach(m, ev);
	}
}
