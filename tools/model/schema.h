/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SCHEMA_H
#define LC_SCHEMA_H

#include "event.h"

/* The events and fields that the program uses, and where each goes in struct event. */

/*
 * TYPE_CONTEXT: an integer of the event's context. TYPE_STACK: a long sequence. TYPE_VARIANT: what
 * the name of the event's class says, where a kind has many.
 */
enum field_type { TYPE_INT, TYPE_TEXT, TYPE_SEQ, TYPE_CONTEXT, TYPE_STACK, TYPE_VARIANT };

/* Whether a field is looked for in the context, or in the payload; a stack is in either. */
static inline bool type_is_in(enum field_type type, bool in_context)
{
	return type == TYPE_STACK || (type == TYPE_CONTEXT) == in_context;
}

static inline bool type_is_sequence(enum field_type type)
{
	return type == TYPE_SEQ || type == TYPE_STACK;
}

/* How many elements of a sequence are kept: struct seq and struct stack differ in nothing else. */
static inline size_t type_room(enum field_type type)
{
	return type == TYPE_STACK ? STACK_MAX : SEQ_MAX;
}

/* In which shapes of a trace a field, or an event, must be there. */
#define IN_OURS	 (1u << SHAPE_OURS)
#define IN_2_12	 (1u << SHAPE_2_12)
#define IN_2_7	 (1u << SHAPE_2_7)
#define IN_ALL	 (IN_OURS | IN_2_12 | IN_2_7)
#define OPTIONAL 0u

struct field_desc {
	const char *name;
	enum field_type type;
	unsigned int bits; /* of an integer, or of a sequence's elements; 0: any */
	bool is_signed;
	unsigned int needed; /* IN_* */
	size_t offset;	     /* in struct event */
	/*
	 * Bits of an integer that are taken, whatever type the trace has it in: a value
	 * that needs more, as no kernel has, is absent.
	 */
	unsigned int holds;
};

struct event_desc {
	const char *name;
	unsigned int needed; /* IN_* */
	const struct field_desc *fields;
	size_t nr_fields;
};

extern const struct event_desc event_descs[EV_NR];
extern const char *const shape_names[SHAPE_NR];
/* What a trace of this shape cannot tell; NULL if nothing. */
extern const char *const shape_unknowns[SHAPE_NR];

/* EV_NR if the program does not use events of that name. */
enum event_kind event_kind_by_name(const char *name);
/* Which one of its kind it is (TYPE_VARIANT); NULL where a kind has only one. Free it. */
char *event_variant(const char *name);

/* What of an integer's value is taken: all of it, or ABSENT. */
static inline int64_t field_value(const struct field_desc *f, int64_t value)
{
	/* One without a sign may have been recorded as one with it. */
	int64_t max = f->is_signed ? INT32_MAX : UINT32_MAX;

	return f->holds == 64 || (value >= INT32_MIN && value <= max) ? value : ABSENT;
}

/* Sets all fields of the event's kind to absent. */
void event_clear(struct event *ev, enum event_kind kind);

#endif
