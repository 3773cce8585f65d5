/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WATCH_H
#define LC_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"
#include "settings.h"

struct watch_options {
	struct settings settings;
	const char *dir;
	const char *config; /* a file that has the settings, read again at SIGHUP; NULL: none */
	bool given;	    /* settings, by options */
	bool check, help;
};

/* Watches until it is told to end. Returns an exit status. */
int watch_run(struct recording *r, struct watch_options *o);

#endif
