/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "user-event.h"

static int64_t context_of(const bt_field *context, const char *name)
{
	const bt_field *field =
		context ? bt_field_structure_borrow_member_field_by_name_const(context, name)
			: NULL;
	bt_field_class_type type;

	if (!field)
		return ABSENT;
	type = bt_field_get_class_type(field);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		return bt_field_integer_signed_get_value(field);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return (int64_t)bt_field_integer_unsigned_get_value(field);
	return ABSENT;
}

/* Of the channel, or of the event alone. */
static int64_t value_of(const bt_event *event, const char *name)
{
	int64_t v = context_of(bt_event_borrow_specific_context_field_const(event), name);

	return v != ABSENT ? v
			   : context_of(bt_event_borrow_common_context_field_const(event), name);
}

void decode_user_event(const bt_event *event, struct user_event *ev)
{
	const char *name = bt_event_class_get_name(bt_event_borrow_class_const(event));

	ev->name = name ? name : "";
	ev->vpid = value_of(event, "vpid");
	ev->vtid = value_of(event, "vtid");
	ev->pid_ns = value_of(event, "pid_ns");
}
