/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "early-tasks.h"

struct hash early_tasks(const struct model *m)
{
	struct hash h = {0};
	struct task *t;

	for (t = m->tasks; t; t = t->next)
		if (!t->birth && t->tid > 0)
			hash_put(&h, (uint64_t)t->tid, t);
	return h;
}
