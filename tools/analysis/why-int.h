/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WHY_INT_H
#define LC_WHY_INT_H

#include "coarse.h"
#include "service-history.h"
#include "lock-wait.h"
#include "why.h"
#include "model/throttle.h"

/*
 * Three files: why-feed.c hears what threads do, and says so of their lives; why.c works out for
 * what; and why-account.c adds up.
 */

enum life_state {
	LIFE_UNSEEN, /* nothing was heard of it */
	LIFE_RUNS,
	LIFE_WAITS, /* for a CPU */
	LIFE_BLOCKED,
	LIFE_DEAD,
};

/* What a thread's time has gone by for in one stretch, up to now. */
struct stretch {
	struct why_account *account; /* NULL: nothing of it counts */
	enum why_kind kind;
	uint64_t begin, end;
};

/* A thread, from its birth on. */
struct life {
	struct task *task;
	uint32_t number;
	enum life_state state;
	uint64_t birth;			/* or the trace's begin */
	uint64_t until;			/* up to then its time is accounted for */
	uint64_t ran_until;		/* the end of its last run */
	uint64_t since;			/* begin of the stretch of waiting, or of running */
	int cpu;			/* that it runs on, or waits for */
	struct life *next_here, **here; /* of those that wait for that CPU; NULL: it does not */
	struct life *maker;		/* who forked it; NULL: not in the trace */
	struct history history;
	struct why_owner *owner;     /* whose history it is; NULL: nothing was put into it yet */
	struct place owner_at;	     /* where it was then */
	struct life *newer, *older;  /* by when something was put into the history last */
	struct why_account *account; /* the last that was told */
	struct why_account *orphan;  /* of what it did before it was told where it is */
	/*
	 * These hold up to the next loss of events: told is one more than there had been then; 0:
	 * they are not told.
	 */
	uint64_t woken_told, reclaim_told, calls_told, locks_told, dirty_told;
	struct last_wake *wake; /* that is not settled yet; NULL: none */
	struct wake_source
		woken;	  /* its last wakeup, which may be of before it slept: see woken_told */
	const char *call; /* the system call that it is in; NULL: none */
	struct lock_waits locks;
	struct stretch stretch;
	const void *stack; /* see why_stack() */
	uint64_t wait;	   /* see why_woken() */
};

/* The wakeup that a tid waits by, of which nothing more is known yet. */
struct first_wake {
	struct wake_source by;
	int cpu; /* whose queue it is in */
};

/*
 * A wakeup by a task that may be a signal's: signal_generate comes right after, on the same CPU. So
 * long what was waited for is not settled.
 */
struct last_wake {
	struct life *life; /* NULL: none */
	uint64_t since, ns;
	struct wake_source by;
};

/* What it did, and who waits for it. */
struct why_cpu {
	struct service_history history;
	struct life *waiting;
	uint64_t settled; /* who waits has what was before it told */
};

/* Who may make as many threads as he likes, see place_owner(). */
struct why_owner {
	/* Those of his that have a history, and the size of all of them. */
	struct life *newest, *oldest;
	size_t nr_pieces;
	/* Pieces that were taken over: of everybody's; of his own, and in how many waits. */
	uint64_t nr_shared, nr_taken, nr_waits;
};

