/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SERVICE_HISTORY_H
#define LC_SERVICE_HISTORY_H

#include "history.h"

/*
 * What a CPU did lately, or a disk, and how much of a stretch of it each cause had, without a look
 * at each piece: each cause has a clock that goes on while the CPU is its; what it had of a stretch
 * is what the clock says at its end, less what it said at its begin.
 */
struct service_history {
	struct history history;
	uint64_t solid_since; /* from then on there is no gap */
	struct hash clocks;   /* by cause */
	struct cpu_clock *newest;
};

/* Pieces come in their order. */
void service_history_add(struct service_history *c, const struct piece *p);
/* Whether all that is asked for is still there. */
bool service_history_has(const struct service_history *c, uint64_t begin);
/*
 * Of which causes the time from begin to end was, by their first; who calls it owns them. They are
 * at most CULPRITS_MAX, those that had most; behind them in the list are @nr_others, in any order.
 */
struct shares *service_history_shares(const struct service_history *c, uint64_t begin, uint64_t end,
				      size_t *nr_others);
void service_history_free(struct service_history *c);

#endif
