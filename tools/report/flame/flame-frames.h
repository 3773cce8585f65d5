/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_FLAME_FRAMES_H
#define LC_FLAME_FRAMES_H

#include "base/hash.h"

/* Frames by their name, each with a number: 0, 1, 2... Zero-initialized is empty. */
struct frames {
	struct hash by_text; /* of their numbers, each with one added */
	char **names;
	size_t nr, cap;
};

size_t frame_number(struct frames *f, const char *name);
void frames_free(struct frames *f);

#endif
