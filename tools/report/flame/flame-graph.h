/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_FLAME_GRAPH_H
#define LC_FLAME_GRAPH_H

#include "flame-lines.h"

/* What a flame graph shows, and what is to be said of it; in whatever form it is written. */
struct flame_graph {
	struct flame_lines lines;
	bool of_waits; /* it counts ns of waiting, else samples */
	bool of_wakers;
	uint64_t begin;	 /* ns since the epoch, of the first host */
	uint64_t length; /* ns that was recorded and asked for, of all hosts together */
	uint64_t period; /* ns, of a sample; 0: not told */
	/* Each line has what it was in another recording, too, ... */
	bool has_before;
	double scale; /* ... of which so much would be the same, in a recording of that length */
	/* Sentences, in order. */
	char **notes;
	size_t nr_notes, cap_notes;
};

struct flame_graph flame_graph(const struct loaded *l, const struct stack_options *opt);
/* @before becomes the other recording, and is empty after that. */
void flame_graph_join(struct flame_graph *g, struct flame_graph *before);
void flame_graph_free(struct flame_graph *g);

#endif
