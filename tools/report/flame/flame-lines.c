/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame-lines.h"
#include "kernel-symbols.h"
#include "programs.h"
#include "report/cause-label.h"
#include "report/label.h"
#include "base/text.h"
#include "base/util.h"

/* What is between parentheses is no container: see container_label_safe(). */
#define UNPLACED    "(unknown)"
#define NAMELESS    "[unknown]"
/* As others mark the kernel's functions, for their colours. */
#define KERNEL_MARK "_[k]"
#define NO_STACK    "[no_stack]"
/* The function in which a task leaves its CPU; what it calls is the tracer. */
#define SCHEDULER   "__schedule"

static void put_container(FILE *out, const struct host *h, const struct profile_stack *s)
{
	char *label = s->is_placed ? label_container(s->container) : xstrdup(UNPLACED);

	fprintf(out, "%s%s\n", h->prefix, label);
	free(label);
}

/* Brackets are this report's own marks: those of a program's text are escaped. */
static char *escape_name(const char *text)
{
	char *safe = text_escape(text), *name = xcalloc(4 * strlen(safe) + 1, 1), *to = name;
	const char *from;

	for (from = safe; *from; from++)
		to = *from == '[' ? stpcpy(to, "\\x5b") : (*to = *from, to + 1);
	free(safe);
	return name;
}

static void put_task(FILE *out, const struct profile_stack *s, bool by_task)
{
	char *comm = escape_name(s->comm), *vtids;

	if (!s->tid)
		fputs("idle", out);
	else
		fputs(*comm ? comm : NAMELESS, out);
	if (by_task && s->tid > 0) {
		vtids = label_vtids(s->task);
		fprintf(out, " %lld (%s)", (long long)s->tid, vtids);
		free(vtids);
	}
	fputc('\n', out);
	free(comm);
}

/* Where the call was made is the instruction before the one that it returns to. */
static uint64_t caller(const struct profile_stack *s, size_t i)
{
	return i ? s->kernel[i] - 1 : s->kernel[i];
}

/* A file without functions is told by its name, and where in it that is, for other tools. */
static void put_user(FILE *out, const struct user_frame *frame)
{
	const char *slash = frame ? strrchr(frame->path, '/') : NULL;
	char *safe;

	if (!frame) {
		fputs(NAMELESS "\n", out);
		return;
	}
	if (!frame->name && frame->is_memory) {
		/* What the kernel calls it: [heap]. */
		safe = text_escape(slash ? "[anon]" : frame->path);
		fprintf(out, "%s\n", safe);
		free(safe);
		return;
	}
	safe = escape_name(frame->name ? frame->name : slash ? slash + 1 : frame->path);
	fprintf(out, frame->name ? "%s\n" : "[%s", safe);
	if (!frame->name)
		fprintf(out, "+0x%" PRIx64 "]\n", frame->offset);
	free(safe);
}

/* The first frame of the kernel's that the task had itself to do with. */
static size_t first_kernel(const struct kernel_symbols *symbols, const struct profile_stack *s)
{
	const char *name;
	size_t i;

	for (i = 0; s->cause && i < s->nr_kernel; i++) {
		name = kernel_symbol_at(symbols, caller(s, i));
		if (name && !strncmp(name, SCHEDULER, strlen(SCHEDULER)))
			return i + 1;
	}
	return 0;
}

/* Returns whether all of the kernel's have a name. */
static bool put_functions(FILE *out, const struct kernel_symbols *symbols,
			  const struct profile_stack *s)
{
	size_t i, first = first_kernel(symbols, s);
	bool all = true;

	for (i = s->nr_user; i-- > 0;)
		put_user(out, s->user[i]);
	for (i = s->nr_kernel; i-- > first;) {
		const char *name = kernel_symbol_at(symbols, caller(s, i));
		char *safe = text_escape(name ? name : NAMELESS);

		fprintf(out, "%s" KERNEL_MARK "\n", safe);
		free(safe);
		all = all && name;
	}
	return all;
}

/* Frees it. */
static void put_cause(FILE *out, char *text)
{
	char *blank;

	for (blank = text; (blank = strchr(blank, ' '));)
		*blank = '_';
	fprintf(out, "[%s]\n", text);
	free(text);
}

/* What was waited for is called by the function that waits, as are those whom that waits for. */
static void put_causes(FILE *out, struct why *w, const struct profile_stack *s)
{
	const struct why_account whose = {.told = s->is_placed, .container = s->container};
	const struct cause *c, *over = NULL;

	if (!s->has_stack)
		fputs(NO_STACK "\n", out);
	for (c = why_cause_settled(w, s->cause); c; over = c, c = c->below) {
		char *label = why_label(w, c, &whose);
		char *stage = why_stage_label(c, &whose, why_is_own(c, over, &whose));

		put_cause(out, xasprintf("%s%s%s", why_title(c->kind), *label ? ": " : "", label));
		if (stage)
			put_cause(out, xstrdup(stage));
		free(label);
		free(stage);
	}
}

static char *frames_of(const struct host *h, const struct kernel_symbols *symbols,
		       const struct profile_stack *s, const struct flame_options *opt, bool *named)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return xstrdup("");
	put_container(out, h, s);
	put_task(out, s, opt->by_task);
	*named = put_functions(out, symbols, s);
	if (s->cause)
		put_causes(out, opt->why_of(h), s);
	fclose(out);
	return text;
}

static uint64_t nr_named(const struct profile_stack *s)
{
	const struct user_frame *frame;
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < s->nr_user; i++) {
		frame = s->user[i];
		nr += frame && frame->name;
	}
	return nr;
}

static bool is_asked_for(const struct host *h, const struct profile_stack *s,
			 const struct selection *selection)
{
	return !selection || (s->is_placed && selection_holds(selection, h->model, s->container));
}

static void add_host(struct flame_lines *lines, const struct host *h,
		     const struct flame_options *opt)
{
	const struct profile *p = opt->profile_of(h);
	struct kernel_symbols symbols = kernel_symbols_of(h->trace);
	const struct profile_stack *s;
	size_t pos = 0;

	while ((s = hash_next(&p->stacks, &pos))) {
		bool named = true;

		if (!is_asked_for(h, s, opt->selection))
			continue;
		lines->line = grow(lines->line, lines->nr, &lines->cap, sizeof(*lines->line));
		lines->line[lines->nr++] =
			(struct flame_line){frames_of(h, &symbols, s, opt, &named), s->count};
		lines->nr_stackless += s->cause && !s->has_stack ? s->count : 0;
		lines->nr_unplaced += s->is_placed ? 0 : s->count;
		lines->nr_kernel += s->nr_kernel ? s->count : 0;
		lines->nr_nameless += named ? 0 : s->count;
		lines->nr_user += s->nr_user * (s->cause ? 1 : s->count);
		lines->nr_user_named += nr_named(s) * (s->cause ? 1 : s->count);
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

struct flame_lines flame_lines(const struct loaded *l, const struct flame_options *opt)
{
	struct flame_lines lines = {0};
	size_t i;

	for (i = 0; i < l->nr_hosts; i++)
		add_host(&lines, l->hosts[i], opt);
	merge(&lines);
	return lines;
}

void flame_lines_free(struct flame_lines *lines)
{
	size_t i;

	for (i = 0; i < lines->nr; i++)
		free(lines->line[i].frames);
	free(lines->line);
}

char *flame_next(char **frames)
{
	return **frames ? strsep(frames, "\n") : NULL;
}
