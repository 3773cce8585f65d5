/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/symbols.h"
#include "base/text.h"
#include "base/util.h"
#include "stack-told.h"
#include "programs.h"

/* Of a file's path, which a container may have made long. */
#define FILE_WIDTH 200

void stack_told_host(struct stack_told *t, const struct host *h, const struct profile *p)
{
	t->nr += p->nr_samples;
	t->nr_with_user += p->nr_user;
	t->nr_one += p->nr_one;
	t->nr_cut += p->nr_cut;
	t->nr_lone += p->nr_lone;
	t->unmapped |= !p->ctx;
	t->missed |= p->ctx && programs_lost(p->ctx);
	t->lost |= h->model->nr_losses > 0;
	t->differ |= p->periods_differ;
}

static void count_unread(struct stack_unread *u, uint64_t nr, const char *path)
{
	time_add(&u->nr, nr);
	if (nr <= u->most)
		return;
	u->most = nr;
	u->path = path;
}

/* A frame of a program, which stands for so many. */
static void count_frame(struct stack_counts *c, const struct user_frame *frame, uint64_t nr)
{
	c->nr_user += nr;
	if (!frame)
		return;
	if (frame->name)
		c->nr_user_named += nr;
	else if (symbols_is_memory(frame->path))
		c->nr_made += nr;
	else if (frame->unread)
		count_unread(&c->unread[frame->unread], nr, frame->path);
}

void stack_told_add(struct stack_counts *c, const struct stack_counts *more)
{
	size_t i;

	time_add(&c->nr_stackless, more->nr_stackless);
	time_add(&c->nr_unplaced, more->nr_unplaced);
	time_add(&c->nr_kernel, more->nr_kernel);
	time_add(&c->nr_nameless, more->nr_nameless);
	time_add(&c->nr_user, more->nr_user);
	time_add(&c->nr_user_named, more->nr_user_named);
	time_add(&c->nr_made, more->nr_made);
	for (i = 0; i < NR_UNREAD; i++)
		count_unread(&c->unread[i], more->unread[i].nr, more->unread[i].path);
}

void stack_told_stack(struct stack_counts *c, const struct profile_stack *s, bool named)
{
	const struct profile_stack *of = s->waker ? s->waker : s;
	size_t i;

	time_add(&c->nr_stackless, s->cause && !s->has_stack ? s->count : 0);
	time_add(&c->nr_unplaced, s->is_placed ? 0 : s->count);
	time_add(&c->nr_kernel, of->nr_kernel ? s->count : 0);
	time_add(&c->nr_nameless, named ? 0 : s->count);
	for (i = 0; i < of->nr_user; i++)
		count_frame(c, of->user[i], s->cause ? 1 : s->count);
}

struct saying {
	void (*say)(void *ctx, const char *sentence);
	void *ctx;
};

__attribute__((format(printf, 2, 3))) static void say(const struct saying *to, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = xvasprintf(fmt, args);
	va_end(args);
	to->say(to->ctx, text);
	free(text);
}

static void say_of_programs(const struct saying *to, const struct stack_told *t)
{
	if (t->nr_with_user)
		say(to,
		    "%.0f%% of the stacks of programs end after one frame: these, or their"
		    " libraries, were built without frame pointers, or it was the first function."
		    " %s=%" PRIu64 " with_user_frames=%" PRIu64
		    " of_these_one_frame_alone=%" PRIu64,
		    100.0 * (double)t->nr_one / (double)t->nr_with_user,
		    t->of_waits ? "stacks" : "samples", t->nr, t->nr_with_user, t->nr_one);
	if (t->nr_with_user && t->unmapped)
		say(to, "Functions of programs have no names where there is no list of this boot's"
			" beside the trace of what they mapped (programs, of record --stacks).");
	if (t->missed)
		say(to,
		    "Not all that programs mapped was kept: some functions may have no names, or"
		    " wrong ones.");
}

static void say_of_samples(const struct saying *to, const struct stack_told *t)
{
	if (t->nr_cut)
		say(to,
		    "Stacks that were deeper than the tracer's 128 frames lack the outermost."
		    " %s=%" PRIu64,
		    t->of_waits ? "stacks" : "samples", t->nr_cut);
	if (t->nr_lone)
		say(to,
		    "The kernel's stack is not known of all samples: of these the function alone"
		    " is. samples=%" PRIu64,
		    t->nr_lone);
	if (t->differ)
		say(to, "The frequency was changed meanwhile: not all samples stand for the same"
			" time.");
	if (t->lost && !t->of_waits)
		say(to,
		    "Events were lost, samples perhaps, too: shares are those of what is left.");
}

/* Why frames have no names though their files have some. */
static void say_of_unread(const struct saying *to, const struct stack_counts *c)
{
	static const char *const why[NR_UNREAD] = {
		[UNREAD_AS_LATE] = "The recorder had no time to read which functions some files"
				   " have: a longer recording may have them.",
		[UNREAD_AS_GONE] = "Programs ended before it could be read which functions their"
				   " files have.",
		[UNREAD_AS_LARGE] = "Some files have more functions than are kept.",
		[UNREAD_AS_BAD] = "Of some files it could not be read which functions they have.",
	};
	size_t i;

	for (i = 0; i < NR_UNREAD; i++) {
		char *safe = c->unread[i].nr ? text_escape(c->unread[i].path) : NULL;

		if (safe && why[i])
			say(to, "%s user_frames=%" PRIu64 " file=%s", why[i], c->unread[i].nr,
			    text_fit(safe, FILE_WIDTH));
		free(safe);
	}
	if (c->nr_made)
		say(to,
		    "Functions that programs make while they run have names where these tell of"
		    " them (perf-PID.map). user_frames_without=%" PRIu64,
		    c->nr_made);
}

static void say_of_counts(const struct saying *to, const struct stack_told *t)
{
	const struct stack_counts *c = &t->counts;
	const char *unit = t->of_waits ? "ns" : "samples";

	if (c->nr_stackless)
		say(to, "Of some waits no stack was recorded: they %s, or it was lost. ns=%" PRIu64,
		    t->of_wakers ? "did not end, or began before the trace"
				 : "began before the trace",
		    c->nr_stackless);
	if (c->nr_user)
		say(to,
		    "Functions of programs have names where their files tell them, and these could"
		    " be read. user_frames=%" PRIu64 " with_name=%" PRIu64,
		    c->nr_user, c->nr_user_named);
	say_of_unread(to, c);
	if (c->nr_nameless)
		say(to,
		    "Functions of the kernel have no names where there is no list of this boot's"
		    " beside the trace (kallsyms, of record --stacks), or the list has them not."
		    " %s_of_kernel=%" PRIu64 " without_all_names=%" PRIu64,
		    unit, c->nr_kernel, c->nr_nameless);
	if (c->nr_unplaced)
		say(to, "Of some tasks it is not known in which container they were. %s=%" PRIu64,
		    unit, c->nr_unplaced);
}

void stack_told_say(const struct stack_told *t, void (*say_it)(void *ctx, const char *sentence),
		    void *ctx)
{
	const struct saying to = {say_it, ctx};

	say_of_programs(&to, t);
	say_of_samples(&to, t);
	say_of_counts(&to, t);
}
