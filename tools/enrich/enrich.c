/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "enrich-int.h"
#include "base/util.h"

struct component {
	bt_self_component_filter *self;
	const struct enrich_hooks *hooks;
};

bt_component_class_initialize_method_status
enrich_init(bt_self_component_filter *self, bt_self_component_filter_configuration *config,
	    const bt_value *params, void *hooks)
{
	bt_self_component *component = bt_self_component_filter_as_self_component(self);
	struct component *data;

	(void)config;
	if (!bt_value_map_is_empty(params)) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			component, "filter.containers.enrich takes no parameters.");
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	if (bt_self_component_filter_add_input_port(self, "in", NULL, NULL) !=
		    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK ||
	    bt_self_component_filter_add_output_port(self, "out", NULL, NULL) !=
		    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	data = xcalloc(1, sizeof(*data));
	data->self = self;
	data->hooks = hooks;
	bt_self_component_set_data(component, data);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void enrich_finalize(bt_self_component_filter *self)
{
	free(bt_self_component_get_data(bt_self_component_filter_as_self_component(self)));
}

static void fail(const struct enrich_hooks *hooks)
{
	if (hooks && hooks->fail)
		hooks->fail(hooks->ctx);
}

bt_message_iterator_class_initialize_method_status
enrich_iterator_init(bt_self_message_iterator *self, bt_self_message_iterator_configuration *config,
		     bt_self_component_port_output *port)
{
	const struct component *component =
		bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));
	struct enricher *e = xcalloc(1, sizeof(*e));

	(void)port;
	e->self = self;
	e->hooks = component->hooks;
	/* Who reads its output decides. */
	e->messages.may_go_back = !e->hooks;
	if (bt_message_iterator_create_from_message_iterator(
		    self, bt_self_component_filter_borrow_input_port_by_name(component->self, "in"),
		    &e->upstream) != BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK) {
		fail(e->hooks);
		free(e);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_message_iterator_configuration_set_can_seek_forward(
		config, bt_message_iterator_can_seek_forward(e->upstream));
	enricher_begin(e);
	bt_self_message_iterator_set_data(self, e);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static const bt_message *take(struct enricher *e, const bt_message *msg)
{
	const bt_message *copy = messages_take(&e->messages, msg) ? NULL : enrich_message(e, msg);

	if (!copy)
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
			e->self, "%s",
			e->messages.back_in ? "the clock goes back"
					    : "A message of the trace cannot be copied.");
	return copy;
}

/*
 * The library hands over what was read before an error, and only then says that there is one; but
 * meanwhile it makes nothing new.
 */
static bool is_in_error(void)
{
	const bt_error *error = bt_current_thread_take_error();

	if (!error)
		return false;
	BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(error);
	return true;
}

bt_message_iterator_class_next_method_status enrich_next(bt_self_message_iterator *self,
							 bt_message_array_const messages,
							 uint64_t capacity, uint64_t *count)
{
	struct enricher *e = bt_self_message_iterator_get_data(self);
	bt_message_iterator_next_status status;
	bt_message_array_const from;
	uint64_t i, nr, done = 0;
	bool fine;

	/* Both arrays have the library's own size. */
	(void)capacity;
	status = bt_message_iterator_next(e->upstream, &from, &nr);
	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR ||
	    status == BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR)
		fail(e->hooks);
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_message_iterator_class_next_method_status)status;
	fine = !is_in_error();
	for (i = 0; i < nr; i++) {
		const bt_message *copy = fine && done == i ? take(e, from[i]) : NULL;

		if (copy)
			messages[done++] = copy;
		bt_message_put_ref(from[i]);
	}
	if (e->hooks && e->hooks->progress)
		e->hooks->progress(e->messages.teller.nr_events, e->messages.teller.ev.ns);
	*count = nr;
	if (done == nr)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
	while (done)
		bt_message_put_ref(messages[--done]);
	fail(e->hooks);
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
}

void enrich_iterator_finalize(bt_self_message_iterator *self)
{
	struct enricher *e = bt_self_message_iterator_get_data(self);

	if (!e)
		return;
	enricher_end(e);
	bt_message_iterator_put_ref(e->upstream);
	free(e);
}
