// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * The state dump's part about control groups: each that holds a task, with its
 * ancestors, once, and for each thread those that it is in.
 */
#include <linux/fdtable.h>
#include <linux/inetdevice.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include <lttng/events.h>
#include <wrapper/tracepoint.h>

#include <instrumentation/statedump-cgroups.h>

#ifdef COMPAT_HAVE_CGROUPS

/* Declares the tracepoints; lttng-statedump-impl.c makes them. */
#define LTTNG_INSTRUMENTATION
#include <instrumentation/events/lttng-statedump.h>

/* What one look at the cgroups of a task found. */
struct cgroup_view {
	int hierarchy;
	u64 id;
	bool has_new;
	u64 new_id;
	u64 new_parent_id;
};

static bool is_known(const struct lttng_cgroup_dump *dump, const struct cgroup *cgrp)
{
	return lttng_known_find(&dump->known, compat_cgroup_id(cgrp),
				compat_cgroup_hierarchy(cgrp));
}

/* What is to be told about a cgroup's parent: of one beyond the limit the ancestor within. */
static struct cgroup *told_parent(struct cgroup *cgrp)
{
	struct cgroup *ancestor = compat_cgroup_in_limit(cgrp);

	return ancestor == cgrp ? compat_cgroup_parent(cgrp) : ancestor;
}

/* The topmost of @cgrp and its ancestors that is not known yet, and its @parent; or NULL. */
static struct cgroup *find_new(const struct lttng_cgroup_dump *dump, struct cgroup *cgrp,
			       struct cgroup **parent)
{
	struct cgroup *topmost = NULL;

	if (!is_known(dump, cgrp)) {
		topmost = cgrp;
		*parent = told_parent(cgrp);
		while (*parent && !is_known(dump, *parent)) {
			topmost = *parent;
			*parent = compat_cgroup_parent(topmost);
		}
	}
	return topmost;
}

/*
 * Look at the @nth cgroup of @p. If it or an ancestor has not been told yet,
 * the topmost of those is described in @view, its path in dump->path.
 *
 * Return: false if the task has no @nth cgroup.
 */
static bool view_cgroup(struct lttng_cgroup_dump *dump, struct task_struct *p, unsigned int nth,
			struct cgroup_view *view)
{
	struct cgroup *cgroups[COMPAT_CGROUP_MAX_HIERARCHIES];
	struct cgroup *topmost, *parent;
	bool found;

	rcu_read_lock();
	found = nth < compat_task_cgroups(p, cgroups);
	if (!found)
		goto unlock;
	view->hierarchy = compat_cgroup_hierarchy(cgroups[nth]);
	view->id = compat_cgroup_id(cgroups[nth]);
	topmost = find_new(dump, cgroups[nth], &parent);
	view->has_new = topmost;
	if (topmost) {
		view->new_id = compat_cgroup_id(topmost);
		view->new_parent_id = parent ? compat_cgroup_id(parent) : 0;
		compat_cgroup_path(topmost, dump->path, PATH_MAX);
	}
unlock:
	rcu_read_unlock();
	return found;
}

/*
 * The task may be moved between two looks: each starts anew, so that the cgroup
 * told for the task has always been described before.
 */
int lttng_cgroup_dump_task(struct lttng_cgroup_dump *dump, struct task_struct *p, pid_t tid)
{
	struct cgroup_view view;
	unsigned int nth;

	for (nth = 0; view_cgroup(dump, p, nth, &view); nth++) {
		while (view.has_new) {
			if (!lttng_known_add(&dump->known, view.new_id, view.hierarchy, NULL))
				return -ENOMEM;
			trace_lttng_statedump_cgroup(dump->session, view.hierarchy, view.new_id,
						     view.new_parent_id, dump->path);
			if (!view_cgroup(dump, p, nth, &view))
				return 0;
		}
		trace_lttng_statedump_process_cgroup(dump->session, tid, view.hierarchy, view.id);
	}
	return 0;
}

int lttng_cgroup_dump_begin(struct lttng_cgroup_dump *dump, struct lttng_kernel_session *session,
			    char *path)
{
	dump->session = session;
	dump->path = path;
	return lttng_known_init(&dump->known);
}

void lttng_cgroup_dump_end(struct lttng_cgroup_dump *dump)
{
	lttng_known_free(&dump->known);
}

#endif /* COMPAT_HAVE_CGROUPS */
