/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "container-int.h"

/* Where tasks are: their ids and control groups, and which containers that makes. */

void task_place(struct model *m, struct task *t, struct pidns *ns, const int32_t *vtids, int n,
		const struct event *ev)
{
	if (task_set_ids(m, t, ns, vtids, n, ev) && t->nr_cgroups)
		container_init_moved(m, t);
}

void task_set_cgroup(struct model *m, struct task *t, int hierarchy, uint64_t id,
		     unsigned int dump_seq)
{
	task_join_cgroup(m, t, hierarchy, id, dump_seq);
	container_init_moved(m, t);
}
