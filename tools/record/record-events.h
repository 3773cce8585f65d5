/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_EVENTS_H
#define LC_RECORD_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

struct lttng_event;

bool event_is_offered(const struct lttng_event *offered, size_t nr, const char *name);
/*
 * Whether reports need an event of this name. Of what several events of the state dump tell,
 * only one is needed; which, depends on what the kernel offers. @why: those of `why`, too.
 */
bool event_is_wanted(const struct lttng_event *offered, size_t nr, const char *name, bool why);
/* Notes the wanted ones that are not among those that the kernel offers. */
void events_tell_missing(const struct lttng_event *offered, size_t nr, bool why);

#endif
