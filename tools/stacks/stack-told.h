/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_STACK_TOLD_H
#define LC_STACK_TOLD_H

#include "analysis/profile.h"
#include "programs.h"

/* What is to be said of stacks, whether a graph is drawn of them or they become rows of a table. */

/* Of those that are shown: samples, or ns of waiting. */
struct stack_counts {
	uint64_t nr_stackless;	/* ns of waits whose stack was not recorded */
	uint64_t nr_unplaced;	/* of tasks whose container is not known */
	uint64_t nr_kernel;	/* with frames of the kernel ... */
	uint64_t nr_nameless;	/* ... of which some have no name */
	uint64_t nr_user;	/* frames of programs in all samples, or stacks ... */
	uint64_t nr_user_named; /* ... of which the function is known */
	uint64_t nr_made;	/* ... which the program has made itself, and not told of */
	struct stack_unread {
		uint64_t nr;	  /* ... which are in files that could not be read */
		uint64_t most;	  /* in one stack ... */
		const char *path; /* ... of which this is one; it is the programs' */
	} unread[NR_UNREAD];
};

struct stack_told {
	bool of_waits, of_wakers;
	/* Of what was recorded, for as far as all of it is shown. */
	uint64_t nr, nr_with_user, nr_one, nr_cut, nr_lone;
	bool lost, differ, unmapped, missed;
	struct stack_counts counts;
};

/* One that stack_profile_new() made, once all is read. */
void stack_told_host(struct stack_told *t, const struct host *h, const struct profile *p);
void stack_told_add(struct stack_counts *c, const struct stack_counts *more);
/* @named: as stack_frames() tells. */
void stack_told_stack(struct stack_counts *c, const struct profile_stack *s, bool named);
/* A sentence for each thing, without an end of line. */
void stack_told_say(const struct stack_told *t, void (*say)(void *ctx, const char *sentence),
		    void *ctx);

#endif
