/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_PROCESS_MAP_H
#define LC_PROCESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/*
 * What processes have mapped at one moment; a fork has what its parent has, and what either maps
 * then is its own. Nobody's depends on how much others have, but for who forks 64 times in a row
 * and maps between: for those 4 million are copied.
 */

struct mapped {
	uint64_t begin, end, offset;
	size_t file;
};

/* Of all processes, by their id. */
struct process_maps {
	struct hash by_pid;
	size_t copied; /* mappings, for all */
};

/* Returns false where there was no room: of one process 4,096 are kept. */
bool process_maps_put(struct process_maps *p, uint64_t pid, struct mapped new);
void process_maps_fork(struct process_maps *p, uint64_t pid, uint64_t parent);
/* It has ended, or has another program. */
void process_maps_clear(struct process_maps *p, uint64_t pid);
/* NULL: nothing. Until the next change. */
const struct mapped *process_maps_at(const struct process_maps *p, uint64_t pid, uint64_t address);
void process_maps_free(struct process_maps *p);

#endif
