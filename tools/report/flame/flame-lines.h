/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_FLAME_LINES_H
#define LC_FLAME_LINES_H

#include "stacks/stack-frames.h"
#include "stacks/stack-told.h"

/* The stacks of all hosts with names for their frames: what flame graphs are drawn from. */

struct flame_line {
	uint32_t *frames; /* of the texts of all, the outermost first: container, task, functions */
	size_t nr_frames;
	uint64_t count;	 /* samples, or ns of waiting */
	uint64_t before; /* the same in another recording: flame_lines_join() */
};

struct flame_lines {
	struct flame_line *line; /* in order of their frames; no two have the same */
	size_t nr, cap;
	struct texts texts; /* what frames are called, in order, each escaped for a terminal */
	struct stack_counts counts;
};

struct flame_lines flame_lines(const struct loaded *l, const struct stack_options *opt);
/* Each has what @before says of the same stack; those that are in that one alone count 0. */
void flame_lines_join(struct flame_lines *lines, struct flame_lines *before);
void flame_lines_free(struct flame_lines *lines);

bool flame_is_asked_for(const struct host *h, const struct profile_stack *s,
			const struct selection *selection);

#endif
