/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "flame-lines.h"
#include "base/util.h"

bool flame_is_asked_for(const struct host *h, const struct profile_stack *s,
			const struct selection *selection)
{
	return !selection || (s->is_placed && selection_holds(selection, h->model, s->container));
}

static void add_host(struct flame_lines *lines, const struct host *h,
		     const struct stack_options *opt)
{
	const struct profile *p = opt->profile_of(h);
	struct kernel_symbols symbols = kernel_symbols_of(h->trace);
	const struct profile_stack *s;
	size_t pos = 0;

	while ((s = hash_next(&p->stacks, &pos))) {
		bool named = true;

		if (!flame_is_asked_for(h, s, opt->selection))
			continue;
		lines->line = grow(lines->line, lines->nr, &lines->cap, sizeof(*lines->line));
		lines->line[lines->nr++] =
			(struct flame_line){stack_frames(h, &symbols, s, opt, &named), s->count, 0};
		stack_told_stack(&lines->counts, s, named);
	}
	kernel_symbols_free(&symbols);
}

static int by_frames(const void *a, const void *b)
{
	return strcmp(((const struct flame_line *)a)->frames,
		      ((const struct flame_line *)b)->frames);
}

/* Several addresses of a function, and several tasks of one name, are one stack. */
static void merge(struct flame_lines *lines)
{
	size_t i, to = 0;

	if (lines->nr)
		qsort(lines->line, lines->nr, sizeof(*lines->line), by_frames);
	for (i = 1; i < lines->nr; i++) {
		if (by_frames(&lines->line[to], &lines->line[i])) {
			lines->line[++to] = lines->line[i];
			continue;
		}
		lines->line[to].count += lines->line[i].count;
		free(lines->line[i].frames);
	}
	lines->nr = lines->nr ? to + 1 : 0;
}

struct flame_lines flame_lines(const struct loaded *l, const struct stack_options *opt)
{
	struct flame_lines lines = {0};
	size_t i;

	for (i = 0; i < l->nr_hosts; i++)
		add_host(&lines, l->hosts[i], opt);
	merge(&lines);
	return lines;
}

void flame_lines_join(struct flame_lines *lines, struct flame_lines *before)
{
	struct flame_line *all = xcalloc(lines->nr + before->nr + 1, sizeof(*all));
	size_t a = 0, b = 0, to = 0;

	while (a < lines->nr || b < before->nr) {
		int order = a == lines->nr    ? 1
			    : b == before->nr ? -1
					      : by_frames(&lines->line[a], &before->line[b]);

		all[to] = order <= 0 ? lines->line[a++] : (struct flame_line){0};
		if (order > 0)
			all[to].frames = before->line[b].frames;
		else if (!order)
			free(before->line[b].frames);
		if (order >= 0)
			all[to].before = before->line[b++].count;
		to++;
	}
	free(lines->line);
	lines->line = all;
	lines->nr = lines->cap = to;
	before->nr = 0;
}

void flame_lines_free(struct flame_lines *lines)
{
	size_t i;

	for (i = 0; i < lines->nr; i++)
		free(lines->line[i].frames);
	free(lines->line);
}
