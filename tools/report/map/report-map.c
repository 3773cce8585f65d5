/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "report/column.h"
#include "label/label.h"
#include "report/report-host.h"
#include "report-map.h"
#include "base/text.h"
#include "base/util.h"

#define TITLE_WIDTH 20
#define VTIDS_MAX   21

static const char *moment(char buf[TIME_TEXT_MAX], uint64_t ns, const char *none)
{
	if (!ns)
		return none;
	time_of_day(buf, ns);
	buf[strlen("00:00:00.000")] = '\0';
	return buf;
}

static void print_life(FILE *out, struct model *m, struct task *t)
{
	char vtids[VTIDS_MAX], tid[16], born[TIME_TEXT_MAX], died[TIME_TEXT_MAX];
	bool is_thread = t->pid >= 0 && t->pid != t->tid;

	snprintf(tid, sizeof(tid), "%s%d", is_thread ? "+" : "", t->tid);
	fprintf(out, "%9s  %-20s ", tid, column_vtids(vtids, sizeof(vtids), t));
	column_text(out, *t->comm ? t->comm : "?", COMM_MAX);
	putc(' ', out);
	if (t->ns || task_container(m, t))
		column_container(out, task_container(m, t), TITLE_WIDTH);
	else
		fprintf(out, "%-*s", TITLE_WIDTH, "(unknown)");
	fprintf(out, " %-12s %s\n", moment(born, t->birth, "-"),
		moment(died, t->death, t->exited ? "before" : "-"));
}

static void print_lives(FILE *out, struct model *m, const struct map_question *q)
{
	struct lives l = map_lives(m, q);
	size_t i;

	if (l.nr)
		fprintf(out, "\n%9s  %-20s %-*s %-*s %-12s %s\n", "TID", "VTIDS, own last",
			COMM_MAX, "COMM", TITLE_WIDTH, "CONTAINER", "BORN", "DIED");
	else
		fprintf(out, "\nno such thread is known%s\n",
			model_is_whole(m) == SURE ? "" : "; the trace does not tell of all");
	for (i = 0; i < l.nr; i++)
		print_life(out, m, l.life[i]);
	free(l.life);
}

static struct map_question question_of(const struct host *h, const struct map_options *opt)
{
	struct map_question q = opt->question;

	q.at = opt->at_given ? h->model->attributes_until : 0;
	return q;
}

static void print_host(FILE *out, const struct host *h, const struct map_options *opt)
{
	struct map_question q = question_of(h, opt);
	char at[TIME_TEXT_MAX];

	report_host_text(out, h);
	if (q.at)
		fprintf(out, "  at %s\n", time_full(at, q.at));
	if (opt->ust)
		user_map_text(out, h->user, opt);
	else
		print_lives(out, h->model, &q);
}

void report_map_text(FILE *out, const struct loaded *l, const struct map_options *opt)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		if (i)
			putc('\n', out);
		print_host(out, l->hosts[i], opt);
	}
}

bool report_map_has(const struct loaded *l, const struct map_options *opt)
{
	bool has = false;
	size_t i;

	for (i = 0; i < l->nr_hosts && !has; i++) {
		struct map_question q = question_of(l->hosts[i], opt);
		struct lives lives = map_lives(l->hosts[i]->model, &q);

		has = lives.nr;
		free(lives.life);
	}
	return has;
}

static void json_levels(struct json *j, const struct task *t)
{
	int i;

	json_open(j, "levels", '[');
	for (i = 0; i < t->nr_levels; i++) {
		const struct pidns *ns = task_ns_at(t, i);

		json_open(j, NULL, '{');
		json_int(j, "level", i);
		if (ns)
			json_uint(j, "pid_ns", ns->inum);
		else
			json_null(j, "pid_ns");
		json_int(j, "vtid", t->vtids[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_lives(struct json *j, struct model *m, const struct map_question *q)
{
	struct lives l = map_lives(m, q);
	size_t i;

	json_open(j, "lives", '[');
	for (i = 0; i < l.nr; i++) {
		struct task *t = l.life[i];

		json_open(j, NULL, '{');
		json_task_members(j, t, -1);
		json_levels(j, t);
		json_container(j, "container", task_container(m, t));
		json_bool(j, "known", t->ns || task_container(m, t));
		json_bool(j, "unsure", task_is_unsure(m, t));
		json_close(j, '}');
	}
	json_close(j, ']');
	free(l.life);
}

static void json_members(struct json *j, const struct host *h, const void *options)
{
	const struct map_options *opt = options;
	struct map_question q = question_of(h, opt);

	if (q.at)
		json_time(j, "at_ns", q.at);
	json_bool(j, "knows_all_tasks", model_is_whole(h->model) == SURE);
	if (opt->ust)
		user_map_json(j, h->user, opt);
	else
		json_lives(j, h->model, &q);
}

void report_map_json(FILE *out, const struct loaded *l, const struct map_options *opt)
{
	report_json(out, "map", l, json_members, opt);
}

static void table_life(struct table *t, const struct host *h, struct task *task)
{
	struct container *c = task_container(h->model, task);

	table_row(t, h);
	table_container(t, c, c || task->ns);
	table_task(t, task, task->tid);
	table_uint_or_null(t, "pid", (uint64_t)task->pid, task->pid >= 0);
	table_moment(t, "birth_ns", task->birth);
	table_moment(t, "death_ns", task->death);
	table_bool(t, "unsure", task_is_unsure(h->model, task));
	table_end(t);
}

static void table_lives(struct table *t, const struct host *h, const struct map_options *opt)
{
	const struct map_question q = question_of(h, opt);
	struct lives lives = map_lives(h->model, &q);
	size_t i;

	for (i = 0; i < lives.nr; i++)
		table_life(t, h, lives.life[i]);
	free(lives.life);
}

void report_map_table(FILE *out, const struct loaded *l, const struct map_options *opt)
{
	struct table t = table_new(out, opt->format);
	size_t i;

	for (i = 0; i < l->nr_hosts; i++)
		(opt->ust ? user_map_table : table_lives)(&t, l->hosts[i], opt);
}
