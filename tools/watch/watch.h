/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WATCH_H
#define LC_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "condition.h"
#include "record/record.h"

struct watch_options {
	struct condition *conditions;
	size_t nr, cap;
	const char *dir;
	uint64_t keep, max_bytes; /* 0: no limit */
	uint64_t every_ns;	  /* from one snapshot to the next */
	bool check, help;
};

/* Watches until it is told to end. Returns an exit status. */
int watch_run(struct recording *r, const struct watch_options *o);

#endif
