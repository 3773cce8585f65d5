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

/* What it is called, as every --container takes it. */
void json_label(struct json *j, const struct container *c);
/* By whom its name is told: told_by, user, claimed. */
void json_teller(struct json *j, const struct container *c);
/* The object pod. */
void json_pod(struct json *j, const struct pod *p);
/* What all reports in JSON say of a container; of NULL, the host: null. */
void json_container_ref(struct json *j, const char *key, const struct container *c);
/* tid, vtids, comm, of one that may be known by its tid alone (NULL). */
void json_task_ref(struct json *j, const struct task *t, int tid);

#endif
