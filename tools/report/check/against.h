/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_AGAINST_H
#define LC_AGAINST_H

#include "base/json.h"
#include "trace/load.h"
#include "snapshot.h"

/* Compares traces with snapshots of /proc: the rules proc-*. */

struct window;

struct against {
	struct window *windows; /* one for each snapshot */
	size_t nr_windows;
};

/* Returns 0, or -1 after an error was printed. Free with against_free() in either case. */
int against_read(struct against *a, char *const *paths, size_t nr);
/* Has load() keep what the comparison needs. */
void against_prepare(struct against *a, struct load_options *opt);
/*
 * Compares, and puts the verdicts where the traces' are. Returns -1 after an
 * error was printed: a snapshot is of another boot, or nothing can be compared.
 */
int against_judge(struct against *a, struct loaded *l);
void against_free(struct against *a);

void report_against_text(FILE *out, const struct against *a);
void report_against_json(struct json *j, const struct against *a);

#endif
