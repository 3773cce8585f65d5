/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_COPY_FIELD_H
#define LC_COPY_FIELD_H

#include <babeltrace2/babeltrace.h>

/*
 * Copies a field's value; the class of @to is a copy of that of @from, and may
 * have more members at its end. Returns 0, or -1 without memory.
 */
int copy_field(const bt_field *from, bt_field *to);

#endif
