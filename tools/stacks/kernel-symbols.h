/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_KERNEL_SYMBOLS_H
#define LC_KERNEL_SYMBOLS_H

#include "trace/reader.h"

/* What the kernel's functions were called, as `record --stacks` kept it (base/symbols.h). */
struct kernel_symbols {
	struct kernel_symbol *all; /* by address */
	size_t nr, cap;
	char *text;
};

/* Those that are beside the trace, or above it, and of the boot that it is of; else none. */
struct kernel_symbols kernel_symbols_of(const struct trace_info *t);
/* The function that has the instruction at that address; NULL: not known. Not escaped. */
const char *kernel_symbol_at(const struct kernel_symbols *s, uint64_t address);
void kernel_symbols_free(struct kernel_symbols *s);

#endif
