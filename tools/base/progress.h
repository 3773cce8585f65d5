/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_PROGRESS_H
#define LC_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A bar on the terminal that shows how far reading is, from the second second
 * on. Nothing is shown when standard error is not a terminal.
 */
bool progress_wanted(void);
/* The moments, in ns, between which the trace lies; 0, 0 if not known. */
void progress_start(uint64_t begin, uint64_t end);
/* Cheap: call it as often as you like. */
void progress_at(uint64_t nr_events, uint64_t ns);
/* Removes the bar. */
void progress_end(void);

#endif
