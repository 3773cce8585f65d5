/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SYSCALLS_H
#define LC_SYSCALLS_H

#include "base/histogram.h"
#include "trace/load.h"

/* The system calls of one host, by task and name. */

/* What a task calls while it is in one container. */
struct caller {
	struct task *task;	     /* NULL: the CPU's task is not known */
	struct container *container; /* NULL: the host */
	bool is_placed;		     /* it is known where it lives: else asked at the end */
	int64_t tid;		     /* -1: not known */
	struct caller *next;	     /* of the same tid */
	uint32_t number;
	bool has_called; /* its first call may be one that its parent began: fork */
};

/* Times are ns. Calls that ended with an answer are measured, but see the others. */
struct call_stat {
	uint64_t calls;	 /* all that are seen of, begun or ended */
	uint64_t errors; /* that ended with an error */
	uint64_t total, max, max_at;
	/* Of these, what lost events cannot have made another caller's. */
	uint64_t calls_sure, errors_sure, total_sure, max_sure;
	uint64_t begun_before;	  /* ended, but began before the trace, or in what was lost */
	uint64_t unfinished;	  /* never ended: at the trace's end, or as its task did */
	uint64_t unsure;	  /* began and ended, but events were lost meanwhile */
	struct histogram lengths; /* of those measured */
};

struct calls_of {
	struct caller *caller;
	const char *name;
	struct call_stat stat;
};

enum call_end { CALL_ENDED, CALL_BEGUN_BEFORE, CALL_UNFINISHED, CALL_UNSURE };

/* One call, of the name that is asked for. */
struct call {
	struct caller *caller;
	char comm[COMM_MAX + 1]; /* of then */
	enum call_end end;
	uint64_t begin;	   /* 0: not known */
	uint64_t duration; /* of one that ended, or so far */
	uint64_t at;	   /* begin, or else the end */
	int64_t ret;
	bool is_sure; /* lost events cannot have made it another caller's */
};

struct syscalls {
	struct model *model;
	const char *wanted;  /* name of which single calls are kept; NULL: none */
	bool knows_tids;     /* of at least one call */
	struct hash callers; /* tid + 2 -> chain of callers, the newest first */
	struct hash places;  /* tid, task and place -> struct caller */
	uint32_t nr_callers;
	struct hash names; /* address of a name -> struct call_name */
	struct hash texts; /* its letters -> the same, each once */
	uint32_t nr_names;
	struct hash stats;   /* caller and name -> struct calls_of */
	struct hash pending; /* tid -> struct pending: a call that has begun */
	struct call *calls;  /* those wanted, in order of their ends */
	size_t nr_calls, cap_calls;
	/* See syscalls_tell(). */
	void (*on_call)(void *ctx, const struct call *call, const char *name);
	void *ctx;
	struct call_stat untold; /* what nobody asks for then */
};

/* @wanted is borrowed. */
struct syscalls *syscalls_new(struct host *h, const char *wanted);
/* What it hears; the host's user is its struct syscalls. */
extern const struct sched_callbacks syscalls_sched;
/*
 * Tells of each call when it ends, or is given up, and adds up nothing. Where its caller lives may
 * not be settled then, see is_placed.
 */
void syscalls_tell(struct syscalls *s,
		   void (*on_call)(void *ctx, const struct call *call, const char *name),
		   void *ctx);
/* For model_forget(), of a task that ended: whether no call of its is left to be told of. */
bool syscalls_forget(struct syscalls *s, const struct task *t);
/* The trace ended at @end: calls that have not are unfinished; where callers live is settled. */
void syscalls_finish(struct syscalls *s, uint64_t end);
/* Whether a task's calls of a name are longer than can be counted. */
bool syscalls_are_too_long(const struct syscalls *s);
void syscalls_free(struct syscalls *s);

/* It begins with zeroes; free its lengths with histogram_free(). */
void call_stat_add(struct call_stat *sum, const struct call_stat *s);

#endif
