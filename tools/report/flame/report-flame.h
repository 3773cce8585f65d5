/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_FLAME_H
#define LC_REPORT_FLAME_H

#include <stdio.h>

#include "flame-graph.h"

/* Each takes the graph's lines apart: it is written once. */

/*
 * One line for each stack: its frames, the outermost first, between semicolons, and its samples, or
 * ns; with another recording before these those of that one.
 */
void report_flame_folded(FILE *out, struct flame_graph *g);
/* A file for speedscope: https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
 */
void report_flame_speedscope(FILE *out, struct flame_graph *g);

/*
 * pprof's format, not compressed: https://github.com/google/pprof/blob/main/proto/profile.proto
 */
void report_flame_pprof(FILE *out, struct flame_graph *g);

/*
 * A page of its own, for a browser: without any network, as its own policy has it, and of what the
 * trace's texts may be nothing but text.
 */
void report_flame_html(FILE *out, struct flame_graph *g);

#endif
