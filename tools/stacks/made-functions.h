/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_MADE_FUNCTIONS_H
#define LC_MADE_FUNCTIONS_H

#include <stdint.h>

#include "base/hash.h"

/* Functions that processes have made themselves, as JIT compilers do: by address, and by time. */

struct made_function {
	size_t maker;
	uint64_t address, size, since;
	const char *name;
	size_t number; /* in the file */
};

/* A process, until it ends or has another program. */
struct maker {
	uint64_t pid;
	size_t parent; /* whose functions it has, too; or NO_MAKER */
	size_t first, nr;
};

#define NO_MAKER SIZE_MAX

struct made_functions {
	struct made_function *all;
	size_t nr, cap;
	struct maker *makers;
	size_t nr_makers, cap_makers;
	struct hash now; /* pid -> which of the makers it is, or has the functions of */
};

/* First all are put, in the order of time, and sorted; then that is gone through once more. */

/* The maker of what @pid tells of now. */
size_t made_functions_tell(struct made_functions *f, uint64_t pid);
void made_functions_put(struct made_functions *f, const struct made_function *function);
void made_functions_sort(struct made_functions *f);

/* @pid is, or forks from @parent, or is no longer, one of them. */
void made_functions_is(struct made_functions *f, uint64_t pid, size_t maker);
void made_functions_fork(struct made_functions *f, uint64_t pid, uint64_t parent);
void made_functions_clear(struct made_functions *f, uint64_t pid);

/* What @pid has there at that time; NULL: not known. */
const struct made_function *made_functions_at(const struct made_functions *f, uint64_t pid,
					      uint64_t ns, uint64_t address);
void made_functions_free(struct made_functions *f);

#endif
