/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_FLAME_WAITS_H
#define LC_FLAME_WAITS_H

#include "analysis/profile.h"
#include "analysis/why.h"

/*
 * How a host's waits become a profile: by the stacks by which tasks began to wait, or those by
 * which others ended it. These are what load_options and struct question ask for; the host's user
 * is its struct why.
 */
int waits_on_host(void *ctx, struct host *h);
int wakeups_on_host(void *ctx, struct host *h);
void waits_limit(struct host *h, uint64_t from, uint64_t to);
int waits_after_event(void *ctx, struct host *h, const struct event *ev);
int wakeups_after_event(void *ctx, struct host *h, const struct event *ev);
void waits_on_loss(void *ctx, struct host *h, const struct loss *loss);
int waits_finish(struct host *h);
void waits_drop(struct host *h);

const struct profile *waits_profile(const struct host *h);
struct why *waits_why(const struct host *h);

#endif
