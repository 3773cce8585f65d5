/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_METRICS_SHOWN_H
#define LC_METRICS_SHOWN_H

#include "analysis/metrics.h"

/* Whether it is one that can have a series of its own: not the host, nor what is nobody's. */
bool metric_is_apart(const struct metric_row *r);
/*
 * Decides which rows are shown by name, @max at most, and folds the others. Of those that were,
 * some may have to make room: first those that ended, who ended first; then by turns, so that
 * nobody has them all who can make containers: of each owner (place_owner()) one, then of each a
 * second one, and so on.
 */
void metrics_choose(struct metrics *m, size_t max);

#endif
