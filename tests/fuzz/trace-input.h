/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_TRACE_INPUT_H
#define FUZZ_TRACE_INPUT_H

#include <stddef.h>
#include <stdint.h>

/*
 * A trace in the Common Trace Format, as an input: the metadata and then each stream, each behind
 * its length, two bytes. What is longer than the rest ends with it.
 */

#define STREAMS_MAX 4

/* A directory of the target's own, in memory; removed when the program ends. */
const char *own_directory(void);
/* Writes the trace of the input there, as DIRECTORY/trace. Returns its path. */
const char *trace_input(const uint8_t *data, size_t size);

/* What the native reader makes of it. */
enum outcome { GOOD, FAILED, REFUSED, DIED };
/*
 * What it tells, see print.h, and *said: its messages. Both are the caller's.
 */
char *read_native(const char *path, enum outcome *outcome, char **said);

#endif
