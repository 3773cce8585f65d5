/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_PROFILE_H
#define LC_PROFILE_H

#include "model/container.h"
#include "base/hash.h"
#include "trace/load.h"

struct cause;

/*
 * What CPUs were found doing (profile_sample), or tasks waited for: the same task with the same
 * stack (profile_switch), or waker (profile_waking), and the same cause.
 */
struct profile_stack {
	struct task *task;	     /* NULL: not known but by its tid */
	struct container *container; /* NULL: the host */
	bool is_placed;
	int64_t tid;		   /* 0: the idle task, -1: not told */
	char comm[COMM_MAX + 1];   /* as it was then; "": not told */
	const struct cause *cause; /* NULL: it had the CPU */
	bool has_stack;		   /* of a wait: one was recorded */
	int interrupt; /* of a waker, SAMPLE_IN_...: its stack is not that task's alone */
	const struct profile_stack *waker; /* whose stack ended the wait; NULL: not told */
	uint64_t count;			   /* samples, or ns of waiting */
	/* Frames in user space, as the caller knows them; and the kernel's; the last call first. */
	size_t nr_user, nr_kernel;
	const void **user; /* NULL: not known what it is */
	uint64_t *kernel;
	/* Of each sample, where the profile keeps that. */
	struct profile_time {
		uint64_t ns; /* since the epoch */
		int cpu;     /* -1: not known */
	} * times;
	size_t nr_times, cap_times;
};

struct profile {
	struct model *model;
	/*
	 * What a process had at an address at that moment: the same pointer for all that are not to
	 * be told apart. NULL: nothing is known.
	 */
	const void *(*user_frame)(void *ctx, int64_t pid, uint64_t ns, uint64_t address);
	void *ctx; /* its */
	/* Is told of each sample, which is not counted then. @s is valid until it returns. */
	void (*on_sample)(void *ctx, const struct profile_stack *s, const struct event *ev);
	void *sample_ctx; /* its */
	bool keeps_times;
	struct hash stacks;
	struct hash frames; /* stacks of nobody, by which tasks began to wait; or those of wakers */
	uint64_t from, to;  /* ns since the epoch */
	uint64_t nr_samples; /* or stacks of waits */
	uint64_t nr_user;    /* samples whose stack has user frames ... */
	uint64_t nr_one;  /* ... and no more than one: there were no frame pointers to go along */
	uint64_t nr_cut;  /* of which not all frames were recorded */
	uint64_t nr_lone; /* the kernel's without callers, as there is no stack of that moment */
	uint64_t period;  /* ns, of the first sample; 0: none was told */
	bool periods_differ;
};

struct profile *profile_new(struct host *h);
/* After the model took it. */
void profile_sample(struct profile *p, const struct event *ev);
/* The stack of a profile_switch, for profile_wait(). It is @p's. */
const struct profile_stack *profile_switch(struct profile *p, const struct event *ev);
/* A task waited for so many ns by that stack; NULL: it was not recorded. */
void profile_wait(struct profile *p, const struct profile_stack *stack, struct task *task,
		  const struct place *place, const struct cause *cause, uint64_t ns);
/* The stack of a profile_waking, for profile_woken(), and whose it is. It is @p's. */
const struct profile_stack *profile_waking(struct profile *p, const struct event *ev);
/* A task waited for so many ns, up to when it was woken by that stack; NULL: that is not told. */
void profile_woken(struct profile *p, const struct profile_stack *waker, struct task *task,
		   const struct place *place, const struct cause *cause, uint64_t ns);
/* When all is read: whose samples those were that came before the state dump. */
void profile_finish(struct profile *p);
void profile_free(struct profile *p);

#endif
