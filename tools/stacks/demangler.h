/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_DEMANGLER_H
#define LC_DEMANGLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"

/*
 * Names of C++ and Rust as they are in the sources. What makes them of the linker's is libiberty,
 * which names of strangers can keep busy, or break: a process of its own calls it, which can do
 * nothing but answer, and has a second for each name, and a minute of the processor for all. Of
 * that an owner of names has five seconds, and four of them may have broken it. All zero: it is not
 * needed yet.
 */
struct demangler {
	pid_t pid;
	int fd;
	uint64_t used_us;   /* of the processor, by those that have ended */
	uint64_t failures;  /* names that broke it, or took too long */
	struct hash owners; /* of struct asker: what each has taken */
	bool is_over;	    /* nobody is answered any more */
	bool has_refused;   /* ... or an owner is not */
};

/* Whether it looks like one of those. */
bool is_mangled(const char *name);
/* Whether there still is an answer for that owner, see place_owner(). */
bool demangler_answers(const struct demangler *d, uint64_t owner);
/* The caller frees it; NULL: the name is no such name, was too hard, or there is no answer. */
char *demangler_ask(struct demangler *d, uint64_t owner, const char *name);
void demangler_free(struct demangler *d);

#endif
