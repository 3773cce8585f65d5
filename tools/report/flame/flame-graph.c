/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flame-graph.h"
#include "programs.h"
#include "analysis/why.h"
#include "base/util.h"

__attribute__((format(printf, 2, 3))) static void say(struct flame_graph *g, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	g->notes = grow(g->notes, g->nr_notes, &g->cap_notes, sizeof(*g->notes));
	g->notes[g->nr_notes++] = xstrdup(text);
}

/* What was recorded, for as far as all of it is shown. */
struct told {
	uint64_t nr, user, one, cut, lone;
	bool lost, differ, unmapped, missed;
};

static struct told told_of(const struct loaded *l, const struct flame_options *opt)
{
	struct told t = {0};
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		const struct profile *p = opt->profile_of(l->hosts[i]);

		t.nr += p->nr_samples;
		t.user += p->nr_user;
		t.one += p->nr_one;
		t.cut += p->nr_cut;
		t.lone += p->nr_lone;
		t.unmapped |= !p->ctx;
		t.missed |= p->ctx && programs_lost(p->ctx);
		t.lost |= l->hosts[i]->model->nr_losses > 0;
		t.differ |= p->periods_differ;
	}
	return t;
}

static void say_of_programs(struct flame_graph *g, const struct told *t)
{
	if (t->user)
		say(g,
		    "%.0f%% of the stacks of programs end after one frame: these, or their"
		    " libraries, were built without frame pointers, or it was the first function."
		    " %s=%" PRIu64 " with_user_frames=%" PRIu64
		    " of_these_one_frame_alone=%" PRIu64,
		    100.0 * (double)t->one / (double)t->user, g->of_waits ? "stacks" : "samples",
		    t->nr, t->user, t->one);
	if (t->user && t->unmapped)
		say(g, "Functions of programs have no names where there is no list of this boot's"
		       " beside the trace of what they mapped (programs, of record --stacks).");
	if (t->missed)
		say(g, "Not all that programs mapped was kept: some functions may have no names, or"
		       " wrong ones.");
}

static void say_of_samples(struct flame_graph *g, const struct told *t)
{
	if (t->cut)
		say(g,
		    "Stacks that were deeper than the tracer's 128 frames lack the outermost."
		    " %s=%" PRIu64,
		    g->of_waits ? "stacks" : "samples", t->cut);
	if (t->lone)
		say(g,
		    "The kernel's stack is not known of all samples: of these the function alone"
		    " is. samples=%" PRIu64,
		    t->lone);
	if (t->differ)
		say(g, "The frequency was changed meanwhile: not all samples stand for the same"
		       " time.");
	if (t->lost && !g->of_waits)
		say(g, "Events were lost, samples perhaps, too: shares are those of what is left.");
}

static void say_of_lines(struct flame_graph *g)
{
	const struct flame_lines *lines = &g->lines;
	const char *unit = g->of_waits ? "ns" : "samples";

	if (lines->nr_stackless)
		say(g, "Of some waits no stack was recorded: they %s, or it was lost. ns=%" PRIu64,
		    g->of_wakers ? "did not end, or began before the trace"
				 : "began before the trace",
		    lines->nr_stackless);
	if (lines->nr_user)
		say(g,
		    "Functions of programs have names where their files tell them, and these could"
		    " be read. user_frames=%" PRIu64 " with_name=%" PRIu64,
		    lines->nr_user, lines->nr_user_named);
	if (lines->nr_nameless)
		say(g,
		    "Functions of the kernel have no names where there is no list of this boot's"
		    " beside the trace (kallsyms, of record --stacks), or the list has them not."
		    " %s_of_kernel=%" PRIu64 " without_all_names=%" PRIu64,
		    unit, lines->nr_kernel, lines->nr_nameless);
	if (lines->nr_unplaced)
		say(g, "Of some tasks it is not known in which container they were. %s=%" PRIu64,
		    unit, lines->nr_unplaced);
	if (!lines->nr)
		say(g,
		    g->of_waits ? "There are no waits of that." : "There are no samples of that.");
}

static void take_length(struct flame_graph *g, const struct host *h,
			const struct flame_options *opt)
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

struct flame_graph flame_graph(const struct loaded *l, const struct flame_options *opt)
{
	struct flame_graph g = {.of_waits = opt->why_of, .of_wakers = opt->of_wakers};
	struct told told = told_of(l, opt);
	size_t i;

	g.lines = flame_lines(l, opt);
	for (i = 0; i < l->nr_hosts; i++)
		take_length(&g, l->hosts[i], opt);
	say_of_programs(&g, &told);
	say_of_samples(&g, &told);
	say_of_lines(&g);
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
