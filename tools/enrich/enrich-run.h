/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_ENRICH_RUN_H
#define LC_ENRICH_RUN_H

#include <stddef.h>

/*
 * Writes an enriched copy of the traces to a new directory. Returns 0, or -1
 * after it printed why not; then there is no directory.
 */
int enrich_to(const char *dir, char *const *traces, size_t nr_traces);

#endif
