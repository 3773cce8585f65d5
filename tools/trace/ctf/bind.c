/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "trace/fit.h"
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

/* A sequence of times cannot be read: see plan.c. */
static struct fit fit_of(const struct ctf_class *c)
{
	if (is_integer(c))
		return (struct fit){FIT_INTEGER, c->is_signed, c->size};
	if (ctf_is_text(c))
		return (struct fit){.type = FIT_TEXT};
	if (!is_array(c))
		return (struct fit){.type = FIT_OTHER};
	if (!is_integer(c->element) || c->element->clock)
		return (struct fit){.type = FIT_ARRAY};
	return (struct fit){FIT_INTEGERS, c->element->is_signed, c->element->size};
}

static void check_fields(struct trace_info *info, enum event_kind kind,
			 const struct ctf_event_class *ec)
{
	const struct event_desc *desc = &event_descs[kind];
	size_t i;

	for (i = 0; i < desc->nr_fields; i++) {
		const struct ctf_class *c = ctf_member_of(ec->payload, desc->fields[i].name);
		struct fit saw = c ? fit_of(c) : (struct fit){0};

		fit_check(info, kind, &desc->fields[i], c ? &saw : NULL);
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

static bool has_field(const void *event, const char *name)
{
	return ctf_member_of(((const struct ctf_event_class *)event)->payload, name);
}

static void note_shape(struct trace_info *info, enum event_kind kind,
		       const struct ctf_event_class *ec)
{
	fit_shape(info, kind, has_field, ec);
}

static const char *environment_text(const struct ctf_trace *t, const char *name)
{
	const struct ctf_environment *e = ctf_environment_of(t, name);

	return e && e->text ? e->text : "";
}

void ctf_describe(struct trace_info *info, const struct ctf_trace *t)
{
	info->seen = true;
	tell_environment(info, environment_text(t, "hostname"), environment_text(t, "domain"),
			 environment_text(t, "trace_name"),
			 environment_text(t, "trace_creation_datetime"));
	for_each_known(info, t, note_event);
	for_each_known(info, t, note_shape);
	for_each_known(info, t, check_fields);
	info->has_clock = true;
	tell_kind(info);
}

struct binding {
	struct ctf_trace *trace;
	enum event_kind kind; /* EV_NR: of user space */
	uint64_t chosen;      /* a bit for each of the kind's fields */
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
	struct fit saw = fit_of(c);
	size_t i;

	for (i = 0; i < desc->nr_fields; i++) {
		const struct field_desc *f = &desc->fields[i];

		if (!strcmp(f->name, name) && type_is_in(f->type, place != CTF_IN_PAYLOAD) &&
		    fit_usable(f, &saw)) {
			b->chosen |= UINT64_C(1) << i;
			return new_want(b, f->type, f->offset, f);
		}
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

/* A variant is no field: tell.c sets it. */
static bool is_complete(const struct binding *b, const char *variant)
{
	const struct event_desc *desc = &event_descs[b->kind];
	size_t i;

	for (i = 0; i < desc->nr_fields; i++)
		if (desc->fields[i].type == TYPE_VARIANT ? !variant : !(b->chosen >> i & 1))
			return false;
	return true;
}

static int bind_event(struct ctf_trace *t, struct ctf_stream_class *sc, struct ctf_event_class *ec,
		      uint64_t wants)
{
	struct binding b = {t, ec->name ? event_kind_by_name(ec->name) : EV_NR, 0};

	sc->may_switch |= ec->name && !strcmp(ec->name, event_descs[EV_SWITCH].name);
	if (b.kind != EV_NR && b.kind >= EV_FIRST_ON_DEMAND && !(wants & 1ull << b.kind))
		b.kind = EV_NR;
	ec->kind = b.kind;
	if (b.kind != EV_NR) {
		char *variant = event_variant(ec->name);

		ec->variant = variant ? ctf_text(t, variant, strlen(variant)) : NULL;
		free(variant);
	}
	if (ctf_plan_event(t, sc, ec, b.kind != EV_NR ? choose : NULL, &b))
		return -1;
	ec->is_complete = b.kind != EV_NR && is_complete(&b, ec->variant);
	return 0;
}

int ctf_bind(struct ctf_trace *t, bool is_kernel, const struct reader_callbacks *cb)
{
	struct binding user = {t, EV_NR, 0};
	struct ctf_stream_class *sc;
	struct ctf_event_class *ec;

	for (sc = t->streams; sc; sc = sc->next)
		for (ec = sc->events; ec; ec = ec->next)
			if (is_kernel ? bind_event(t, sc, ec, cb->wants)
				      : ctf_plan_event(t, sc, ec, choose_user, &user))
				return -1;
	return 0;
}
