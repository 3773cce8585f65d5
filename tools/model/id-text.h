/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_ID_TEXT_H
#define LC_ID_TEXT_H

#include <stdint.h>

#include "model.h"

/* A chain of namespace inodes and ids as an event tells it, root first. */
struct chain {
	int n;		/* levels; 0: not told */
	bool has_inums; /* else only own is told */
	uint32_t inums[LEVELS_MAX];
	int32_t vtids[LEVELS_MAX];
	uint32_t own;
};

/*
 * What verdicts show, a chain as 4026531836/4026532001. The texts are in buffers that are used in
 * turns: good for one message.
 */
const char *inums_text(const struct chain *c);
const char *vtids_text(const int32_t *vtids, int n);
const char *pidns_text(const struct pidns *ns);
const char *seq_text(const struct seq *s);
const char *int_text(int64_t v);

#endif
