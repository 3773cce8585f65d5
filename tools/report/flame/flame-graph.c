/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flame-graph.h"
#include "stacks/stack-told.h"
#include "analysis/why.h"
#include "base/util.h"

static void keep(void *graph, const char *sentence)
{
	struct flame_graph *g = graph;

	g->notes = grow(g->notes, g->nr_notes, &g->cap_notes, sizeof(*g->notes));
	g->notes[g->nr_notes++] = xstrdup(sentence);
}

__attribute__((format(printf, 2, 3))) static void say(struct flame_graph *g, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = xvasprintf(fmt, args);
	va_end(args);
	keep(g, text);
	free(text);
}

static void take_length(struct flame_graph *g, const struct host *h,
			const struct stack_options *opt)
{
	const struct profile *p = opt->profile_of(h);
	uint64_t from, to;

	if (opt->why_of) {
		why_window(opt->why_of(h), &from, &to);
	} else {
		from = p->from > h->begin ? p->from : h->begin;
		to = p->to < h->last ? p->to : h->last;
	}
	if (!g->begin || from < g->begin)
		g->begin = from;
	g->length += to > from ? to - from : 0;
	if (!g->period)
		g->period = p->period;
}

struct flame_graph flame_graph(const struct loaded *l, const struct stack_options *opt)
{
	struct flame_graph g = {.of_waits = opt->why_of, .of_wakers = opt->of_wakers};
	struct stack_told told = {.of_waits = g.of_waits, .of_wakers = g.of_wakers};
	size_t i;

	g.lines = flame_lines(l, opt);
	told.counts = g.lines.counts;
	for (i = 0; i < l->nr_hosts; i++) {
		take_length(&g, l->hosts[i], opt);
		stack_told_host(&told, l->hosts[i], opt->profile_of(l->hosts[i]));
	}
	stack_told_say(&told, keep, &g);
	if (!g.lines.nr)
		say(&g,
		    g.of_waits ? "There are no waits of that." : "There are no samples of that.");
	return g;
}

void flame_graph_join(struct flame_graph *g, struct flame_graph *before)
{
	double length = before->length ? (double)g->length / (double)before->length : 1;
	double period =
		before->period && g->period ? (double)before->period / (double)g->period : 1;
	size_t i;

	g->has_before = true;
	g->scale = length * period;
	flame_lines_join(&g->lines, &before->lines);
	for (i = 0; i < before->nr_notes; i++)
		say(g, "Of the recording before: %s", before->notes[i]);
	if (g->scale < 0.99 || g->scale > 1.01)
		say(g,
		    "The two recordings differ in length, or frequency: what is the same has so"
		    " many times what it had before. times=%.4f",
		    g->scale);
	flame_graph_free(before);
}

void flame_graph_free(struct flame_graph *g)
{
	flame_lines_free(&g->lines);
	while (g->nr_notes)
		free(g->notes[--g->nr_notes]);
	free(g->notes);
	*g = (struct flame_graph){0};
}
