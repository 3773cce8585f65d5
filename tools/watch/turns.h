/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TURNS_H
#define LC_TURNS_H

#include <stddef.h>
#include <stdint.h>

/* So many are remembered. */
#define TURNS_MAX 16

/*
 * Whom was told of, so that others come first. Containers of one user are one, so are those of
 * which nobody has told, and namespaces that no container has: whoever makes them may make many.
 */
struct turns {
	char *of[TURNS_MAX]; /* the last one first; owned */
	size_t nr;
};

/* It is told of now; @label as known_label() has it. */
void turns_take(struct turns *t, const char *label);
/* How long others have the turn before it: @most for who was the last, 0 for who had none. */
uint64_t turns_wait(const struct turns *t, const char *label, uint64_t most);
void turns_free(struct turns *t);

#endif
