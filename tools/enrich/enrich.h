/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_ENRICH_H
#define LC_ENRICH_H

#include <babeltrace2/babeltrace.h>

#include "trace/reader.h"

/*
 * A filter component of libbabeltrace2: its output is its input, and the
 * common context of every event says container, container_id, pid_ns, vtid and
 * vpid of the task that caused it. One input port "in", one output port "out".
 */

#define ENRICH_DESCRIPTION                                                                         \
	"Adds container, PID namespace, vtid and vpid to every event of LTTng traces"
#define ENRICH_HELP                                                                                \
	"Reads messages in order of time at its port \"in\", and passes them on at \"out\".\n"     \
	"Takes no parameters. The common context of each event gets the members that it does\n"    \
	"not have yet: container (name or short id), container_id, pid_ns (inode), vtid and vpid."

/* Initialization data of the component, or NULL as in babeltrace2: how a program takes part. */
struct enrich_hooks {
	/* Where to note what is learnt of a trace; the caller's. Copies of traces are unnamed. */
	struct trace_info *(*trace_of)(void *ctx, const bt_trace *trace);
	void (*progress)(uint64_t nr_events, uint64_t ns);
	/* What comes cannot be read, or not copied: if all ends now, who writes is not to blame. */
	void (*fail)(void *ctx);
	void *ctx;
};

bt_component_class_initialize_method_status
enrich_init(bt_self_component_filter *self, bt_self_component_filter_configuration *config,
	    const bt_value *params, void *hooks);
void enrich_finalize(bt_self_component_filter *self);
bt_message_iterator_class_initialize_method_status
enrich_iterator_init(bt_self_message_iterator *self, bt_self_message_iterator_configuration *config,
		     bt_self_component_port_output *port);
bt_message_iterator_class_next_method_status enrich_next(bt_self_message_iterator *self,
							 bt_message_array_const messages,
							 uint64_t capacity, uint64_t *count);
void enrich_iterator_finalize(bt_self_message_iterator *self);

#endif
