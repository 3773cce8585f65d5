/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "label.h"
#include "base/text.h"
#include "base/util.h"

char *label_container(const struct container *c)
{
	return container_label_safe(c);
}

char *label_vtids(const struct task *t)
{
	char text[64], *end = text;
	int i;

	if (!t || !t->nr_levels)
		return xstrdup("?");
	if (t->nr_levels > 4)
		return xasprintf("%d/../%d", t->vtids[1], t->vtids[t->nr_levels - 1]);
	for (i = t->nr_levels > 1; i < t->nr_levels; i++)
		end += snprintf(end, (size_t)(text + sizeof(text) - end), "%s%d", i > 1 ? "/" : "",
				t->vtids[i]);
	return xstrdup(text);
}

static void json_teller(struct json *j, const struct container *c)
{
	uint32_t user;

	if (c->teller == TELLER_NONE)
		json_null(j, "told_by");
	else
		json_text(j, "told_by", teller_text(c->teller));
	if (container_user(c, &user))
		json_uint(j, "user", user);
	else
		json_null(j, "user");
	json_bool(j, "claimed", container_is_claimed(c));
}

static void json_label(struct json *j, char *label)
{
	json_text(j, "label", label);
	free(label);
}

void json_pod(struct json *j, const struct pod *p)
{
	if (!p) {
		json_null(j, "pod");
		return;
	}
	json_open(j, "pod", '{');
	json_label(j, pod_label(p));
	json_text(j, "id", p->id);
	json_text_or_null(j, "name", p->name);
	json_text_or_null(j, "namespace", p->space);
	json_close(j, '}');
}

void json_container_members(struct json *j, const struct container *c, const struct pidns *ns,
			    const char *cgroup)
{
	json_uint(j, "number", c->serial);
	json_label(j, container_label(c));
	json_text_or_null(j, "name", c->name);
	json_text_or_null(j, "id", c->id);
	json_text_or_null(j, "runtime", c->runtime);
	json_pod(j, c->pod);
	if (ns)
		json_uint(j, "pid_ns", ns->inum);
	else
		json_null(j, "pid_ns");
	json_text_or_null(j, "cgroup", cgroup);
	json_teller(j, c);
}

void json_container(struct json *j, const char *key, const struct container *c)
{
	if (!c) {
		json_null(j, key);
		return;
	}
	json_open(j, key, '{');
	json_container_members(j, c, c->ns, c->cgroup ? c->cgroup->path : NULL);
	json_close(j, '}');
}

void json_task_members(struct json *j, const struct task *t, int tid)
{
	int i;

	if (t || tid >= 0)
		json_int(j, "tid", t ? t->tid : tid);
	else
		json_null(j, "tid");
	if (t && t->pid >= 0)
		json_int(j, "pid", t->pid);
	else
		json_null(j, "pid");
	json_open(j, "vtids", '[');
	for (i = 0; t && i < t->nr_levels; i++)
		json_int(j, NULL, t->vtids[i]);
	json_close(j, ']');
	json_text_or_null(j, "comm", t ? t->comm : NULL);
	json_time(j, "birth_ns", t ? t->birth : 0);
	json_time(j, "death_ns", t ? t->death : 0);
}
