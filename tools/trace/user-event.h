/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_USER_EVENT_H
#define LC_USER_EVENT_H

#include <babeltrace2/babeltrace.h>

#include "model/event.h"

/*
 * Fills in the name and the contexts of an event of LTTng-UST; those that the
 * trace does not have are ABSENT. The name stays valid as long as the event.
 */
void decode_user_event(const bt_event *event, struct user_event *ev);

#endif
