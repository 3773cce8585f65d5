/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_STACK_FRAMES_H
#define LC_STACK_FRAMES_H

#include <stdio.h>

#include "base/texts.h"
#include "kernel-symbols.h"
#include "analysis/profile.h"
#include "analysis/selection.h"

/* Which stacks, and how they are told. */
struct stack_options {
	const struct selection *selection; /* NULL: all */
	bool by_task, of_wakers;
	bool functions_alone; /* without the container and the task */
	/* What the host's tasks waited for, or what its CPUs were found doing. */
	const struct profile *(*profile_of)(const struct host *h);
	struct why *(*why_of)(const struct host *h); /* NULL: samples */
};

/*
 * What frames are called, each escaped for a terminal. Whoever makes a function may give it a name
 * of kilobytes, and call it again and again: a name is kept once, a stack has its number.
 */
struct stack_names {
	struct texts *texts;
	/* What was told before -> its number, with one added; as long as functions are where they
	 * are. */
	struct hash known;
};

struct stack_line {
	struct stack_names *names;
	uint32_t *frames; /* of texts; the owner frees it */
	size_t nr, cap;
};

/*
 * What a stack is told as, the outermost frame first: container, task, functions. It is in @to
 * then, in the place of what was there. Returns whether all of the kernel's have a name.
 */
bool stack_frames(struct stack_line *to, const struct host *h, const struct kernel_symbols *symbols,
		  const struct profile_stack *s, const struct stack_options *opt);

/* The texts are not its own. */
void stack_names_free(struct stack_names *n);

/* A frame as in a folded stack: what would part frames, or the count, is escaped. */
void stack_put_folded(FILE *out, const char *frame);

#endif
