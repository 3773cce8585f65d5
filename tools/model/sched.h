/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SCHED_H
#define LC_SCHED_H

#include "cpus.h"
#include "throttle.h"

/*
 * Who runs, waits for a CPU, is blocked, wakes whom and calls what, on one host: the one place that
 * interprets sched_switch, sched_waking, sched_wakeup, sched_wakeup_new, sched_migrate_task and
 * what interrupts and system calls tell. Whoever reports subscribes to what came of it.
 *
 * A task runs, or waits for a CPU, or is blocked; the end of one is the begin of the next, to the
 * nanosecond: a wait or a turn at the begin of a task's life, then
 *   a turn ends runnable -> a wait (WAIT_PREEMPTED) at once;
 *   a turn ends blocked  -> a block, up to the wakeup that ends it -> a wait (WAIT_WOKEN);
 *   a wait ends          -> a turn.
 * Where an event is missing, what is told says unsure, or has no begin (0).
 *
 * All but on_run is told in order of time, as it happens, after the model took the event. on_run is
 * told when it is certain whose the time was, which is at the latest when the CPU switches: before
 * on_handover and on_wait_end of that switch. Structures are valid during the call, but for a
 * struct sched_wait, which is there from its begin to its end.
 */
struct sched;

/* A wakeup, by what ran on the CPU of sched_waking (of sched_wakeup, where that is not recorded).
 */
struct wakeup {
	uint64_t ns;
	struct task *task; /* the woken; NULL: known by its tid alone */
	int tid;
	const char *comm; /* its name as the event tells it, or NULL; valid during on_wakeup */
	bool is_new;	  /* its first */
	struct on_cpu waker;
	void *user; /* both of who hears on_wakeup: they are there again in struct handover */
	bool user_is_sure;
};

enum wait_reason { WAIT_WOKEN, WAIT_NEW, WAIT_PREEMPTED };

/* A task could run, and waits in the queue of a CPU. */
struct sched_wait {
	struct task *task; /* NULL: known by its tid alone */
	int tid;
	enum wait_reason reason;
	int cpu;	     /* whose queue it is in now, or was in last */
	int told_on;	     /* the CPU that told of its begin, or of its last move */
	int ended_on;	     /* the CPU that tells of the end; -1: its end was not seen */
	uint64_t begin, end; /* ns since the epoch; end is UINT64_MAX until then */
	bool unsure;	 /* lost events may have been of its begin, of a run in it, or its end */
	bool unfinished; /* the trace ended */
	bool may_run;	 /* see struct sched_callbacks */
	/* Of WAIT_WOKEN and WAIT_NEW; its comms are not valid. A waker's cpu of -1: not seen. */
	struct wakeup woken;
	void *user; /* of who hears of it */
};

/* A task was off its CPU, and could not run. */
struct block {
	struct task *task; /* NULL: known by its tid alone */
	int tid;
	int64_t state;	     /* as sched_switch tells it; ABSENT: its begin was not seen */
	uint64_t begin, end; /* begin 0: before the trace, or in what was lost */
	bool unsure;	     /* events were lost meanwhile */
	bool unfinished;     /* the trace ended */
	bool died;	     /* its exit is all that is told of its end */
	/*
	 * What ended it; NULL: that was not seen. It may have been before the begin: woken when it
	 * had decided to sleep, and did not yet. Its comms are not valid.
	 */
	const struct wakeup *by;
};

/* One that exits may block some more times before it is dead. */
enum leaving { LEFT_RUNNABLE, LEFT_BLOCKED, LEFT_DEAD };

/* A CPU goes from one task to another. Tids of 0 are the idle task, which has no struct task. */
struct handover {
	uint64_t ns;
	int cpu;
	int64_t prev_tid, next_tid; /* ABSENT: not told */
	struct task *prev, *next;   /* NULL: the model does not know it */
	enum leaving left;	    /* how prev did; of prev_tid > 0 */
	int64_t prev_state;
	uint64_t prev_in; /* since when prev ran, ns since the epoch; 0: not seen */
	/* Of next, which ends here; NULL: its begin was not seen, or nobody hears of waits. */
	const struct sched_wait *wait;
	/*
	 * The last wakeup of next since it was runnable, or NULL; and whether it may have run
	 * since, in what was lost.
	 */
	const struct wakeup *woken;
	bool ran_since;
};

