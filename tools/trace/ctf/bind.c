/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "trace/tell.h"
#include "bind.h"
#include "plan.h"

static bool is_integer(const struct ctf_class *c)
{
	return c->type == CTF_INTEGER && !c->is_bool;
}

static bool is_array(const struct ctf_class *c)
{
	return !ctf_is_text(c) && (c->type == CTF_ARRAY || c->type == CTF_SEQUENCE);
}

static char *integer_text(const char *prefix, bool is_signed, unsigned int bits)
{
	return bits ? xasprintf("%s%s%u", prefix, is_signed ? "int" : "uint", bits)
		    : xasprintf("%sinteger", prefix);
}

static char *wanted_text(const struct field_desc *f)
{
	if (f->type == TYPE_TEXT)
		return xstrdup("text");
	return integer_text(f->type == TYPE_SEQ ? "sequence-of-" : "", f->is_signed, f->bits);
}

static char *saw_text(const struct ctf_class *c)
{
	if (is_integer(c))
		return integer_text("", c->is_signed, c->size);
	if (is_array(c) && is_integer(c->element))
		return integer_text("sequence-of-", c->element->is_signed, c->element->size);
	return xstrdup(is_array(c) ? "sequence" : ctf_is_text(c) ? "text" : "another-type");
}

/* Whether the field can be read at all, though perhaps not of the right width. */
static bool is_usable(const struct field_desc *f, const struct ctf_class *c)
{
	switch (f->type) {
	case TYPE_INT:
	case TYPE_CONTEXT:
		return is_integer(c);
	case TYPE_TEXT:
		return ctf_is_text(c);
	case TYPE_SEQ:
		return is_array(c) && is_integer(c->element) && !c->element->clock;
	case TYPE_VARIANT:
		break;
	}
	return false;
}

static bool is_right(const struct field_desc *f, const struct ctf_class *c)
{
	if (!is_usable(f, c))
		return false;
	if (f->type == TYPE_SEQ)
		c = c->element;
	return !f->bits || (c->is_signed == f->is_signed && c->size == f->bits);
}

static void check_fields(struct trace_info *info, enum event_kind kind,
			 const struct ctf_event_class *ec)
{
	const struct event_desc *desc = &event_descs[kind];
	size_t i;

	for (i = 0; i < desc->nr_fields; i++) {
		const struct field_desc *f = &desc->fields[i];
		const struct ctf_class *c = ctf_member_of(ec->payload, f->name);

		if (!(f->needed & (1u << info->shape)))
			continue;
		if (c && is_right(f, c)) {
			info->nr_good_fields++;
			continue;
		}
		info->problems = grow(info->problems, info->nr_problems, &info->cap_problems,
				      sizeof(*info->problems));
		info->problems[info->nr_problems++] = (struct field_problem){
			.kind = kind,
			.field = f->name,
			.wanted = wanted_text(f),
			.saw = c ? saw_text(c) : xstrdup("nothing"),
		};
	}
}

/* Calls for each event that the program knows. */
static void for_each_known(struct trace_info *info, const struct ctf_trace *t,
			   void (*call)(struct trace_info *info, enum event_kind kind,
					const struct ctf_event_class *ec))
{
	const struct ctf_stream_class *sc;
	const struct ctf_event_class *ec;

	for (sc = t->streams; sc; sc = sc->next)
		for (ec = sc->events; ec; ec = ec->next) {
			enum event_kind kind = ec->name ? event_kind_by_name(ec->name) : EV_NR;

			if (kind != EV_NR)
				call(info, kind, ec);
		}
}

static void note_event(struct trace_info *info, enum event_kind kind,
		       const struct ctf_event_class *ec)
{
	(void)ec;
	info->offers[kind] = true;
}

/* Each hint alone is enough: one that is missing is an error to report, not another shape. */
static void note_shape(struct trace_info *info, enum event_kind kind,
		       const struct ctf_event_class *ec)
{
	const bool *offers = info->offers;

	if (info->shape == SHAPE_NONE && offers[EV_DUMP_PROCESS])
		info->shape = SHAPE_2_12;
	if (offers[EV_DUMP_NAMESPACE] || offers[EV_DUMP_CGROUP] || offers[EV_DUMP_PROCESS_CGROUP] ||
	    (kind == EV_FORK && (ctf_member_of(ec->payload, "ns_inums") ||
				 ctf_member_of(ec->payload, "child_cgroup_id"))))
		info->shape = SHAPE_OURS;
	if (info->shape != SHAPE_OURS && kind == EV_DUMP_PROCESS &&
	    ctf_member_of(ec->payload, "vtid"))
		info->shape = SHAPE_2_7;
}

