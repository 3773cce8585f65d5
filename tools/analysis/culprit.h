/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CULPRIT_H
#define LC_CULPRIT_H

#include <stdbool.h>
#include <stdint.h>

/* Who had a CPU that somebody waited for. */
enum culprit_kind {
	BY_TASKS,
	BY_INTERRUPTS,
	BY_IDLE,
	BY_UNKNOWN,
	BY_QUOTA, /* a cgroup of its own was kept off the CPU, whoever had that */
	BY_OTHERS /* see CULPRITS_MAX */
};

struct container;

/*
 * Of one wait so many are told apart, those that had most. What others had within a container is
 * that one's, so far as that is known, and unsure; of what is left, the sum is BY_OTHERS.
 */
#define CULPRITS_MAX 256

struct culprit {
	enum culprit_kind kind;
	bool told;		     /* BY_TASKS: it is known whose tasks they are */
	struct container *container; /* BY_TASKS; NULL: the host */
};

/* Of two that are equal it is the same, of others another one. */
static inline uint64_t culprit_key(const struct culprit *c)
{
	return (uintptr_t)c->container | (uint64_t)c->kind << 1 | (c->told ? 1 : 0);
}

#endif
