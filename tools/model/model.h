/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_MODEL_H
#define LC_MODEL_H

#include "event.h"
#include "base/hash.h"
#include "quota.h"
#include "verdict.h"

/*
 * What is known of one host, from one recording session: PID namespaces, tasks
 * and cgroups with their lifetimes. Plain data, no input or output; fed with
 * events in order of time. It judges the rules (verdict.h) as it learns.
 *
 * Numbers are reused by the kernel: a task is (tid, birth), a namespace is
 * (inode, birth). Times are ns since the epoch; 0 is "not known" for a birth
 * (before the trace) and "not seen" for a death.
 */

/* The kinds of namespaces, indices of task.ns_inums */
enum ns_kind { NS_USER, NS_CGROUP, NS_IPC, NS_MNT, NS_NET, NS_UTS, NS_TIME, NS_KIND_NR };
extern const char *const ns_kind_names[NS_KIND_NR];

#define COMM_MAX	     16
#define HIERARCHIES_MAX	     64
/*
 * How far is looked up; else each look up would cost as much as who makes groups likes. Groups that
 * are deeper are not below each other, see cgroup_set_parent().
 */
#define CGROUP_LEVELS_MAX    512
/* Containers that have control groups alone may be deeper, see container_outside(). */
#define CONTAINER_LEVELS_MAX (2 * LEVELS_MAX)

struct pidns {
	uint32_t inum;
	int level;
	uint64_t serial;      /* unique in the model; part of keys */
	struct pidns *parent; /* NULL for the root, and where not known */
	uint64_t birth, death;
	uint64_t emptied;				 /* when its last known task went */
	uint64_t conf;					 /* when last told by an event */
	unsigned int nr_alive;				 /* tasks whose own namespace it is */
	unsigned int dump_seen;				 /* the last dump with a task of it */
	unsigned int dump_record;			 /* the last dump with a record of it */
	int64_t init_tid, init_start_time, user_ns_inum; /* ABSENT until told */
	struct container *owner;			 /* see container.h; NULL until asked for */
	uint64_t owner_told; /* when the owner's first process was last told to be there */
	bool is_reused;	     /* another one had the inode, or has it since; see label.h */
	bool is_kept;	     /* see model-sweep.c */
};

struct task_cgroup {
	int hierarchy;
	uint64_t id;
	struct cgroup *group;  /* that had the id then; NULL: it was not known. See task_group() */
	unsigned int dump_seq; /* the last dump that told it; 0: none */
	uint64_t told;	       /* when that was, or when an event told it */
	uint64_t moved;	       /* when an event told it last */
};

struct task {
	/* What each switch looks at is here, as a big host's tasks are not in the CPU's caches. */
	int tid;
	bool exited, freed;
	bool only_ran;	      /* see model_runner() */
	bool idle_since_dump; /* first met in a dump, nothing heard since */
	bool comm_told;	      /* comm is what the kernel said, not a guess */
	bool on_cpu;
	bool has_container;
	char comm[COMM_MAX + 1];
	unsigned int container_gen;
	struct container *container; /* as task_container() found it, if has_container */
	struct pidns *ns;	     /* own; NULL: not known */
	struct task_cgroup *cgroups; /* see task_groups() */
	size_t nr_cgroups;
	uint64_t ran;		   /* when last switched in or out */
	uint64_t moves_seen;	   /* the last of model.nr_process_moves that it has taken over */
	uint64_t conf;		   /* when its ids were last told */
	struct activity *activity; /* of its tid, once sched.c asked for it */
	void *user;		   /* the report's that keeps something of each task */

	size_t cap_cgroups;
	int pid, ppid;	/* -1: not known */
	int32_t *vtids; /* ns->level + 1 of them, root first; NULL if ns is */
	int nr_levels;
	uint64_t birth, death;
	uint64_t seen;	       /* first moment at which it was known to live */
	unsigned int dump_seq; /* the last dump that had it */
	uint64_t dumped_at;
	uint64_t freed_at, revived; /* revived: took its leader's tid by exec */
	bool is_kthread;
	bool forked;	      /* its fork is in the trace */
	bool fork_due;	      /* idle_since_dump, and a fork must have made it */
	bool ghost;	      /* an earlier task of that tid is not freed yet */
	bool freed_early;     /* freed as the old leader, before its exec event */
	bool became_leader;   /* ended by exec: its life goes on under its pid */
	bool ppid_told;	      /* by a dump; a fork may be with CLONE_PARENT */
	bool met_after_loss;  /* its birth may have been lost */
	bool death_told;      /* by an event; else what followed tells that it ended before */
	bool unsure_at_death; /* as task_is_unsure(), of then */
	uint32_t ns_inums[NS_KIND_NR]; /* 0: not told */
	uint64_t ns_told;
	uint64_t ns_switched;	  /* when an event told them last */
	unsigned int at_once_seq; /* of the dump that told them by process_namespaces */
	uint64_t moved;		  /* when an event told of its cgroup last; see task_moved() */
	struct task *next;	  /* in model.tasks */
	/* Of the same process, those that live; see model.by_pid */
	struct task *next_of_pid, *prev_of_pid;
};

