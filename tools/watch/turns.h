/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TURNS_H
#define LC_TURNS_H

#include <stddef.h>
#include <stdint.h>

/* So many are remembered. */
#define TURNS_MAX 16

/*
 * Whom was told of, so that others come first. What is in one user's slice is one, with containers
 * that he has told of; so is what is in a service, and in no container that a runtime has told of.
 * Else those of which nobody has told are one, and so are namespaces that no container has: whoever
 * makes them may make many.
 */
struct turns {
	char *of[TURNS_MAX]; /* the last one first; owned */
	size_t nr;
};

/* It is told of now; @label as known_label() has it, @cgroup NULL if that is not known. */
void turns_take(struct turns *t, const char *label, const char *cgroup);
/* How long others have the turn before it: @most for who was the last, 0 for who had none. */
uint64_t turns_wait(const struct turns *t, const char *label, const char *cgroup, uint64_t most);
/*
 * What a snapshot of it is named after: the label; of what is on the host, with the user, or the
 * service, before it, so that none of these pushes out what is kept of others. The caller frees it.
 */
char *turns_name(const char *label, const char *cgroup);
void turns_free(struct turns *t);

#endif
