/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_READER_FIND_H
#define LC_READER_FIND_H

#include "reader.h"

/*
 * Fills r->traces with every trace directory at or below the paths, each once.
 * Returns 0, or -1 after it printed an error.
 */
int reader_find(struct reader *r, char *const *paths, size_t nr_paths);

#endif
