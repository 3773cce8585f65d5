/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_FLAME_STACK_H
#define LC_FLAME_STACK_H

#include "kernel-symbols.h"
#include "flame-lines.h"

/*
 * What a stack is told as: its frames as in struct flame_line. @named: whether all of the kernel's
 * have a name. The caller frees it.
 */
char *flame_frames(const struct host *h, const struct kernel_symbols *symbols,
		   const struct profile_stack *s, const struct flame_options *opt, bool *named);

#endif
