/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_COMPARE_SIDE_H
#define LC_COMPARE_SIDE_H

#include "analysis/selection.h"
#include "analysis/why.h"
#include "trace/load.h"
#include "trace/window.h"

/* One of two recordings, or parts of one, that are compared. */
struct side {
	char *trace;
	struct window part;
	size_t nr_windows;
	uint64_t from, to; /* what part says; ns since the epoch */
	struct loaded loaded;
	struct host *host; /* the one; its user is its struct why */
	struct selection selection;
	bool is_selected;  /* selection says which containers are meant; else all */
	bool has_selected; /* there is one of those */
};

/*
 * Reads it, twice: where it ends must be known to cut it into windows. @container: which one is
 * meant, as of --container, or NULL. Returns 0, or -1 after an error was printed. Free with
 * side_free() in either case.
 */
int side_read(struct side *s, const char *container);
void side_free(struct side *s);

#endif
