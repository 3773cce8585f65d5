/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CONTAINER_INT_H
#define LC_CONTAINER_INT_H

#include "container.h"
#include "model-int.h"

/* Shared by the parts of the model. */

/* The container of a group that is_boundary. */
struct container *cgroup_container(struct model *m, struct cgroup *g);
/* The container whose PID namespace it is; @any: a task of it, if its first is not known. */
struct container *pidns_container(struct model *m, struct pidns *ns, const struct task *any);
/*
 * The pod of that id, or if it is a line that tells, of that name in @space ("": none). Users'
 * pods, and those in containers, are others than root's: @path is a control group of it.
 */
struct pod *container_pod(struct model *m, const char *runtime, const char *id, const char *path);
struct pod *told_pod(struct model *m, const char *runtime, const char *name, const char *space,
		     const char *path);
/* The control group of a namespace's first task was told, or the task was met. */
void container_init_moved(struct model *m, const struct task *init);
void container_free(struct container *c);
void pod_free(struct pod *p);
void containers_free(struct model *m);

#endif
