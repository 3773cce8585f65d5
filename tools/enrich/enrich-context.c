/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "enrich-int.h"
#include "base/util.h"

enum { CONTAINER, CONTAINER_ID, PID_NS, VTID, VPID, NR };

static const char *const names[NR] = {
	[CONTAINER] = "container", [CONTAINER_ID] = "container_id",
	[PID_NS] = "pid_ns",	   [VTID] = "vtid",
	[VPID] = "vpid",
};

static bt_field_class *new_class(bt_trace_class *tc, int i)
{
	bt_field_class *fc;

	switch (i) {
	case CONTAINER:
	case CONTAINER_ID:
		return bt_field_class_string_create(tc);
	case PID_NS:
		fc = bt_field_class_integer_unsigned_create(tc);
		break;
	default:
		fc = bt_field_class_integer_signed_create(tc);
	}
	if (fc)
		bt_field_class_integer_set_field_value_range(fc, 32);
	return fc;
}

/* A context that was recorded stays as it is: LTTng has some of the same names and meaning. */
int enrich_extend(bt_trace_class *tc, bt_field_class *context)
{
	int i, ret = 0;

	for (i = 0; i < NR && !ret; i++) {
		bt_field_class *fc;

		if (bt_field_class_structure_borrow_member_by_name_const(context, names[i]))
			continue;
		fc = new_class(tc, i);
		ret = fc ? bt_field_class_structure_append_member(context, names[i], fc) : -1;
		bt_field_class_put_ref(fc);
	}
	return ret ? -1 : 0;
}

static int fill(const struct event_task *who, bt_field *to, int i)
{
	switch (i) {
	case CONTAINER:
		return bt_field_string_set_value(to, who->container);
	case CONTAINER_ID:
		return bt_field_string_set_value(to, who->id);
	case PID_NS:
		bt_field_integer_unsigned_set_value(to, who->pid_ns);
		return 0;
	case VTID:
		bt_field_integer_signed_set_value(to, who->vtid);
		return 0;
	default:
		bt_field_integer_signed_set_value(to, who->vpid);
		return 0;
	}
}

int enrich_fill(const struct event_task *who, bt_field *to, uint64_t nr_members)
{
	const bt_field_class *fc = bt_field_borrow_class_const(to);
	uint64_t at, nr = bt_field_class_structure_get_member_count(fc);
	int i = 0;

	/* The added ones are in the order of the names, some may be missing. */
	for (at = nr_members; at < nr; at++, i++) {
		const char *name = bt_field_class_structure_member_get_name(
			bt_field_class_structure_borrow_member_by_index_const(fc, at));

		while (nr - nr_members < NR && i < NR && strcmp(names[i], name))
			i++;
		if (fill(who, bt_field_structure_borrow_member_field_by_index(to, at), i))
			return -1;
	}
	return 0;
}

static struct event_tasks *event_tasks_of(struct host *h)
{
	if (!h->user)
		h->user = event_tasks_new(h->model);
	return h->user;
}

struct event_task enrich_who(struct enricher *e)
{
	const struct messages *f = &e->messages;
	const struct trace_info *t = f->last->told.trace;
	struct host *h = t->user;

	if (!t->is_kernel || !h)
		return e->user;
	return event_task_running(event_tasks_of(h), f->last->told.cpu, f->teller.ev.ns,
				  f->is_decoded ? &f->teller.ev : NULL);
}

/* User space tells who it is, if it was asked to; on which CPU it runs it tells too late. */
static int on_user_event(void *ctx, struct host *h, const struct user_event *ev)
{
	struct enricher *e = ctx;

	if (user_event_has_thread(ev))
		e->user = event_task_find(event_tasks_of(h), (uint32_t)ev->pid_ns, ev->vtid);
	return 0;
}

static int pass_user_event(void *ctx, struct trace_info *t, const struct user_event *ev)
{
	struct enricher *e = ctx;

	e->user = event_task_none;
	return e->load_cb.on_user_event(e->load_cb.ctx, t, ev);
}

static int on_trace(void *ctx, struct trace_info *t)
{
	struct enricher *e = ctx;

	return e->load_cb.on_trace(e->load_cb.ctx, t);
}

static int on_event(void *ctx, struct trace_info *t, const struct event *ev)
{
	struct enricher *e = ctx;

	return e->load_cb.on_event(e->load_cb.ctx, t, ev);
}

static int on_loss(void *ctx, struct trace_info *t, const struct loss *loss)
{
	struct enricher *e = ctx;

	event_tasks_lost(event_tasks_of(t->user), loss);
	return e->load_cb.on_loss(e->load_cb.ctx, t, loss);
}

static struct trace_info *info_of(void *ctx, const bt_trace *trace)
{
	struct enricher *e = ctx;
	struct trace_info *t = hash_get(&e->traces, (uintptr_t)trace);
	const char *name = bt_trace_get_name(trace);

	if (t)
		return t;
	t = xcalloc(1, sizeof(*t));
	t->path = xstrdup(name ? name : "trace");
	e->infos = grow(e->infos, e->nr_infos, &e->cap_infos, sizeof(struct trace_info *));
	e->infos[e->nr_infos++] = t;
	hash_put(&e->traces, (uintptr_t)trace, t);
	return t;
}

void enricher_begin(struct enricher *e)
{
	e->opt.on_user_event = on_user_event;
	e->opt.ctx = e;
	e->user = event_task_none;
	e->load_cb = load_begin(&e->loaded, &e->opt);
	e->cb = (struct reader_callbacks){
		.on_trace = on_trace,
		.on_event = on_event,
		.on_loss = on_loss,
		.on_user_event = pass_user_event,
		.ctx = e,
	};
	e->messages.teller.cb = &e->cb;
	e->messages.trace_of = e->hooks ? e->hooks->trace_of : info_of;
	e->messages.ctx = e->hooks ? e->hooks->ctx : e;
	e->copies.is_unnamed = e->hooks != NULL;
	e->copies.extend = enrich_extend;
	e->copies.self = bt_self_message_iterator_borrow_component(e->self);
}

void enricher_end(struct enricher *e)
{
	size_t i;

	for (i = 0; i < e->loaded.nr_hosts; i++)
		event_tasks_free(e->loaded.hosts[i]->user);
	loaded_free(&e->loaded);
	messages_free(&e->messages);
	copies_free(&e->copies);
	for (i = 0; i < e->nr_infos; i++) {
		trace_info_free(e->infos[i]);
		free(e->infos[i]);
	}
	free(e->infos);
	hash_free(&e->traces);
}
