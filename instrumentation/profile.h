/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/* Samples of what CPUs do: lttng-profile takes them, lttng-probe-profile records them. */
#ifndef LTTNG_PROFILE_H
#define LTTNG_PROFILE_H

#include <linux/preempt.h>
#include <linux/types.h>

enum lttng_profile_mode {
	LTTNG_PROFILE_KERNEL,
	LTTNG_PROFILE_USER,
};

enum lttng_profile_context {
	LTTNG_PROFILE_TASK,
	LTTNG_PROFILE_SOFTIRQ,
	LTTNG_PROFILE_HARDIRQ,
};

/* What this CPU does now. */
static inline int lttng_profile_interrupt(void)
{
	if (in_nmi() || hardirq_count())
		return LTTNG_PROFILE_HARDIRQ;
	return in_serving_softirq() ? LTTNG_PROFILE_SOFTIRQ : LTTNG_PROFILE_TASK;
}

/**
 * lttng_profile_is_ready() - whether lttng-profile is loaded, which it is when this can be called
 */
bool lttng_profile_is_ready(void);

#endif /* LTTNG_PROFILE_H */
