/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_KEPT_FILE_H
#define LC_KEPT_FILE_H

#include "trace/reader.h"

/*
 * The text that `record --stacks` kept in a file of that name (base/symbols.h), beside the trace or
 * above it, behind its head: of at most @max bytes and of the trace's boot. NULL: there is none.
 * *@whole is to be freed.
 */
char *kept_text(const struct trace_info *t, const char *name, size_t max, char **whole);

#endif
