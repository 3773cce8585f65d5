/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CAUSE_H
#define LC_CAUSE_H

#include "delays.h"
#include "lock-wait.h"

/* What a thread's time went by for. Equal causes are one object, so that they compare as pointers.
 */

enum why_kind {
	WHY_RAN,
	WHY_INTERRUPTED, /* it had a CPU, which served interrupts */
	WHY_CPU,	 /* it could run, and had none */
	WHY_THROTTLED,	 /* it could run, and a quota kept it off its CPU */
	WHY_OTHERS,	 /* until a task woke it */
	WHY_SIGNAL,	 /* the same, by a signal or the end of a child */
	WHY_DISK,
	WHY_MEMORY,
	WHY_LOCK, /* for a lock of the kernel, until a task woke it that had let go of it */
	WHY_NETWORK,
	WHY_SLEPT,     /* until a timer of its own */
	WHY_NOT_WOKEN, /* it slept when the trace ended, and nothing had woken it */
	WHY_UNKNOWN,
	WHY_NR
};

enum disk_io { IO_READ, IO_WRITE, IO_OTHER };
/*
 * WHY_DISK, and WHY_MEMORY by a fault: what was done with the request whose end ended the wait, and
 * so whose cause.who is. Where requests are not told of, nothing is said.
 */
enum disk_stage {
	DISK_NOT_TOLD,
	DISK_NOT_YET, /* it was not asked for */
	DISK_QUEUED,  /* the disk had not got it: who's requests it had; BY_IDLE: none */
	DISK_BEHIND,  /* the disk had it, and older ones of who's */
	DISK_SERVED,  /* the disk had it, and no older one: who asked for it */
	DISK_STAGES,
	DISK_OF_SEVERAL = 8, /* with one of these: see cause_for() */
};
enum memory_wait { MEMORY_RECLAIM, MEMORY_FAULT, MEMORY_DIRTY };
enum cpu_wait { CPU_OF_ONE, CPU_OF_SEVERAL };
/* How that it was throttled is told: by events of it, or by sums that were read now and then. */
enum throttle_told { THROTTLE_EVENTS, THROTTLE_COARSE };

enum why_not_known {
	UNKNOWN_LOST,	   /* events were lost */
	UNKNOWN_BEFORE,	   /* before the first event of the thread, or of the waker's CPU */
	UNKNOWN_WAKER,	   /* nothing recorded tells what ended the wait */
	UNKNOWN_INTERRUPT, /* an interrupt did, whose purpose is not recorded */
	UNKNOWN_HISTORY,   /* the waker did more meanwhile than is kept of it */
	UNKNOWN_CHAIN,	   /* the chain of waits is longer than is followed */
	UNKNOWN_CYCLE,	   /* the trace contradicts itself: one that waits runs, or wakes others */
	UNKNOWN_NR
};

/*
 * What comm is for the kernel's threads, and for tasks that have no name, or are not told apart by
 * theirs. Both are empty, but one is not the other: anybody may call a process nothing.
 */
extern const char cause_kernel[], cause_nameless[];

/* Tasks wait for tasks that wait: so many are followed. */
#define CAUSE_DEPTH_MAX 8

struct cause {
	enum why_kind kind;
	/*
	 * WHY_CPU: who had the CPU. WHY_OTHERS, WHY_SIGNAL, WHY_LOCK: who woke it, of kind
	 * BY_TASKS. With a stage: who asked for what the disk did. Of the host's tasks comm tells
	 * which: see cause_kernel.
	 */
	struct culprit who;
	const char *comm;   /* NULL: of a container, or no task's */
	const char *call;   /* the system call that the wait was in; NULL: none, or not recorded */
	const char *cgroup; /* WHY_THROTTLED: the path of the one whose quota was used up */
	int64_t dev;	    /* WHY_DISK, and WHY_MEMORY by a fault; ABSENT: not told */
	enum disk_stage stage;
	unsigned int detail; /* enum disk_io, memory_wait, cpu_wait, throttle_told, why_not_known,
				lock_kind or wake_how, as kind tells */
	/* WHY_OTHERS, WHY_SIGNAL, WHY_LOCK: what the waker did meanwhile, which is never NULL. */
	const struct cause *below;
	unsigned int depth; /* of below, 0 without */
	struct cause *next; /* of the same hash */
};

struct causes {
	struct model *m;
	struct task *of; /* in whose time the next ones are; NULL: in nobody's */
	struct hash set;
	struct hash texts;
	struct hash rooms; /* how many there are: see cause.c */
	bool is_settled;   /* see cause_settled() */
};

/* The one that is like this; its texts are copied. */
const struct cause *cause_get(struct causes *c, const struct cause *like);
const struct cause *cause_unknown(struct causes *c, enum why_not_known reason);
/*
 * A wait for a task, as @like tells, that did @below meanwhile. What threads of one container did
 * for each other is told once, and what is too deep is unknown.
 */
const struct cause *cause_over(struct causes *c, const struct cause *like,
			       const struct cause *below);
/* A wait for a CPU, which several had meanwhile; in place of whose it is. */
const struct cause *cause_of_queue(struct causes *c);
/* The same with @whose in place of cause_of_queue(), or where a stage is DISK_OF_SEVERAL. */
const struct cause *cause_for(struct causes *c, const struct cause *like,
			      const struct cause *whose);
/* One of a disk, in that stage, while the disk had what @whose tells of. */
const struct cause *cause_of_stage(struct causes *c, const struct cause *like,
				   enum disk_stage stage, const struct cause *whose);
/*
 * The same with the containers that theirs were found out to be. Of what is put together anew then
 * there is no more than before, and so no limit.
 */
const struct cause *cause_settled(struct causes *c, const struct cause *old);
void causes_free(struct causes *c);

#endif
