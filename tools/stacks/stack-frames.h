/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_STACK_FRAMES_H
#define LC_STACK_FRAMES_H

#include <stdio.h>

#include "kernel-symbols.h"
#include "analysis/profile.h"
#include "analysis/selection.h"

/* Which stacks, and how they are told. */
struct stack_options {
	const struct selection *selection; /* NULL: all */
	bool by_task, of_wakers;
	/* What the host's tasks waited for, or what its CPUs were found doing. */
	const struct profile *(*profile_of)(const struct host *h);
	struct why *(*why_of)(const struct host *h); /* NULL: samples */
};

/*
 * What a stack is told as, the outermost frame first: container, task, functions, each escaped
 * for a terminal and with an end of line behind it. @named: whether all of the kernel's have a
 * name. The caller frees it.
 */
char *stack_frames(const struct host *h, const struct kernel_symbols *symbols,
		   const struct profile_stack *s, const struct stack_options *opt, bool *named);

/* The next frame of a line, which is taken apart for it; NULL: that was all. */
char *stack_next(char **frames);

/* A frame as in a folded stack: what would part frames, or the count, is escaped. */
void stack_put_folded(FILE *out, const char *frame);

#endif