struct cgroup {
	int hierarchy;
	uint64_t id;
	uint64_t key;		     /* in model.by_cgroup */
	bool is_replaced;	     /* another one has its id since */
	struct cgroup *parent;	     /* NULL for a hierarchy's root, and where not known */
	char *path;		     /* owned */
	uint64_t path_hash;	     /* hash_text() of it */
	uint64_t birth, death;	     /* 0: before the trace, not in it */
	uint64_t conf;		     /* when last told to be there */
	bool is_boundary;	     /* of a container: its name says so, or somebody did */
	struct container *told;	     /* that a runtime told to be in it; NULL: none */
	bool is_pod;		     /* its name says so */
	bool is_container;	     /* its name says so */
	bool is_of_somebody;	     /* its path says which user's or service's it is */
	bool is_kept;		     /* see model-sweep.c */
	struct container *container; /* whose boundary it is; NULL until asked for */
};

struct model {
	struct verdicts *v;
	bool offers[EV_NR];
	enum shape shape;
	uint64_t attributes_until; /* names, cgroups: as they were at that moment */

	struct task *tasks; /* all that are still kept, newest first */
	size_t nr_tasks, prune_at;
	struct hash by_tid; /* tid -> the last task that had it */
	/* Most of by_tid, by the low bits of their tids, as they are asked for at each switch. */
	struct task **near_tid;
	size_t near_mask;
	struct hash by_vtid;	   /* (namespace, vtid) -> living task */
	struct hash by_pid;	   /* pid -> the first of its living tasks */
	struct hash process_moves; /* pid -> how it was moved as a whole; see process-move.c */
	uint64_t nr_process_moves;
	struct hash by_inum;	   /* inode -> the last namespace that had it */
	struct pidns **namespaces; /* all */
	size_t nr_namespaces, cap_namespaces;
	uint64_t last_namespace; /* its serial */
	struct hash by_cgroup;	 /* (hierarchy, id) -> cgroup; those that are replaced, too */
	uint64_t nr_replaced;
	struct hash by_cgroup_path; /* hash of hierarchy and path -> the last that had it */
	bool has_many_hierarchies;
	struct container **containers; /* all, see container.h */
	size_t nr_containers, cap_containers;
	uint32_t last_container;	/* its serial */
	struct hash containers_by_path; /* of a control group -> the last that was made for it */
	unsigned int nesting;		/* of calls of container_parent() */
	struct pod **pods;
	size_t nr_pods, cap_pods;
	struct hash pods_by_key;
	int64_t recorder_pid; /* see struct model_options */
	int64_t recorder_uid;
	bool recorder_gone;	  /* its pid is, or was since, another's to take */
	uint64_t nr_forged_lines; /* that name containers, and are not the recorder's */
	struct pending_name *pending_names;
	size_t nr_pending_names;
	struct quotas quotas;	  /* of cgroups, as far as a recorder told of them */
	struct quota_taken taken; /* told by the last event, if that was a line of a recorder */
	struct hash runtimes;	  /* names that lines told */
	/* Counts changes after which a task may be in another container. */
	unsigned int container_gen;
	uint32_t root_inum; /* 0 until told */

	uint64_t now; /* time of the last event */
	/* If that was sched_switch: whom it switched from and to; NULL: not known, or the idle
	 * task. */
	struct task *left, *came;
	uint64_t nr_events;
	uint64_t dump_work;   /* see dump_is_worth_it() */
	uint64_t group_moved; /* when a process whose threads are not known was moved */
	uint64_t loss_until;  /* up to then events were lost */
	uint64_t nr_lost_events, nr_lost_packets, nr_losses;
	uint64_t first_loss; /* when the first begins, ns since the epoch */
	bool lost_uncounted; /* how many events were lost is not known */

	unsigned int dump_seq; /* number of the current or last dump */
	unsigned int nr_whole_dumps;
	bool in_dump;
	uint64_t dump_start;
	uint64_t whole_dump; /* start of the last dump that has an end; 0: none */
	uint64_t hierarchy_since[HIERARCHIES_MAX]; /* first task of the dump that was in it */
	uint64_t dump_hierarchies; /* bit set: hierarchies that the current dump told of */
	struct dump *dump;	   /* see model-dump.c */