enum call_step {
	CALL_BEGINS,
	CALL_RETURNS,
	CALL_MOVES,   /* by execve() from old_tid to tid, as which it returns */
	CALL_IS_DEAD, /* the task ends: a call that it is in does not return */
};

/* A step of a system call. */
struct call_event {
	enum call_step step;
	uint64_t ns;
	int cpu;
	int64_t tid;  /* the caller: of the context, or what runs there; ABSENT or -1: not known */
	bool is_sure; /* lost events cannot have changed whose it is */
	const char *comm; /* of the task that runs there, if that is the caller; else "" */
	const char *name; /* of CALL_BEGINS, CALL_RETURNS: valid during the whole reading */
	int64_t ret;	  /* of CALL_RETURNS */
	int64_t old_tid;  /* of CALL_MOVES */
};

/* Any may be NULL. What nobody subscribes to is neither worked out nor read: see sched_wants(). */
struct sched_callbacks {
	/*
	 * A task ran when a switch of its CPU was lost, and is woken then: it may wait, or was
	 * woken before it slept, and runs still. Whether waits that may be none are told, as
	 * may_run.
	 */
	bool with_doubtful_waits;
	void (*on_run)(void *ctx, const struct run *run);
	void (*on_handover)(void *ctx, const struct handover *h);
	void (*on_wait)(void *ctx, struct sched_wait *w);
	/* It is in another CPU's queue from @ns on: w->cpu; @from: before. */
	void (*on_wait_moves)(void *ctx, struct sched_wait *w, int from, uint64_t ns);
	void (*on_wait_ends)(void *ctx, struct sched_wait *w);
	/* When it ends. */
	void (*on_block)(void *ctx, const struct block *b);
	void (*on_wakeup)(void *ctx, struct wakeup *w);
	void (*on_call)(void *ctx, const struct call_event *c);
	/*
	 * Other tasks than before are kept off @cpu by quotas, which throttles_hold() tells of; -1:
	 * of any CPU, as events were lost.
	 */
	void (*on_throttle)(void *ctx, const struct throttles *t, int cpu, uint64_t ns);
	/* A whole state dump ended: what was in doubt can be asked for again. */
	void (*on_dump_end)(void *ctx);
};

/* Whether callbacks are told of what such an event means, so that nobody else is to look at it. */
static inline bool sched_tells_of(enum event_kind kind)
{
	return kind == EV_SWITCH || kind == EV_WAKING || kind == EV_WAKEUP ||
	       kind == EV_WAKEUP_NEW || kind == EV_MIGRATE || kind == EV_THROTTLE ||
	       kind == EV_UNTHROTTLE;
}

/* The events on demand (struct load_options) that they take. */
uint64_t sched_wants(const struct sched_callbacks *cb);

/*
 * The model must keep dead tasks, and outlive this; so must @cb. Free with sched_free(). What is
 * in struct cpus.h is asked of sched_cpus().
 */
struct sched *sched_new(struct model *m, const struct sched_callbacks *cb, void *ctx);
void sched_free(struct sched *s);
struct cpus *sched_cpus(struct sched *s);

/* After model_event() with the same event; @begin: of the trace. */
void sched_event(struct sched *s, const struct event *ev, uint64_t begin);
/* After model_loss(); cpus_before_loss() comes before that. */
void sched_loss(struct sched *s, const struct loss *loss);
/*
 * For model_forget(), of a task that ended: whether nothing more will be told of it. Then nothing
 * here points to it any longer, but for the wakers of wakeups, which may not be looked at any more.
 */
bool sched_forget(struct sched *s, struct task *t);
/* For model_sweep(): before it, what is gone is not throttled; and what is pointed to here. */
void sched_forget_throttles(struct sched *s, uint64_t before);
void sched_keep(const struct sched *s, struct sweep *sweep);
/* Tells of all that is left, the runs first, and what has not ended as unfinished. */
void sched_finish(struct sched *s, uint64_t begin, uint64_t end);

#endif
