/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
#ifndef LC_RECORD_EVENTS_H
#define LC_RECORD_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

struct lttng_event;

/*
 * Whether reports need an event. One that is not in this kernel is named in a
 * note, if it should be.
 */
bool event_is_wanted(const char *name);
/* Notes the wanted ones that are not among those that the kernel offers. */
void events_tell_missing(const struct lttng_event *offered, size_t nr);

#endif
