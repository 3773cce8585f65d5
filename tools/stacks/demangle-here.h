/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_DEMANGLER_HERE_H
#define LC_DEMANGLER_HERE_H

#include <stdbool.h>
#include <stddef.h>

/* What names of C++ and Rust are in the sources. For who has nothing to lose: see demangler.h. */

/* Longer ones stay as they are. */
#define DEMANGLED_MAX 8192

/* Whether the program was built with libiberty. */
extern const bool demangle_is_there;
/*
 * It takes as long as it takes. Returns the length of what the name stands for, 0: it is no such
 * name, or that is longer than @max.
 */
size_t demangle_here(const char *name, char *text, size_t max);

#endif
