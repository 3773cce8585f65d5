/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_STACK_PROFILE_H
#define LC_STACK_PROFILE_H

#include "analysis/profile.h"

/* One that knows what is kept beside the host's trace of its programs, if anything (programs.h). */
struct profile *stack_profile_new(struct host *h);
void stack_profile_free(struct profile *p);

#endif
