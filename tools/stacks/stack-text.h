/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_STACK_TEXT_H
#define LC_STACK_TEXT_H

#include "analysis/profile.h"

/*
 * The samples of a host, one by one, each with its stack as a text: the functions as `flame` calls
 * them, with what `record --stacks` kept beside the trace.
 */
struct stack_texts;

struct stack_texts *stack_texts_new(struct host *h,
				    void (*on_sample)(void *ctx, const struct profile_stack *s,
						      const struct event *ev),
				    void *ctx);
/* After the model took it. */
void stack_texts_sample(struct stack_texts *t, const struct event *ev);
/* "main;read;vfs_read_[k]", escaped; "" without any function. The caller frees it. */
char *stack_text(struct stack_texts *t, const struct profile_stack *s);
/*
 * What flame says of all their samples, a sentence for each thing; but neither that events were
 * lost nor of places, not all of which were known then.
 */
void stack_texts_say(struct stack_texts *const *texts, size_t nr,
		     void (*say)(void *ctx, const char *sentence), void *ctx);
void stack_texts_free(struct stack_texts *t);

#endif
