/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WHY_H
#define LC_WHY_H

#include "cause.h"
#include "history.h"
#include "wake-context.h"
#include "base/histogram.h"
#include "model/sched.h"

/*
 * What the time of each thread, from its birth to its death, went by for. Each moment has one
 * cause, so that the causes of a thread, and of a container, are together just its time.
 *
 * A wait's cause is what ended it: the context that woke the thread. If that was a task, the wait
 * is what that task did meanwhile, and where it waited itself, what its waker did: the wait
 * analysis of Giraldeau and Dagenais, "Wait analysis of distributed systems using kernel tracing",
 * IEEE Transactions on Parallel and Distributed Systems 27(8), 2016. They walk back through the
 * graph of wakeups when all is read. Here each thread has a history (history.h) of pieces whose
 * chain of waits is resolved already; who is woken takes over those of its waker's that fall into
 * its wait. As a waker runs when it wakes, its history is whole up to then.
 */

struct cause_sum {
	const struct cause *cause;
	uint64_t ns;
	uint64_t unsure; /* the part of ns that lost events may have been otherwise */
	/* ns in each of why_options.nr_windows, owned; NULL: nothing is in any. */
	uint64_t *windows;
};

/* One stretch of waiting; of each account the longest are kept. */
struct why_wait {
	struct task *task;
	uint64_t begin, end;
	const struct cause *cause; /* of the largest part of it */
	uint64_t ns;		   /* of that cause */
	bool unsure;
};

/*
 * How long the waits of one kind were, each for so long as its thread had that cause, and what of
 * it is within the window: of those that were told, whatever was lost.
 */
struct why_waits {
	struct histogram lengths;
	uint64_t longest;
};

/* Of whom the time is: of a container, or of one thread while it was in that container. */
struct why_account {
	struct task *task; /* NULL: by container */
	bool told;	   /* it is known where that was */
	struct container *container;
	uint64_t ns, unsure, threads;
	struct hash by_cause;
	struct cause_sum **sums;
	size_t nr_sums, cap_sums;
	struct why_wait
		*worst; /* a heap, the shortest on top; from why_finish() on the longest first */
	size_t nr_worst;
	struct why_waits *waits;    /* by kind of cause; NULL: of a thread, or none was counted */
	struct why_account *became; /* while containers are found out to be one */
};

struct why;

/*
 * A thread's critical path: for each moment, whom that thread waited for in the end, itself if it
 * did not wait for another.
 */
struct path_step {
	struct task *owner, *task;
	bool told, unsure;
	struct container *container; /* of task, then */
	const struct cause *cause;   /* the whole chain; its last is what task did */
	uint64_t begin, end;
};

/* Some of a thread's time, as it is counted. */
struct why_time {
	struct task *task;
	struct place place;
	const struct cause *cause;
	uint64_t ns;	   /* within the window */
	const void *stack; /* that why_stack() told of its wait; NULL: none */
	uint64_t wait;	   /* which wait of the task it is of, as why_woken() says it */
};

struct why_options {
	bool by_task;
	/* Hears of all time that it had no CPU for it did not want one; NULL: nobody does. */
	void (*on_block)(void *ctx, const struct why_time *time);
	void *block_ctx;
	size_t nr_worst;
	int path_tid; /* of whose threads the paths are wanted; 0: none */
	/*
	 * Into so many parts of equal length what why_limit() chose, which must have an end then,
	 * is cut; 0: it is not. Of a long wait for a CPU each who had it counts evenly over the
	 * wait.
	 */
	size_t nr_windows;
};

struct why *why_new(struct host *h, const struct why_options *opt);
void why_free(struct why *w);
/* Only what lies between, ns since the epoch, counts. Call it before any event. */
void why_limit(struct why *w, uint64_t from, uint64_t to);
/* Of load_options: a host's user is its struct why. */
extern const struct sched_callbacks why_sched;
/* The events that why_event() is for. */
uint64_t why_wants(void);
/* After why_sched was told of it. */
void why_event(struct why *w, const struct event *ev);
void why_loss(struct why *w, const struct loss *loss);
void *why_block_ctx(const struct why *w);
/* By which stack a thread begins to wait: one that runs still, or has just stopped. */
void why_stack(struct why *w, int64_t tid, const void *stack);
/*
 * Who is woken: a thread that waits, or just did. Returns it, and in @wait which of its waits that
 * is; NULL: there is none, or it has not begun to wait.
 */
struct task *why_woken(struct why *w, int64_t tid, uint64_t *wait);
/* The cause, with the containers that its were found out to be, after why_finish(). */
const struct cause *why_cause_settled(struct why *w, const struct cause *cause);
/*
 * The same, after that; but whose it is is the outermost of the containers around that one in which
 * the account's is not: a container can make as many within itself as it likes, so that each has
 * little.
 */
const struct cause *why_cause_around(struct why *w, const struct cause *cause,
				     const struct why_account *account);
/* After all runs were told up to the end. */
void why_finish(struct why *w, uint64_t end);

/* The paths of all threads that had opt.path_tid, of each in its order, within the window. */
const struct path_step *why_path(const struct why *w, size_t *nr);

bool why_is_too_long(const struct why *w);
/* Containers, the host, then those not told; each with the most time first. */
struct why_account *const *why_accounts(const struct why *w, size_t *nr);
/* The window, or what of it the trace has. */
void why_window(const struct why *w, uint64_t *from, uint64_t *to);
/* When one of why_options.nr_windows begins; @i may be that number: the end of the last. */
uint64_t why_window_begin(const struct why *w, size_t i);
/* Of a block device, as the state dump told; NULL: it did not. */
const char *why_device(const struct why *w, int64_t dev);
/* Whether throttling is told by sums that were read now and then, and by nothing else. */
bool why_is_coarse(const struct why *w);
/* Of a cause WHY_THROTTLED: the last quota that was told of it; NULL if none was. */
const struct quota *why_quota(const struct why *w, const struct cause *c);

#endif
