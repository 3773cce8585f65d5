/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_ENRICH_GRAPH_H
#define LC_ENRICH_GRAPH_H

#include <stddef.h>

/*
 * Writes the copy into an empty directory. Call it in a process of its own: returns 0, or -1
 * after it printed why not, or ends the process with status 2 after that.
 */
int enrich_graph(const char *dir, char *const *traces, size_t nr_traces);

#endif