struct why {
	struct host *h;
	struct model *m;
	struct why_options opt;
	struct causes causes;
	struct wake_contexts contexts;
	struct disk_queues disk_queues;
	const struct throttles *throttles; /* NULL: none was told of */
	struct coarse coarse;
	bool is_coarse;
	struct wake_source waking; /* of the wakeup that was told last */
	struct hash by_task;	   /* lives */
	struct hash first_wakes;   /* by tid */
	struct hash last_wakes;	   /* by CPU */
	struct life **lives;
	size_t nr_lives, cap_lives;
	struct hash owners;	    /* by place_owner() */
	size_t nr_holders;	    /* owners that have a history */
	struct why_owner *large;    /* one that had more than others; NULL: none is known */
	size_t nr_pieces;	    /* in the histories of all */
	const struct life *taken;   /* what this one has is just being taken over */
	uint64_t nr_told, nr_taken; /* see TAKEN_EACH */
	uint64_t nr_added;	    /* pieces that threads were told, each share counted as one */
	struct hash cpus;	    /* of struct why_cpu */
	struct hash disks;	    /* names */
	uint64_t from, to;
	struct hash by_key; /* accounts */
	struct why_account **accounts;
	size_t nr_accounts, cap_accounts;
	struct path_step *path;
	size_t nr_path, cap_path;
	struct hash members; /* which threads were counted of which account */
};

void why_run(struct why *w, const struct run *run);
/* That of a task; NULL for none. */
struct life *why_life_of(struct why *w, struct task *t);
/* NULL for the idle tasks. */
struct life *why_life(struct why *w, int64_t tid);
void life_was_born(struct life *l, struct life *maker, uint64_t now);
/* It leaves its CPU: @state is what it does next. */
void life_leaves(struct why *w, struct life *l, uint64_t now, enum life_state state, int cpu);
void life_arrives(struct why *w, struct life *l, uint64_t now, int cpu);
/*
 * It is off its CPU, and woken. @cpu: whose queue it is in then; @on: the CPU that wakes it, or -1
 * if it did so before.
 */
void life_is_woken(struct why *w, struct life *l, uint64_t now, const struct wake_source *by,
		   int cpu, int on);
/* What it waited for up to its last wakeup is worked out, if it has not been yet. */
void life_settles(struct why *w, struct life *l);
/* That of a CPU. */
struct last_wake *why_last_wake(struct why *w, int cpu);
/* It waits for another CPU. */
void life_moves(struct why *w, struct life *l, uint64_t now, int cpu);
/* The same of one that is being woken, and was queued nowhere yet. */
void life_waits_for(struct why *w, struct life *l, int cpu);
void life_ends(struct why *w, struct life *l, uint64_t now);
/* One that may have ended runs on, by an exec of another thread of its process. */
void life_revives(struct why *w, struct life *l, uint64_t now, int cpu);

/* Whose the requests of a disk are that nobody asked for, or of whom nothing is known. */
const struct cause *why_nobody(struct why *w, enum culprit_kind kind);
/* Whose those are that come now on a CPU, on which that task runs. */
const struct cause *why_asker(struct why *w, int cpu, int64_t tid);
/*
 * Whose those are that the kernel charges to a cgroup, asked for there by that task; NULL: to no
 * container's.
 */
const struct cause *why_charged(struct why *w, const struct event *ev, int64_t tid);

/* why-path.c */
/* Whether its path is wanted. */
bool why_has_path(const struct why *w, const struct life *l);
/* What @l waited for was @leaf's doing. */
void why_path_add(struct why *w, const struct life *l, const struct place *place,
		  const struct piece *p);

/* why-account.c */
/* @place: where the thread was; what is outside of the window does not count. */
void why_account_add(struct why *w, struct life *l, const struct place *place,
		     const struct piece *p);
/* @ns of one share of what is counted, somewhen in @p. */
void why_account_share(struct why *w, struct life *l, const struct place *place,
		       const struct cause *cause, uint64_t ns, const struct piece *p);
/* After it was counted: what goes before or behind others of its kind is one wait with them. */
void why_account_stretch(struct why *w, struct life *l, const struct place *place,
			 const struct piece *p);
/* What the history has of it, from begin to end, is a stretch of waiting. */
void why_account_wait(struct why *w, struct life *l, uint64_t begin, uint64_t end);
/* A quota took that, of which nothing else tells. */
void why_account_taken(struct why *w, const struct quota_taken *taken);
void why_accounts_settle(struct why *w);
void why_account_free(struct why_account *a);
void members_free(struct hash *members);

#endif
