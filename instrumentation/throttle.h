/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * CFS bandwidth control: what lttng-throttle.c offers.
 */
#ifndef LTTNG_THROTTLE_H
#define LTTNG_THROTTLE_H

#include <linux/types.h>

#include <compat/cgroup.h>

#ifndef COMPAT_HAVE_CGROUPS
#error "cgroups have no number that the state dump tells"
#endif

/* Whether this kernel has what the events of throttling come from. */
bool lttng_throttle_is_ready(void);

#endif /* LTTNG_THROTTLE_H */
