/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/util.h"
#include "stack-told.h"
#include "stack-profile.h"
#include "stack-frames.h"
#include "kernel-symbols.h"
#include "stack-text.h"

struct stack_texts {
	const struct host *host;
	struct profile *profile;
	struct kernel_symbols symbols;
	struct stack_counts counts;
	struct texts texts;
	struct stack_names names;
	struct stack_line line;
};

struct stack_texts *stack_texts_new(struct host *h,
				    void (*on_sample)(void *ctx, const struct profile_stack *s,
						      const struct event *ev),
				    void *ctx)
{
	struct stack_texts *t = xcalloc(1, sizeof(*t));

	t->host = h;
	t->profile = stack_profile_new(h);
	t->profile->on_sample = on_sample;
	t->profile->sample_ctx = ctx;
	t->symbols = kernel_symbols_of(h->trace);
	t->names.texts = &t->texts;
	t->line.names = &t->names;
	return t;
}

void stack_texts_sample(struct stack_texts *t, const struct event *ev)
{
	profile_sample(t->profile, ev);
}

char *stack_text(struct stack_texts *t, const struct profile_stack *s)
{
	static const struct stack_options plain = {.functions_alone = true};
	struct profile_stack one = *s;
	bool named = stack_frames(&t->line, t->host, &t->symbols, s, &plain);
	char *text = NULL;
	size_t size, i;
	FILE *out = text_stream(&text, &size);

	one.count = 1;
	stack_told_stack(&t->counts, &one, named);
	for (i = 0; i < t->line.nr; i++) {
		fputs(i ? ";" : "", out);
		stack_put_folded(out, t->texts.list[t->line.frames[i]]);
	}
	fclose(out);
	return text;
}

static void add(struct stack_told *told, const struct stack_texts *t)
{
	stack_told_host(told, t->host, t->profile);
	stack_told_add(&told->counts, &t->counts);
}

void stack_texts_say(struct stack_texts *const *texts, size_t nr,
		     void (*say)(void *ctx, const char *sentence), void *ctx)
{
	struct stack_told told = {0};
	size_t i;

	for (i = 0; i < nr; i++)
		add(&told, texts[i]);
	told.lost = false;
	told.counts.nr_unplaced = 0;
	stack_told_say(&told, say, ctx);
}

void stack_texts_free(struct stack_texts *t)
{
	if (!t)
		return;
	stack_profile_free(t->profile);
	kernel_symbols_free(&t->symbols);
	stack_names_free(&t->names);
	texts_free(&t->texts);
	free(t->line.frames);
	free(t);
}
