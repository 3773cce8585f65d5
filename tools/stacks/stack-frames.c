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

static void put_number(struct stack_line *to, size_t number)
{
	to->frames = grow(to->frames, to->nr, &to->cap, sizeof(*to->frames));
	to->frames[to->nr++] = (uint32_t)number;
}

/* Frees the text. */
static void put(struct stack_line *to, char *text)
{
	put_number(to, text_number(to->names->texts, text));
	free(text);
}

/* What it was called when it was put before; false: it was not. */
static bool put_known(struct stack_line *to, const void *what)
{
	uintptr_t number = (uintptr_t)hash_get(&to->names->known, (uintptr_t)what);

	if (number)
		put_number(to, number - 1);
	return number;
}

/* As put(); that is what it is called from now on. */
static void put_new(struct stack_line *to, const void *what, char *text)
{
	put(to, text);
	hash_put(&to->names->known, (uintptr_t)what,
		 (void *)((uintptr_t)to->frames[to->nr - 1] + 1));
}

static void put_container(struct stack_line *to, const struct host *h,
			  const struct profile_stack *s)
{
	char *label = container_of(s);

	put(to, xasprintf("%s%s", h->prefix, label));
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

static void put_task(struct stack_line *to, const struct profile_stack *s, bool by_task)
{
	char *comm = escape_name(s->comm), *vtids = NULL;
	const char *name = !s->tid ? "idle" : *comm ? comm : NAMELESS;

	if (by_task && s->tid > 0) {
		vtids = label_vtids(s->task);
		put(to, xasprintf("%s %lld (%s)", name, (long long)s->tid, vtids));
	} else {
		put(to, xstrdup(name));
	}
	free(vtids);
	free(comm);
}

/* Where the call was made is the instruction before the one that it returns to. */
static uint64_t caller(const struct profile_stack *s, size_t i)
{
	return i ? s->kernel[i] - 1 : s->kernel[i];
}

/* A file without functions is told by its name, and where in it that is, for other tools. */
static char *user_name(const struct user_frame *frame)
{
	const char *slash = strrchr(frame->path, '/');
	char *safe, *name;

	/* What the kernel calls it: [heap]. */
	if (!frame->name && frame->is_memory)
		return text_escape(slash ? "[anon]" : frame->path);
	safe = escape_name(frame->name ? frame->name : slash ? slash + 1 : frame->path);
	if (frame->name)
		return safe;
	name = xasprintf("[%s+0x%" PRIx64 "]", safe, frame->offset);
	free(safe);
	return name;
}

static void put_user(struct stack_line *to, const struct user_frame *frame)
{
	if (!frame)
		put(to, xstrdup(NAMELESS));
	else if (!put_known(to, frame))
		put_new(to, frame, user_name(frame));
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

static char *kernel_name(const char *name)
{
	char *safe = text_escape(name), *marked = xasprintf("%s" KERNEL_MARK, safe);

	free(safe);
	return marked;
}

/* Those from @first on up to @end. Returns whether all have a name. */
static bool put_kernel(struct stack_line *to, const struct kernel_symbols *symbols,
		       const struct profile_stack *s, size_t first, size_t end)
{
	bool all = true;
	size_t i;

	for (i = end; i-- > first;) {
		const char *name = kernel_symbol_at(symbols, caller(s, i));

		if (!name)
			put(to, xstrdup(NAMELESS KERNEL_MARK));
		else if (!put_known(to, name))
			put_new(to, name, kernel_name(name));
		all = all && name;
	}
	return all;
}

/* Returns whether all of the kernel's have a name. */
static bool put_functions(struct stack_line *to, const struct kernel_symbols *symbols,
			  const struct profile_stack *s, const char *until)
{
	size_t i;

	for (i = s->nr_user; i-- > 0;)
		put_user(to, s->user[i]);
	return put_kernel(to, symbols, s, until ? behind(symbols, s, until) : 0, s->nr_kernel);
}

/* Frees it. */
static void put_cause(struct stack_line *to, char *text)
{
	char *blank;

	for (blank = text; (blank = strchr(blank, ' '));)
		*blank = '_';
	put(to, xasprintf("[%s]", text));
	free(text);
}

static void put_cause_of(struct stack_line *to, const struct why *w, const struct cause *c,
			 const struct why_account *whose)
{
	char *label = why_label(w, c, whose);

	put_cause(to, xasprintf("%s%s%s", why_title(c->kind), *label ? ": " : "", label));
	free(label);
}

/* What was waited for is called by the function that waits, as are those whom that waits for. */
static void put_causes(struct stack_line *to, struct why *w, const struct profile_stack *s)
{
	const struct why_account whose = {.told = s->is_placed, .container = s->container};
	const struct cause *c, *over = NULL;

	for (c = why_cause_settled(w, s->cause); c; over = c, c = c->below) {
		char *stage = why_stage_label(c, &whose, why_is_own(c, over, &whose));

		put_cause_of(to, w, c, &whose);
		if (stage)
			put_cause(to, xstrdup(stage));
		free(stage);
	}
}

/* An interrupt wakes for what was waited for; whom it met has nothing to do with it. */
static bool put_interrupt(struct stack_line *to, struct why *w,
			  const struct kernel_symbols *symbols, const struct profile_stack *s,
			  size_t end)
{
	const struct why_account whose = {.told = s->is_placed, .container = s->container};

	put_cause_of(to, w, why_cause_settled(w, s->cause), &whose);
	return put_kernel(to, symbols, s->waker, behind(symbols, s->waker, WAKER), end);
}

/*
 * Who ended the wait, by which stack. A task that serves softirqs at the end of a call of its own,
 * as one that sends to its neighbour does, wakes by that.
 */
static bool put_waker(struct stack_line *to, const struct host *h,
		      const struct kernel_symbols *symbols, const struct profile_stack *s,
		      const struct stack_options *opt)
{
	const struct profile_stack *waker = s->waker;
	size_t end = waker->interrupt ? interrupt_of(symbols, waker) : waker->nr_kernel;
	char *label;

	if (waker->interrupt >= SAMPLE_IN_HARDIRQ || end < waker->nr_kernel ||
	    (waker->interrupt && !waker->nr_user))
		return put_interrupt(to, opt->why_of(h), symbols, s, end);
	label = container_of(waker);
	put_cause(to, xasprintf("woken by: %s", label));
	free(label);
	put_task(to, waker, opt->by_task);
	return put_functions(to, symbols, waker, WAKER);
}

/* Returns as put_kernel(). */
static bool put_stack(struct stack_line *to, const struct host *h,
		      const struct kernel_symbols *symbols, const struct profile_stack *s,
		      const struct stack_options *opt)
{
	bool named = true;

	if (s->waker)
		return put_waker(to, h, symbols, s, opt);
	named = put_functions(to, symbols, s, s->cause ? SCHEDULER : NULL);
	if (s->cause && !s->has_stack)
		put(to, xstrdup(NO_STACK));
	if (s->cause)
		put_causes(to, opt->why_of(h), s);
	return named;
}

bool stack_frames(struct stack_line *to, const struct host *h, const struct kernel_symbols *symbols,
		  const struct profile_stack *s, const struct stack_options *opt)
{
	to->nr = 0;
	if (!opt->functions_alone) {
		put_container(to, h, s);
		put_task(to, s, opt->by_task);
	}
	return put_stack(to, h, symbols, s, opt);
}

void stack_names_free(struct stack_names *n)
{
	hash_free(&n->known);
}

/* A blank ends a line's frames for some readers, a semicolon a frame. */
void stack_put_folded(FILE *out, const char *frame)
{
	size_t plain;

	for (; *frame; frame += plain) {
		plain = strcspn(frame, " ;");
		fwrite(frame, 1, plain, out);
		if (frame[plain])
			fprintf(out, "\\x%02x", frame[plain++]);
	}
}
