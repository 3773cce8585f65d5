/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_CHILD_LIBRARY_H
#define FUZZ_CHILD_LIBRARY_H

#include <stdbool.h>

/*
 * What libbabeltrace2 dies of is no find: the program says so, and ends with 2
 * (trace/reader-graph.c, base/memory.h), but leaves signals and memory to a checker where there is
 * one.
 */

/* In a child: where the library reads a bad address it ends with 2. */
void library_may_die(void);
/* Whether, by what a child with the status CHILD_OOM has said, it was the library that asked. */
bool library_asked(const char *said);

#endif
