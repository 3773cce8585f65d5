/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_LABEL_H
#define LC_LABEL_H

#include "model/label.h"
#include "base/json.h"

/* How reports name things: escaped for a terminal, and of a width that fits a table. */

/* NULL: the host. The caller frees it. */
char *label_container(const struct container *c);
/* The ids below the root, the own one last: 57/1; "?" if not known. The caller frees it. */
char *label_vtids(const struct task *t);

/*
 * What all reports in JSON say of the same things, see docs/schema/parts.json. What is not known is
 * null. Those that are called members are within an object of the caller's.
 */

/* Of NULL, the host: null. */
void json_container(struct json *j, const char *key, const struct container *c);
/* @ns: its own PID namespace, @cgroup: a path; NULL: none. */
void json_container_members(struct json *j, const struct container *c, const struct pidns *ns,
			    const char *cgroup);
void json_pod(struct json *j, const struct pod *p);
/* One that may be known by its tid alone (NULL), or not at all (NULL and -1). */
void json_task_members(struct json *j, const struct task *t, int tid);

#endif
