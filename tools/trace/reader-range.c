/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "reader-range.h"

static void extend(const bt_value *stream_info, uint64_t *begin, uint64_t *end)
{
	const bt_value *range, *from, *to;

	range = bt_value_map_borrow_entry_value_const(stream_info, "range-ns");
	if (!range)
		return;
	from = bt_value_map_borrow_entry_value_const(range, "begin");
	to = bt_value_map_borrow_entry_value_const(range, "end");
	if (!from || !to || !bt_value_is_signed_integer(from) || !bt_value_is_signed_integer(to))
		return;
	if (!*begin || (uint64_t)bt_value_integer_signed_get(from) < *begin)
		*begin = (uint64_t)bt_value_integer_signed_get(from);
	if ((uint64_t)bt_value_integer_signed_get(to) > *end)
		*end = (uint64_t)bt_value_integer_signed_get(to);
}

void reader_range(const bt_component_class_source *cls, const bt_value *params, uint64_t *begin,
		  uint64_t *end)
{
	bt_query_executor *query;
	const bt_value *infos = NULL;
	uint64_t t, s;

	query = bt_query_executor_create(bt_component_class_source_as_component_class_const(cls),
					 "babeltrace.trace-infos", params);
	if (!query)
		return;
	if (bt_query_executor_query(query, &infos) != BT_QUERY_EXECUTOR_QUERY_STATUS_OK)
		bt_current_thread_clear_error();
	for (t = 0; infos && t < bt_value_array_get_length(infos); t++) {
		const bt_value *streams = bt_value_map_borrow_entry_value_const(
			bt_value_array_borrow_element_by_index_const(infos, t), "stream-infos");

		for (s = 0; streams && s < bt_value_array_get_length(streams); s++)
			extend(bt_value_array_borrow_element_by_index_const(streams, s), begin,
			       end);
	}
	if (infos)
		bt_value_put_ref(infos);
	bt_query_executor_put_ref(query);
}
