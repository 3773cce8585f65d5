/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_PATH_H
#define LC_PATH_H

#include "trace/window.h"
#include "analysis/why.h"

/*
 * The critical path of a thread in a window: whom it waited for in the end, moment by moment (see
 * why.h). The traces are read twice: whose path it is may depend on what all did.
 */

/* Of the threads that are meant, the path is that of the one that slept least. */
struct path_wanted {
	const char *container; /* as selection.h has it; NULL: any */
	int tid;	       /* 0: any */
	struct window window;
	char **traces;
	size_t nr_traces;
};

struct path {
	struct loaded loaded;
	struct host *host; /* of loaded; its user is the struct why that the steps are of */
	struct task *task; /* whose path it is */
	struct path_step *steps;
	size_t nr;
	uint64_t ns; /* of all steps */
};

/* Returns 0, or -1 after an error was printed. In both cases path_free() is due. */
int path_find(struct path *p, const struct path_wanted *wanted);
void path_free(struct path *p);

#endif
