/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_MODEL_INT_H
#define LC_MODEL_INT_H

#include "model.h"
#include "id-text.h"
#include "base/util.h"

/* Shared by the parts of the model, not by its users. */

/* Whether what was told at a moment still holds for sure: nothing was lost since. */
static inline enum sure told_sure(const struct model *m, uint64_t told)
{
	return told > m->loss_until ? SURE : UNSURE_LOST;
}

/* Whether a task or namespace that is not known does not exist for sure. */
static inline enum sure absence_sure(const struct model *m)
{
	return m->whole_dump ? told_sure(m, m->whole_dump) : UNSURE_EARLY;
}

/* task.c */
struct task *task_new(struct model *m, int tid, uint64_t now);
void task_set_comm(struct model *m, struct task *t, const char *comm, bool told);
/* What task_set_cgroup() and task_place() note of the task itself; for place.c alone. */
void task_join_cgroup(struct model *m, struct task *t, int hierarchy, uint64_t id,
		      unsigned int dump_seq);
/*
 * Whether what an event told then is newer than what the dump tells of the task now. That was read
 * after the dump's first record of the task was written, and before this one; what is newer still
 * has an event, too.
 */
bool told_since_read(const struct model *m, const struct task *t, uint64_t event);
/* Returns whether the task lives, and has the ids. */
bool task_set_ids(struct model *m, struct task *t, struct pidns *ns, const int32_t *vtids, int n,
		  const struct event *ev);
/* Which process it is a thread of; -1: not known. */
void task_set_pid(struct model *m, struct task *t, int pid);
void task_exit(struct model *m, struct task *t, uint64_t when);
void task_revive(struct model *m, struct task *t);
void tasks_free(struct model *m);
void task_free(struct model *m, struct task *t);
/* Something was heard of a task that a dump told of: its fork is not to come any more. */
void task_heard(struct model *m, struct task *t, const struct event *ev);
/* The living task that has the vtid in the namespace; NULL if none is known. */
struct task *task_in(const struct model *m, const struct pidns *ns, int32_t vtid);
bool task_has_chain(const struct task *t, const struct chain *c);

/* process-move.c */
struct process_move {
	int hierarchy;
	uint64_t nr;	/* among all moves of processes, see model.nr_process_moves */
	uint64_t moved; /* when that was */
	/* Of the last that counts, see model.attributes_until; told_nr is 0 where none does. */
	uint64_t told_nr, told, id;
	struct cgroup *group; /* see struct task_cgroup */
};
/* All threads of the process are moved now. */
void process_move_note(struct model *m, int pid, int hierarchy, uint64_t id);
/* The last of each hierarchy, borrowed until the next event. */
const struct process_move *process_moves(const struct model *m, int pid, size_t *nr);
/* The last task of the process has gone. */
void process_moves_forget(struct model *m, int pid);
void process_moves_free(struct model *m);

/* place.c */
void task_set_cgroup(struct model *m, struct task *t, int hierarchy, uint64_t id,
		     unsigned int dump_seq);
/* Gives the task its place; judges vtid-unique. @ns may be NULL. */
void task_place(struct model *m, struct task *t, struct pidns *ns, const int32_t *vtids, int n,
		const struct event *ev);

/* cgroup.c */
/* The group, which is made if there is none; what it is called, and is in, is by its path. */
struct cgroup *cgroup_put(struct model *m, int hierarchy, uint64_t id, const char *path);
/* The same of one that is made now: what had the id before is another one. */
struct cgroup *cgroup_make(struct model *m, int hierarchy, uint64_t id, const char *path);
/* Not if that would make a ring. */
void cgroup_set_parent(struct model *m, struct cgroup *c, struct cgroup *parent);
/* Nothing points to it any more. */
void cgroup_drop(struct model *m, struct cgroup *c);
void model_cgroup_free(struct model *m);

/* pidns.c */
struct pidns *pidns_new(struct model *m, uint32_t inum, int level, struct pidns *parent,
			uint64_t birth);
/* The last known task of a namespace is gone: it is dead if there can be no others. */
void pidns_emptied(struct model *m, struct pidns *ns, uint64_t when);
/* All living tasks are known now: namespaces without any are dead. */
void pidns_bury(struct model *m);
/* Finds or makes the namespaces of a chain, judges ns-nesting; returns the own one. */
struct pidns *pidns_of_chain(struct model *m, const struct chain *c, int n, bool task_dead,
			     const struct event *ev);
/* Whether the namespace's inodes from the root are those of the chain. */
bool pidns_has_chain(const struct pidns *ns, const struct chain *c, int n);
void judge_root_inum(struct model *m, enum rule rule, int64_t inum, const struct event *ev);

void model_fork(struct model *m, const struct event *ev);
void model_exit(struct model *m, const struct event *ev);
void model_free_event(struct model *m, const struct event *ev);
void model_exec(struct model *m, const struct event *ev);
void model_switch(struct model *m, const struct event *ev);
/* Takes over what an event with a struct ev_namespace_switch tells of @t. */
void task_set_namespaces(struct task *t, const struct event *ev);
void model_namespace_switch(struct model *m, const struct event *ev);

/* model-dump.c */
struct dump *dump_new(void);
void dump_free(struct dump *d);
void model_dump_event(struct model *m, const struct event *ev);
/* Another kind of record came: those of a task's levels are over. */
void model_dump_flush(struct model *m);
void model_dump_finish(struct model *m);

/* model-name.c */
void model_logger(struct model *m, const struct event *ev);
/* A task has ended, or its thread id has become another's. */
void model_recorder_gone(struct model *m, int64_t tid);
void model_names_finish(struct model *m);
/* Drops lines of before that moment whose containers were not known, and that wait for the end. */
void model_names_forget(struct model *m, uint64_t before);
void model_names_free(struct model *m);

/* model-cgroup.c */
void model_cgroup_event(struct model *m, const struct event *ev);
void model_cgroup_dump_end(struct model *m, const struct event *ev);

#endif
