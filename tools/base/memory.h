/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_MEMORY_H
#define LC_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Limits the memory of the process to what reading so many bytes of traces may take: a trace of
 * a few bytes can ask libbabeltrace2 for gigabytes. LTTNG_CONTAINERS_MEMORY=MIB, in the
 * environment, is another limit, and 0 is none. Where MEMORY_IS_FINAL is in the environment, the
 * process cannot raise it again, unless it is root's.
 */
#define MEMORY_IS_FINAL "LTTNG_CONTAINERS_MEMORY_IS_FINAL"
void memory_limit(uint64_t bytes);
/* Whether a checker of memory is built in, which has its own limits and handlers. */
extern const bool memory_is_checked;
/* Whether it is used up; callable from a signal handler. */
bool memory_is_exhausted(void);
/* Says that there is no more, and what can be done; ends the process with status 2. */
_Noreturn void memory_exhausted(void);

#endif
