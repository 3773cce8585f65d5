/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_FIT_H
#define LC_FIT_H

#include "model/schema.h"
#include "reader.h"

/* Whether a trace's fields are what the program wants (schema.h), whoever reads their types. */

/* Of a field in the trace, or of its elements. */
struct fit {
	enum { FIT_OTHER, FIT_INTEGER, FIT_TEXT, FIT_INTEGERS, FIT_ARRAY } type;
	bool is_signed;
	unsigned int bits;
};

/* Whether the field can be read at all, though perhaps not of the right width. */
bool fit_usable(const struct field_desc *f, const struct fit *saw);
/*
 * Counts a needed field of such an event as good, or notes what is wrong with it; nothing, if it is
 * not needed. @saw: NULL, there is none.
 */
void fit_check(struct trace_info *t, enum event_kind kind, const struct field_desc *f,
	       const struct fit *saw);
/*
 * Notes what an event tells of the trace's shape, after all offers are known. @has: whether its
 * payload has a field of that name.
 */
void fit_shape(struct trace_info *t, enum event_kind kind,
	       bool (*has)(const void *event, const char *name), const void *event);

#endif