	bool keep_dead;
};

struct model_options {
	bool keep_dead;		   /* dead tasks stay in the model */
	uint64_t attributes_until; /* see struct model; 0: no limit */
	int64_t recorder_pid;	   /* whose lines name containers; 0: nobody's */
	int64_t recorder_uid;	   /* as which user; ABSENT: not told */
};

/* @v is borrowed, @offers and @shape describe the trace. Free with model_free(). */
struct model *model_new(struct verdicts *v, enum shape shape, const bool offers[EV_NR],
			const struct model_options *opt);
void model_free(struct model *m);

void model_event(struct model *m, const struct event *ev);
void model_loss(struct model *m, const struct loss *loss);
/* The trace has ended: judges what had to wait. */
void model_finish(struct model *m);

/*
 * Drops the tasks that ended before that moment, and that @may_go, called for each of them,
 * allows; for one that keeps dead tasks, and must not grow with all that ever lived.
 */
void model_forget(struct model *m, uint64_t before, bool (*may_go)(void *ctx, struct task *t),
		  void *ctx);

/* The last task that had the tid; NULL if none is known. */
struct task *model_task(const struct model *m, int64_t tid);
/*
 * The same, and tasks of which no more is known than that they ran: before the
 * first state dump told of them. Once it does they are known, as the same task.
 */
struct task *model_runner(const struct model *m, int64_t tid);
/* The living task that has the id in the PID namespace which has the inode now; NULL if not known.
 */
struct task *model_task_in(const struct model *m, uint32_t inum, int32_t vtid);
struct pidns *model_namespace(const struct model *m, uint32_t inum);
struct cgroup *model_cgroup(const struct model *m, int hierarchy, uint64_t id);
/* The last one that had the path; NULL if none is known. */
struct cgroup *model_cgroup_at(const struct model *m, int hierarchy, const char *path);
/* The group that a task is, or was, in; NULL if not known. Its id may be another one's since. */
struct cgroup *task_group(const struct model *m, const struct task_cgroup *c);
/* For task_keep_up() alone. */
void task_catch_up(const struct model *m, const struct task *t);
/* Has a thread take over what moved its process since it was looked at; for those below. */
static inline void task_keep_up(const struct model *m, const struct task *t)
{
	if (t->moves_seen != m->nr_process_moves)
		task_catch_up(m, t);
}
struct task_groups {
	const struct task_cgroup *list; /* borrowed, until the next event */
	size_t nr;
};
/* Which control groups the task is, or was, in, in the order in which that was told first. */
static inline struct task_groups task_groups(const struct model *m, const struct task *t)
{
	task_keep_up(m, t);
	return (struct task_groups){t->cgroups, t->nr_cgroups};
}
/* When an event told of its control groups last, ns since the epoch; 0: none did. */
static inline uint64_t task_moved(const struct model *m, const struct task *t)
{
	task_keep_up(m, t);
	return t->moved;
}
/* The task's cgroup in the unified hierarchy, else in any; NULL if not told. */
const struct task_cgroup *task_main_cgroup(const struct model *m, const struct task *t);
/* The namespace of a level; NULL if not known. */
const struct pidns *task_ns_at(const struct task *t, int level);

/*
 * Goes up from @g, which it changes, to its hierarchy's root, or as far up as is known. A trace
 * that contradicts itself may have a ring there.
 */
#define for_each_cgroup_up(g)                                                                      \
	for (int levels_up = 0; (g) && levels_up < CGROUP_LEVELS_MAX;                              \
	     (g) = (g)->parent, levels_up++)

/* 0: it is there, or another one has its number since. */
uint64_t cgroup_death(const struct cgroup *g);
/* Whether its path is known up to the root: NULL, and what is below a lost one, is not. */
bool cgroup_is_whole(const struct cgroup *g);
/*
 * When all was told last that makes out which container a task is in, ns since the epoch; 0: not
 * all was, as the path of a cgroup.
 */
uint64_t task_told(const struct model *m, const struct task *t);
/*
 * Whether lost events may have changed what is told of a task: its birth and death, its name, and
 * where it is.
 */
bool task_is_unsure(const struct model *m, const struct task *t);

/* A task of the kernel that no fork event tells of: workers of io_uring, vhost, KVM. */
bool is_untold_comm(const char *comm);

/* Whether the model knows all living tasks at this moment: SURE, or why not. */
enum sure model_is_whole(const struct model *m);

#endif
