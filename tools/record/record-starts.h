/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_STARTS_H
#define LC_RECORD_STARTS_H

#include <stdbool.h>

#include "base/hash.h"
#include "record-kept.h"
#include "record-owner.h"
#include "record-perf.h"

/*
 * Which program a process has: another one's stack and code begin elsewhere, or it began at
 * another time.
 */
struct stamp {
	uint64_t ns; /* when that was so */
	uint64_t began, code, stack;
};

/* Returns false if the process is gone, or has no program. */
bool stamp_of(uint32_t pid, struct stamp *stamp);

/*
 * Which processes begin, what they map, and that they end: lines p, m, x and e of base/symbols.h.
 * They take of their owners' room; that for a line which says that nothing more is known of a
 * process is taken with the first line of it. Where its owner has no room left, that is said, and
 * then nothing of it until it has another program: so who reads this never takes old lines for
 * what is not told any more.
 */
struct starts {
	struct kept *kept;
	struct hash by_pid;
	size_t tidy_at; /* with so many, those whose end was lost are looked for */
	struct owner (*owner_of)(uint32_t pid); /* owner_of(), or a test's */
	bool (*stamp_of)(uint32_t pid, struct stamp *stamp);
	bool (*is_there)(uint32_t pid);
};

void starts_open(struct starts *s, struct kept *kept);
/* Changes of these kinds. */
void starts_fork(struct starts *s, const struct change *c);
void starts_exec(struct starts *s, const struct change *c);
void starts_exit(struct starts *s, const struct change *c);
/* Whose it is that maps something; NULL: nothing more is told of it, which is counted as lost. */
const struct owner *starts_owner(struct starts *s, const struct change *c);
/*
 * Changes were lost, from @since to @until. If it may be that the process has another program since
 * then, what it had has an end. Returns whether what it has now is to be told.
 */
bool starts_doubt(struct starts *s, uint32_t pid, uint64_t since, uint64_t until);
/* It has mapped the file of that number. Returns whether there was room. */
bool starts_map(struct starts *s, const struct change *c, size_t file);

#endif
