/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_METRICS_H
#define LC_METRICS_H

#include "delays.h"

/*
 * What is counted of each container of one host for a system that watches: sums that only grow,
 * while the trace, or a live session, is read.
 */

/* ns: of what thousands of threads slept in a year there is more than 64 bits hold. */
typedef unsigned __int128 ns_sum;

#define LATENCY_BUCKETS 8
/* Their upper bounds, ns; what is above the last is in none. */
extern const uint64_t latency_bounds[LATENCY_BUCKETS];

/* What ended the time that a task could not run, or how it slept. */
enum blocked_by {
	BLOCKED_UNINTERRUPTIBLE, /* in state D: disks, and locks of the kernel */
	BLOCKED_TASK,		 /* until a task woke it */
	BLOCKED_INTERRUPT,	 /* until an interrupt did: a timer, the network, a disk */
	BLOCKED_UNKNOWN,	 /* not over yet, or who woke it is not known */
	BLOCKED_NR
};

/* Where a container is shown; what is once in one of the last two stays there. */
enum metric_shown { SHOWN_NOT_YET, SHOWN_ITSELF, SHOWN_AS_ENDED, SHOWN_AS_OTHER };

struct metric_row {
	bool told;		     /* false: it is not known whose it is */
	struct container *container; /* NULL: the host */
	ns_sum cpu, interrupted, waited, blocked[BLOCKED_NR];
	uint64_t waits;
	uint64_t buckets[LATENCY_BUCKETS];
	struct blames blames; /* of which nothing is unsure */
	bool has_owner;	      /* it was met in a group that is known */
	uint64_t owner;	      /* cgroup_owner() of that group */
	enum metric_shown shown;
	bool was_itself; /* it was shown so on a page, before that changed */
	size_t nr_added; /* of how many containers it is, see metrics_fold(); 0: of its own */
};

struct metrics {
	struct host *host;
	struct host as_delays; /* its user hears for delays.h */
	struct delays *delays;
	struct metric_row **rows;
	size_t nr_rows, cap_rows;
	struct hash by_container; /* of rows; a key of 1 is the host, of 3 those not told */
	/* Nobody's: what rows of several are of, so that culprits can be one of them, too. */
	struct container *added_up[SHOWN_AS_OTHER + 1];
	struct hash tasks;    /* of struct task -> what is not settled of it */
	ns_sum idle, unknown; /* of CPUs */
	ns_sum interrupts;    /* ... that served interrupts, also those of rows */
	ns_sum unplaced;      /* ... of tasks of which it is not known yet where they are */
	ns_sum recorder;      /* ... of LTTng's daemons and this program */
	/*
	 * Who asks for a state dump is lttng-sessiond, whatever others call themselves: a thread of
	 * it is on the CPU where that begins.
	 */
	bool seeks_dumper;
	int dump_cpu;
	uint64_t dump_ns, dump_losses; /* when, and that there had been */
	int64_t dumper;		       /* that thread; 0: its process is known, or it is not */
	int64_t sessiond;	       /* 0: not known, or it ended */
	bool is_endless;	       /* see metrics_new() */
	size_t forget_at, sweep_at;
};

/* Its ctx is the struct host, whose user is its struct metrics. */
extern const struct sched_callbacks metrics_sched;

/*
 * @is_endless: it is shown again and again, and never finished, or after months: containers that
 * are gone are forgotten, too, once their figures are added up with others'.
 */
struct metrics *metrics_new(struct host *h, bool is_endless);
void metrics_free(struct metrics *m);
/* After each event. */
void metrics_event(struct metrics *m, const struct event *ev);
/*
 * Between events: drops tasks that ended before that moment, and of one that is endless containers,
 * once there are many.
 */
void metrics_forget(struct metrics *m, uint64_t before);
/* The same at once, of one that is endless. */
void metrics_sweep(struct metrics *m, uint64_t before);
/* Of a container, or NULL of the host: it is made if there is none. */
struct metric_row *metrics_row(struct metrics *m, struct container *c);
/* Before that is decided: what was found out to be one container becomes one row. */
void metrics_join(struct metrics *m);
/*
 * When it was decided who is shown as what: those that are added up with others become one row, as
 * victims and as culprits, so that what is kept, and what a wait costs, does not depend on how many
 * there are, each of whom may have waited for each other one.
 */
void metrics_fold(struct metrics *m);
/* Whether what somebody waited for is more than can be counted: times in it are damaged. */
bool metrics_are_too_long(const struct metrics *m);
/* All was read: what waits, waits no longer, and what can be placed is. */
void metrics_finish(struct metrics *m);

#endif
