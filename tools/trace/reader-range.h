/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_READER_RANGE_H
#define LC_READER_RANGE_H

#include <babeltrace2/babeltrace.h>

/*
 * Extends [*begin, *end] (ns since the epoch, 0 if not known yet) by the range
 * of one trace, without reading it. Leaves them alone if that cannot be told.
 */
void reader_range(const bt_component_class_source *cls, const bt_value *params, uint64_t *begin,
		  uint64_t *end);

#endif
