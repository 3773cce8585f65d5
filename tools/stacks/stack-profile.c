/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "stack-profile.h"
#include "programs.h"

static const void *user_frame(void *programs, int64_t pid, uint64_t ns, uint64_t address)
{
	return programs_at(programs, pid, ns, address);
}

struct profile *stack_profile_new(struct host *h)
{
	struct profile *p = profile_new(h);

	p->ctx = programs_of(h->trace, h->model);
	p->user_frame = p->ctx ? user_frame : NULL;
	return p;
}

void stack_profile_free(struct profile *p)
{
	if (p)
		programs_free(p->ctx);
	profile_free(p);
}
