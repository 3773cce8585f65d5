/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_ENRICH_INT_H
#define LC_ENRICH_INT_H

#include "copy-trace.h"
#include "enrich.h"
#include "trace/messages.h"
#include "trace/load.h"
#include "event-task.h"

/* Shared by the parts of the filter. */

/* The state of one message iterator. */
struct enricher {
	bt_self_message_iterator *self;
	bt_message_iterator *upstream;
	const struct enrich_hooks *hooks; /* or NULL */
	struct copies copies;
	struct messages messages;
	struct reader_callbacks cb, load_cb;
	struct load_options opt;
	struct loaded loaded;
	struct event_task user; /* who caused the last event of user space */
	struct hash traces;	/* original -> struct trace_info, where there are no hooks */
	struct trace_info **infos;
	size_t nr_infos, cap_infos;
};

/* Starts with e->self and e->hooks. */
void enricher_begin(struct enricher *e);
void enricher_end(struct enricher *e);

/* The members that are added to a context. */
int enrich_extend(bt_trace_class *tc, bt_field_class *context);
/* Fills those of @to, whose class has @nr_members that are not added. Returns 0 or -1. */
int enrich_fill(const struct event_task *who, bt_field *to, uint64_t nr_members);
/* Who causes the event that was just fed. */
struct event_task enrich_who(struct enricher *e);

/* The message's copy, a new reference; NULL on failure. Feed it first. */
const bt_message *enrich_message(struct enricher *e, const bt_message *msg);

#endif
