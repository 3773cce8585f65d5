/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SETTINGS_H
#define LC_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "condition.h"

/* What to watch for and what to keep: given by options, or by a file that can be read again. */
struct settings {
	struct condition *conditions;
	size_t nr, cap;
	uint64_t keep, max_bytes; /* 0: no limit */
	uint64_t every_ns;	  /* from one snapshot to the next */
};

/* As if nothing had been given. */
void settings_begin(struct settings *s);
/* Takes an option's value: when, keep, max-size or every. Returns 0, or -1 after it printed why. */
int settings_take(struct settings *s, const char *name, const char *value);
/*
 * Reads a file that has an option without its hyphens and its value on each line, as
 * "when delay > 20ms in web"; a line that begins with # is a comment. Only root and this user may
 * be able to change it. Returns 0, or -1 after it printed which line is wrong, and why; @s is as it
 * was then.
 */
int settings_read(struct settings *s, const char *path);
void settings_free(struct settings *s);

#endif
