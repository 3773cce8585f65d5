/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stack-frames.h"
#include "programs.h"
#include "label/cause-label.h"
#include "label/label.h"
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
/* And that in which it wakes another. */
#define WAKER	    "try_to_wake_up"

static char *container_of(const struct profile_stack *s)
{
	return s->is_placed ? label_container(s->container) : xstrdup(UNPLACED);
}

static void put_container(FILE *out, const struct host *h, const struct profile_stack *s)
{
	char *label = container_of(s);

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

/* The first of the kernel's frames behind that function, whose own calls are the tracer's. */
static size_t behind(const struct kernel_symbols *symbols, const struct profile_stack *s,
		     const char *function)
{
	const char *name;
	size_t i;

	for (i = 0; i < s->nr_kernel; i++) {
		name = kernel_symbol_at(symbols, caller(s, i));
		if (name && !strncmp(name, function, strlen(function)))
			return i + 1;
	}
	return 0;
}

/* A frame by which an interrupt comes in, on x86 and arm64: those behind it are not its doing. */
static bool is_entry(const char *name)
{
	static const char *const begins[] = {"asm_",	   "common_interrupt", "ret_from_intr",
					     "el1_irq",	   "el1h_64_irq",      "el0_irq",
					     "el0t_64_irq"};
	size_t i;

	for (i = 0; name && i < ARRAY_SIZE(begins); i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* How many of the kernel's frames are an interrupt's; nr_kernel if none came in. */
static size_t interrupt_of(const struct kernel_symbols *symbols, const struct profile_stack *s)
{
	size_t i;

	for (i = 0; i < s->nr_kernel; i++)
		if (is_entry(kernel_symbol_at(symbols, caller(s, i))))
			return i + 1;
	return s->nr_kernel;
}

/* Those from @first on up to @end. Returns whether all have a name. */
static bool put_kernel(FILE *out, const struct kernel_symbols *symbols,
		       const struct profile_stack *s, size_t first, size_t end)
{
	bool all = true;
	size_t i;

	for (i = end; i-- > first;) {
		const char *name = kernel_symbol_at(symbols, caller(s, i));
		char *safe = text_escape(name ? name : NAMELESS);

		fprintf(out, "%s" KERNEL_MARK "\n", safe);
		free(safe);
		all = all && name;
	}
	return all;
}

/* Returns whether all of the kernel's have a name. */
static bool put_functions(FILE *out, const struct kernel_symbols *symbols,
			  const struct profile_stack *s, const char *until)
{
	size_t i;

	for (i = s->nr_user; i-- > 0;)
		put_user(out, s->user[i]);
	return put_kernel(out, symbols, s, until ? behind(symbols, s, until) : 0, s->nr_kernel);
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

static void put_cause_of(FILE *out, const struct why *w, const struct cause *c,
			 const struct why_account *whose)
{
	char *label = why_label(w, c, whose);

	put_cause(out, xasprintf("%s%s%s", why_title(c->kind), *label ? ": " : "", label));
	free(label);
}

/* What was waited for is called by the function that waits, as are those whom that waits for. */
static void put_causes(FILE *out, struct why *w, const struct profile_stack *s)
{
	const struct why_account whose = {.told = s->is_placed, .container = s->container};
	const struct cause *c, *over = NULL;

	for (c = why_cause_settled(w, s->cause); c; over = c, c = c->below) {
		char *stage = why_stage_label(c, &whose, why_is_own(c, over, &whose));

		put_cause_of(out, w, c, &whose);
		if (stage)
			put_cause(out, xstrdup(stage));
		free(stage);
	}
}

/* An interrupt wakes for what was waited for; whom it met has nothing to do with it. */
static bool put_interrupt(FILE *out, struct why *w, const struct kernel_symbols *symbols,
			  const struct profile_stack *s, size_t end)
{
	const struct why_account whose = {.told = s->is_placed, .container = s->container};

	put_cause_of(out, w, why_cause_settled(w, s->cause), &whose);
	return put_kernel(out, symbols, s->waker, behind(symbols, s->waker, WAKER), end);
}

/*
 * Who ended the wait, by which stack. A task that serves softirqs at the end of a call of its own,
 * as one that sends to its neighbour does, wakes by that.
 */
static bool put_waker(FILE *out, const struct host *h, const struct kernel_symbols *symbols,
		      const struct profile_stack *s, const struct stack_options *opt)
{
	const struct profile_stack *waker = s->waker;
	size_t end = waker->interrupt ? interrupt_of(symbols, waker) : waker->nr_kernel;
	char *label;

	if (waker->interrupt >= SAMPLE_IN_HARDIRQ || end < waker->nr_kernel ||
	    (waker->interrupt && !waker->nr_user))
		return put_interrupt(out, opt->why_of(h), symbols, s, end);
	label = container_of(waker);
	put_cause(out, xasprintf("woken by: %s", label));
	free(label);
	put_task(out, waker, opt->by_task);
	return put_functions(out, symbols, waker, WAKER);
}

/* Returns as put_kernel(). */
static bool put_stack(FILE *out, const struct host *h, const struct kernel_symbols *symbols,
		      const struct profile_stack *s, const struct stack_options *opt)
{
	bool named = true;

	if (s->waker)
		return put_waker(out, h, symbols, s, opt);
	named = put_functions(out, symbols, s, s->cause ? SCHEDULER : NULL);
	if (s->cause && !s->has_stack)
		fputs(NO_STACK "\n", out);
	if (s->cause)
		put_causes(out, opt->why_of(h), s);
	return named;
}

char *stack_frames(const struct host *h, const struct kernel_symbols *symbols,
		   const struct profile_stack *s, const struct stack_options *opt, bool *named)
{
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	put_container(out, h, s);
	put_task(out, s, opt->by_task);
	*named = put_stack(out, h, symbols, s, opt);
	fclose(out);
	return text;
}

char *stack_next(char **frames)
{
	return **frames ? strsep(frames, "\n") : NULL;
}

/* A blank ends a line's frames for some readers, a semicolon a frame. */
void stack_put_folded(FILE *out, const char *frame)
{
	for (; *frame; frame++)
		if (*frame == ' ' || *frame == ';')
			fprintf(out, "\\x%02x", *frame);
		else
			fputc(*frame, out);
}
