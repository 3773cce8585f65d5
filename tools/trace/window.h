/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WINDOW_H
#define LC_WINDOW_H

#include "load.h"

/* The part of a trace that --begin and --end choose. */
struct window {
	const char *begin, *end; /* as text (see time_parse()); NULL: the trace's */
};

/* Takes the value of an option, without the dashes. Returns 0, or -1 after an error was printed. */
int window_option(const char **to, const char *option, const char *value);
/*
 * The moments may be relative to the begin of the trace, which the first event
 * tells: call it then, or later. @to is UINT64_MAX where it is the trace's end.
 */
void window_fix(const struct window *w, const struct host *h, uint64_t *from, uint64_t *to);
/* After load(): -1 after an error was printed, if the window is empty in all of the hosts. */
int window_check(const struct window *w, const struct loaded *l);

#endif
