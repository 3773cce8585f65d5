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

void json_teller(struct json *j, const struct container *c)
{
	uint32_t user;

	if (c->teller == TELLER_NONE)
		json_null(j, "told_by");
	else
		json_text(j, "told_by", teller_text(c->teller));
	if (container_user(c, &user))
		json_uint(j, "user", user);
	json_bool(j, "claimed", container_is_claimed(c));
}

void json_label(struct json *j, const struct container *c)
{
	char *label = container_label(c);

	json_text(j, "label", label);
	free(label);
}

void json_pod(struct json *j, const struct pod *p)
{
	char *label;

	json_open(j, "pod", '{');
	label = pod_label(p);
	json_text(j, "label", label);
	free(label);
	json_text(j, "id", p->id);
	if (p->name)
		json_text(j, "name", p->name);
	if (p->space)
		json_text(j, "namespace", p->space);
	json_close(j, '}');
}

void json_container_ref(struct json *j, const char *key, const struct container *c)
{
	char *title;

	if (!c) {
		json_null(j, key);
		return;
	}
	title = container_title(c);
	json_open(j, key, '{');
	json_uint(j, "number", c->serial);
	json_label(j, c);
	json_text(j, "title", title);
	json_text(j, "runtime", c->runtime);
	json_text(j, "id", c->id);
	json_teller(j, c);
	if (c->ns)
		json_uint(j, "pid_ns", c->ns->inum);
	if (c->cgroup)
		json_text(j, "cgroup", c->cgroup->path);
	json_close(j, '}');
	free(title);
}

void json_task_ref(struct json *j, const struct task *t, int tid)
{
	int i;

	json_int(j, "tid", t ? t->tid : tid);
	if (t && t->pid >= 0)
		json_int(j, "pid", t->pid);
	json_open(j, "vtids", '[');
	for (i = 0; t && i < t->nr_levels; i++)
		json_int(j, NULL, t->vtids[i]);
	json_close(j, ']');
	json_text(j, "comm", t ? t->comm : "");
}
