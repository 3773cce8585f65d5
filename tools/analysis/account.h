/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_ACCOUNT_H
#define LC_ACCOUNT_H

#include "model/cpus.h"

/*
 * CPU time added up, of one host. All rows together, with those for idle time,
 * interrupts and what is not known, are the number of CPUs times the time,
 * to the nanosecond.
 */

enum account_by { BY_CONTAINER, BY_POD, BY_NAMESPACE, BY_CGROUP, BY_TASK, BY_NR };
extern const char *const account_by_names[BY_NR];

/* ns */
struct amount {
	uint64_t own;	      /* without interrupts */
	uint64_t unsure;      /* the part of own in which events were lost */
	uint64_t interrupted; /* what interrupts took of it; not in own */
	uint64_t interrupted_unsure;
};

/* A part of own, and of that what is unsure, ns. */
struct part_ns {
	uint64_t own, unsure;
};

struct slice {
	uint64_t index; /* of the interval */
	struct part_ns ns;
	size_t at; /* of what is in doubt: its place among the slices of the row */
};

struct cpu_part {
	size_t cpu; /* its position in the account's cpus */
	struct part_ns ns;
};

struct row {
	uint64_t key;
	bool told;  /* false: nothing says whose the time is */
	bool ended; /* of all tasks that account_forget() was told of */
	/* What it is of: one of these, as the account is by. */
	struct container *container; /* NULL: the host */
	const struct pod *pod;	     /* by pod, of those in one; NULL: the container is in none */
	const struct pidns *ns;
	struct cgroup *cgroup; /* NULL: known by its id alone */
	int hierarchy;
	uint64_t cgroup_id;
	struct task *task; /* NULL: known by its tid alone */
	int tid;

	struct amount own, total; /* total: with those inside of it */
	struct cpu_part *by_cpu;  /* only those where there is any, in their order */
	size_t nr_by_cpu, cap_by_cpu;
	struct slice *slices; /* only where there is any, in no certain order */
	size_t nr_slices, cap_slices;
	struct place place; /* of a task whose time was not told at first, or is in doubt */
	uint64_t losses;    /* of that: how many there had been when it was added */
	struct row *of;	    /* of what is in doubt: where it is counted */
	unsigned int dumps; /* the same: see cpus_doubt() */
	struct row *parent; /* NULL: none */
	int depth;	    /* 0: the outermost */
	bool has_depth;
	size_t visit;  /* which look at the parents met it first */
	size_t number; /* in the account's rows */
};

struct account {
	struct model *m;
	enum account_by by;
	uint64_t from, to; /* what is counted; to is UINT64_MAX until account_finish() */
	uint64_t every;	   /* length of an interval, 0: none */
	struct row **rows; /* a parent before its children, the largest first */
	size_t nr_rows, cap_rows;
	struct row idle, interrupts, unknown;
	/* From account_finish() on: what may be anybody's, of all, of each CPU, of each interval.
	 */
	uint64_t open, interrupted_unsure;
	uint64_t *open_cpu, *open_slices;
	/* What is sure of rows of which lost events hide what they are in. */
	uint64_t orphans, interrupted_orphans;
	int *cpus; /* their numbers */
	size_t nr_cpus, cap_cpus;
	struct hash by_key, untold;
	/* Of BY_CONTAINER and BY_POD, by the containers' serials, 0 being the host. */
	struct row **by_container;
	size_t nr_containers;
	size_t *index, nr_index; /* of each CPU, its position in cpus, from 1; 0: none */
	struct hash doubts;	 /* of tasks, what their rows have that is in doubt */
	size_t forget_at;	 /* the caller's: when there are so many tasks, the dead go */
};

#define MAX_INTERVALS 1000000

struct account *account_new(struct model *m, enum account_by by, uint64_t every);
void account_free(struct account *a);
void account_add(struct account *a, const struct run *run);
/* The task will be no more: its time goes where it was last, by task to a row of those. */
void account_forget(struct account *a, struct task *t);
/* A whole state dump ended: what was in doubt is sure where it tells the same as before. */
void account_confirm(struct account *a);
/* At the end of the trace: finds whose the time was that had no place, nests and sorts. */
void account_finish(struct account *a, uint64_t begin, uint64_t end);

/*
 * After that, where not all runs were told up to the end: what is missing of each CPU's time
 * is not known.
 */
void account_fill(struct account *a);

/* What the figures could be at least and at most, had the lost events been told. */
uint64_t account_least(const struct amount *n);
uint64_t account_most(const struct account *a, const struct amount *n);
/* The same with the rows that are in it. */
uint64_t account_total_most(const struct account *a, const struct amount *total);
/* The same of what interrupts took. */
uint64_t account_interrupted_least(const struct amount *n);
uint64_t account_interrupted_most(const struct account *a, const struct amount *n);
uint64_t account_total_interrupted_most(const struct account *a, const struct amount *total);
/* The CPUs times the time, ns. */
uint64_t account_whole(const struct account *a);
/* Whether that is more than JSON's integers hold, INT64_MAX. */
bool account_is_too_long(const struct account *a);
size_t account_intervals(const struct account *a);

#endif