static const char *environment_text(const struct ctf_trace *t, const char *name)
{
	const struct ctf_environment *e = ctf_environment_of(t, name);

	return e && e->text ? e->text : "";
}

void ctf_describe(struct trace_info *info, const struct ctf_trace *t)
{
	const char *name = environment_text(t, "trace_name");
	const char *created = environment_text(t, "trace_creation_datetime");

	info->seen = true;
	info->hostname = xstrdup(environment_text(t, "hostname"));
	info->domain = xstrdup(environment_text(t, "domain"));
	info->session = xasprintf("%s%s%s", name, *name && *created ? " " : "", created);
	for_each_known(info, t, note_event);
	for_each_known(info, t, note_shape);
	for_each_known(info, t, check_fields);
	info->has_clock = true;
	tell_kind(info);
}

struct binding {
	struct ctf_trace *trace;
	enum event_kind kind; /* EV_NR: of user space */
};

static const struct ctf_want *new_want(struct binding *b, enum field_type type, size_t offset,
				       const struct field_desc *desc)
{
	struct ctf_want *w = ctf_alloc(b->trace, sizeof(*w));

	*w = (struct ctf_want){type, offset, desc};
	return w;
}

static const struct ctf_want *choose(void *data, enum ctf_place place, const char *name,
				     const struct ctf_class *c)
{
	struct binding *b = data;
	const struct event_desc *desc = &event_descs[b->kind];
	size_t i;

	for (i = 0; i < desc->nr_fields; i++) {
		const struct field_desc *f = &desc->fields[i];

		if (!strcmp(f->name, name) &&
		    (f->type == TYPE_CONTEXT) == (place != CTF_IN_PAYLOAD) && is_usable(f, c))
			return new_want(b, f->type, f->offset, f);
	}
	return NULL;
}

static const struct ctf_want *choose_user(void *data, enum ctf_place place, const char *name,
					  const struct ctf_class *c)
{
	static const struct {
		const char *name;
		size_t offset;
	} fields[] = {
		{"vpid", offsetof(struct user_event, vpid)},
		{"vtid", offsetof(struct user_event, vtid)},
		{"pid_ns", offsetof(struct user_event, pid_ns)},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (place != CTF_IN_PAYLOAD && is_integer(c) && !strcmp(fields[i].name, name))
			return new_want(data, TYPE_INT, fields[i].offset, NULL);
	return NULL;
}

static int bind_event(struct ctf_trace *t, struct ctf_stream_class *sc, struct ctf_event_class *ec,
		      uint64_t wants)
{
	struct binding b = {t, ec->name ? event_kind_by_name(ec->name) : EV_NR};

	sc->may_switch |= ec->name && !strcmp(ec->name, event_descs[EV_SWITCH].name);
	if (b.kind != EV_NR && b.kind >= EV_FIRST_ON_DEMAND && !(wants & 1ull << b.kind))
		b.kind = EV_NR;
	ec->kind = b.kind;
	if (b.kind != EV_NR) {
		char *variant = event_variant(ec->name);

		ec->variant = variant ? ctf_text(t, variant, strlen(variant)) : NULL;
		free(variant);
	}
	return ctf_plan_event(t, sc, ec, b.kind != EV_NR ? choose : NULL, &b);
}

int ctf_bind(struct ctf_trace *t, bool is_kernel, const struct reader_callbacks *cb)
{
	struct binding user = {t, EV_NR};
	struct ctf_stream_class *sc;
	struct ctf_event_class *ec;

	for (sc = t->streams; sc; sc = sc->next)
		for (ec = sc->events; ec; ec = ec->next)
			if (is_kernel ? bind_event(t, sc, ec, cb->wants)
				      : ctf_plan_event(t, sc, ec, choose_user, &user))
				return -1;
	return 0;
}
