/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "base/text.h"
#include "base/util.h"
#include "fit.h"

static char *integer_text(const char *prefix, bool is_signed, unsigned int bits)
{
	return bits ? xasprintf("%s%s%u", prefix, is_signed ? "int" : "uint", bits)
		    : xasprintf("%sinteger", prefix);
}

static char *wanted_text(const struct field_desc *f)
{
	if (f->type == TYPE_TEXT)
		return xstrdup("text");
	return integer_text(type_is_sequence(f->type) ? "sequence-of-" : "", f->is_signed, f->bits);
}

static char *saw_text(const struct fit *saw)
{
	switch (saw->type) {
	case FIT_INTEGER:
		return integer_text("", saw->is_signed, saw->bits);
	case FIT_INTEGERS:
		return integer_text("sequence-of-", saw->is_signed, saw->bits);
	case FIT_ARRAY:
		return xstrdup("sequence");
	case FIT_TEXT:
		return xstrdup("text");
	default:
		return xstrdup("another-type");
	}
}

bool fit_usable(const struct field_desc *f, const struct fit *saw)
{
	switch (f->type) {
	case TYPE_INT:
	case TYPE_CONTEXT:
		return saw->type == FIT_INTEGER;
	case TYPE_TEXT:
		return saw->type == FIT_TEXT;
	case TYPE_SEQ:
	case TYPE_STACK:
		return saw->type == FIT_INTEGERS;
	case TYPE_VARIANT:
		break;
	}
	return false;
}

static bool is_right(const struct field_desc *f, const struct fit *saw)
{
	return saw && fit_usable(f, saw) &&
	       (!f->bits || (saw->is_signed == f->is_signed && saw->bits == f->bits));
}

void fit_check(struct trace_info *t, enum event_kind kind, const struct field_desc *f,
	       const struct fit *saw)
{
	if (!(f->needed & (1u << t->shape)))
		return;
	if (is_right(f, saw)) {
		t->nr_good_fields++;
		return;
	}
	t->problems = grow(t->problems, t->nr_problems, &t->cap_problems, sizeof(*t->problems));
	t->problems[t->nr_problems++] = (struct field_problem){
		.kind = kind,
		.field = f->name,
		.wanted = wanted_text(f),
		.saw = saw ? saw_text(saw) : xstrdup("nothing"),
	};
}

/* Each hint alone is enough: one that is missing is an error to report, not another shape. */
void fit_shape(struct trace_info *t, enum event_kind kind,
	       bool (*has)(const void *event, const char *name), const void *event)
{
	const bool *offers = t->offers;

	if (t->shape == SHAPE_NONE && offers[EV_DUMP_PROCESS])
		t->shape = SHAPE_2_12;
	if (offers[EV_DUMP_NAMESPACE] || offers[EV_DUMP_CGROUP] || offers[EV_DUMP_PROCESS_CGROUP] ||
	    (kind == EV_FORK && (has(event, "ns_inums") || has(event, "child_cgroup_id"))))
		t->shape = SHAPE_OURS;
	if (t->shape != SHAPE_OURS && kind == EV_DUMP_PROCESS && has(event, "vtid"))
		t->shape = SHAPE_2_7;
}
