/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_FLAME_H
#define LC_REPORT_FLAME_H

#include <stdio.h>

#include "analysis/profile.h"
#include "analysis/selection.h"

struct flame_options {
	const struct selection *selection; /* NULL: all */
	bool by_task;
	/* What the host's tasks waited for, or what its CPUs were found doing. */
	const struct profile *(*profile_of)(const struct host *h);
	struct why *(*why_of)(const struct host *h); /* NULL: samples */
};

/*
 * One line for each stack: its frames, the outermost first, between semicolons, and its samples, or
 * ns.
 */
void report_flame_folded(FILE *out, const struct loaded *l, const struct flame_options *opt);
/* A file for speedscope: https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
 */
void report_flame_speedscope(FILE *out, const struct loaded *l, const struct flame_options *opt);

/*
 * A page of its own, for a browser: without any network, as its own policy has it, and of what the
 * trace's texts may be nothing but text.
 */
void report_flame_html(FILE *out, const struct loaded *l, const struct flame_options *opt);

#endif
