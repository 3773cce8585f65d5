/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_DEMANGLER_H
#define LC_DEMANGLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Names of C++ and Rust as they are in the sources. What makes them of the linker's is libiberty,
 * which names of strangers can keep busy, or break: a process of its own calls it, which can do
 * nothing but answer, and has a second for each name, and a minute of the processor for all. All
 * zero: it is not needed yet.
 */
struct demangler {
	pid_t pid;
	int fd;
	unsigned int failures;
	uint64_t used_us; /* of the processor, by those that have ended */
};

/* Whether it looks like one of those. */
bool is_mangled(const char *name);
/* The caller frees it; NULL: the name is no such name, or was too hard. */
char *demangler_ask(struct demangler *d, const char *name);
void demangler_free(struct demangler *d);

#endif
