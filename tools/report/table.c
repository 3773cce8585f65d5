/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/util.h"
#include "table.h"

int table_format(enum table_format *format, const char *name)
{
	if (!strcmp(name, "jsonl"))
		*format = TABLE_JSONL;
	else if (!strcmp(name, "csv"))
		*format = TABLE_CSV;
	else
		return argument_error("There is no such format; give jsonl or csv.", "format",
				      name);
	return 0;
}

struct table table_new(FILE *out, enum table_format format)
{
	return (struct table){.out = out, .csv = format == TABLE_CSV};
}

void table_row(struct table *t, const struct host *h)
{
	if (t->csv) {
		t->line = text_stream(&t->text, &t->size);
		t->has_items = false;
	} else {
		t->json = (struct json){.out = t->out, .embedded = true};
		json_open(&t->json, NULL, '{');
	}
	table_text(t, "host", h->trace->hostname);
	table_text(t, "session", h->trace->session);
}

void table_end(struct table *t)
{
	if (!t->csv) {
		json_close(&t->json, '}');
		putc('\n', t->out);
		return;
	}
	if (!t->has_heading)
		fputs("\r\n", t->out);
	t->has_heading = true;
	if (!t->line)
		return;
	fclose(t->line);
	fprintf(t->out, "%s\r\n", t->text);
	free(t->text);
	t->line = NULL;
	t->text = NULL;
}

/* @value: NULL is nothing. Text of a trace is escaped, so that no control character is left. */
static void put_csv(struct table *t, const char *key, const char *value, bool is_text)
{
	if (!t->has_heading)
		fprintf(t->out, "%s%s", t->has_items ? "," : "", key);
	if (t->line && t->has_items)
		putc(',', t->line);
	t->has_items = true;
	if (!t->line || !value)
		return;
	if (is_text)
		csv_put_text(t->line, value);
	else
		fputs(value, t->line);
}

void table_text(struct table *t, const char *key, const char *value)
{
	char *safe;

	if (!value) {
		table_null(t, key);
	} else if (t->csv) {
		safe = text_escape(value);
		put_csv(t, key, safe, true);
		free(safe);
	} else {
		json_text(&t->json, key, value);
	}
}

void table_uint(struct table *t, const char *key, uint64_t value)
{
	char text[24];

	if (!t->csv) {
		json_uint(&t->json, key, value);
		return;
	}
	snprintf(text, sizeof(text), "%" PRIu64, value);
	put_csv(t, key, text, false);
}

void table_time(struct table *t, const char *key, uint64_t ns)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, ns);
	if (t->csv)
		put_csv(t, key, text, false);
	else
		json_text(&t->json, key, text);
}

void table_int(struct table *t, const char *key, int64_t value)
{
	char text[24];

	if (!t->csv) {
		json_int(&t->json, key, value);
		return;
	}
	snprintf(text, sizeof(text), "%" PRId64, value);
	put_csv(t, key, text, false);
}

void table_uint_or_null(struct table *t, const char *key, uint64_t value, bool is_known)
{
	if (is_known)
		table_uint(t, key, value);
	else
		table_null(t, key);
}

void table_bool(struct table *t, const char *key, bool value)
{
	if (t->csv)
		put_csv(t, key, value ? "true" : "false", false);
	else
		json_bool(&t->json, key, value);
}

void table_moment(struct table *t, const char *key, uint64_t ns)
{
	if (ns)
		table_time(t, key, ns);
	else
		table_null(t, key);
}

static void table_vtids(struct table *t, const struct task *task)
{
	char text[LEVELS_MAX * 12] = "";
	size_t len = 0;
	int i;

	for (i = 0; task && i < task->nr_levels; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d", i ? "/" : "",
					task->vtids[i]);
	table_text(t, "vtids", len ? text : NULL);
}

void table_task(struct table *t, const struct task *task, int tid)
{
	if (task || tid >= 0)
		table_int(t, "tid", task ? task->tid : tid);
	else
		table_null(t, "tid");
	table_vtids(t, task);
	table_text(t, "comm", task && *task->comm ? task->comm : NULL);
}

void table_null(struct table *t, const char *key)
{
	if (t->csv)
		put_csv(t, key, NULL, false);
	else
		json_null(&t->json, key);
}

void table_container(struct table *t, const struct container *c, bool known)
{
	char *label = known ? container_label(c) : NULL;
	char *pod = known && c && c->pod ? pod_label(c->pod) : NULL;
	bool has = known && c;

	table_text(t, "label", label);
	table_text(t, "name", has ? c->name : NULL);
	table_text(t, "id", has && *c->id ? c->id : NULL);
	table_text(t, "runtime", has && *c->runtime ? c->runtime : NULL);
	table_text(t, "pod", pod);
	if (has && c->ns)
		table_uint(t, "pid_ns", c->ns->inum);
	else
		table_null(t, "pid_ns");
	free(label);
	free(pod);
}
