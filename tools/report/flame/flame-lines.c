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

static void add_line(struct flame_lines *lines, const struct stack_line *told, uint64_t count)
{
	struct flame_line *line;

	lines->line = grow(lines->line, lines->nr, &lines->cap, sizeof(*lines->line));
	line = &lines->line[lines->nr++];
	*line = (struct flame_line){.nr_frames = told->nr, .count = count};
	line->frames = xcalloc(told->nr + 1, sizeof(*line->frames));
	memcpy(line->frames, told->frames, told->nr * sizeof(*line->frames));
}

static void add_host(struct flame_lines *lines, const struct host *h,
		     const struct stack_options *opt)
{
	const struct profile *p = opt->profile_of(h);
	struct kernel_symbols symbols = kernel_symbols_of(h->trace);
	struct stack_names names = {.texts = &lines->texts};
	struct stack_line told = {.names = &names};
	const struct profile_stack *s;
	size_t pos = 0;

	while ((s = hash_next(&p->stacks, &pos))) {
		bool named;

		if (!flame_is_asked_for(h, s, opt->selection))
			continue;
		named = stack_frames(&told, h, &symbols, s, opt);
		add_line(lines, &told, s->count);
		stack_told_stack(&lines->counts, s, named);
	}
	free(told.frames);
	stack_names_free(&names);
	kernel_symbols_free(&symbols);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(**(char **const *)a, **(char **const *)b);
}

static void renumber(struct flame_lines *lines, const uint32_t *numbers)
{
	size_t i, k;

	for (i = 0; i < lines->nr; i++)
		for (k = 0; k < lines->line[i].nr_frames; k++)
			lines->line[i].frames[k] = numbers[lines->line[i].frames[k]];
}

/* So that numbers are in the order of the texts. */
static void order_texts(struct flame_lines *lines)
{
	struct texts ordered = {0};
	size_t i, nr = lines->texts.nr;
	char ***places = xcalloc(nr + 1, sizeof(*places));
	uint32_t *numbers = xcalloc(nr + 1, sizeof(*numbers));

	for (i = 0; i < nr; i++)
		places[i] = &lines->texts.list[i];
	if (nr)
		qsort(places, nr, sizeof(*places), by_text);
	for (i = 0; i < nr; i++)
		numbers[places[i] - lines->texts.list] =
			(uint32_t)text_number(&ordered, *places[i]);
	renumber(lines, numbers);
	texts_free(&lines->texts);
	lines->texts = ordered;
	free(places);
	free(numbers);
}

static int by_frames(const void *a, const void *b)
{
	const struct flame_line *x = a, *y = b;
	size_t i;

	for (i = 0; i < x->nr_frames && i < y->nr_frames; i++)
		if (x->frames[i] != y->frames[i])
			return x->frames[i] < y->frames[i] ? -1 : 1;
	return x->nr_frames < y->nr_frames ? -1 : x->nr_frames > y->nr_frames;
}

/* Several addresses of a function, and several tasks of one name, are one stack. */
static void merge(struct flame_lines *lines)
{
	size_t i, to = 0;

	order_texts(lines);
	if (lines->nr)
		qsort(lines->line, lines->nr, sizeof(*lines->line), by_frames);
	for (i = 1; i < lines->nr; i++) {
		if (by_frames(&lines->line[to], &lines->line[i])) {
			lines->line[++to] = lines->line[i];
			continue;
		}
		lines->line[to].count += lines->line[i].count;
		lines->line[to].before += lines->line[i].before;
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

/* Its texts become those of both. */
static void take_texts(struct flame_lines *lines, struct flame_lines *before)
{
	uint32_t *numbers = xcalloc(before->texts.nr + 1, sizeof(*numbers));
	size_t i;

	for (i = 0; i < before->texts.nr; i++)
		numbers[i] = (uint32_t)text_number(&lines->texts, before->texts.list[i]);
	renumber(before, numbers);
	free(numbers);
}

void flame_lines_join(struct flame_lines *lines, struct flame_lines *before)
{
	size_t i;

	take_texts(lines, before);
	for (i = 0; i < before->nr; i++) {
		struct flame_line line = before->line[i];

		line.before = line.count;
		line.count = 0;
		lines->line = grow(lines->line, lines->nr, &lines->cap, sizeof(*lines->line));
		lines->line[lines->nr++] = line;
	}
	before->nr = 0;
	merge(lines);
}

void flame_lines_free(struct flame_lines *lines)
{
	size_t i;

	for (i = 0; i < lines->nr; i++)
		free(lines->line[i].frames);
	free(lines->line);
	texts_free(&lines->texts);
}
