/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "report/column.h"
#include "report/distribution.h"
#include "label/label.h"
#include "report/report-host.h"
#include "report-syscalls.h"
#include "base/text.h"
#include "base/util.h"

#define NAME_WIDTH 20
#define VTIDS_MAX  64

/* A line of a table; those of one table follow one another. */
struct line {
	struct container *container;
	bool is_placed;
	struct task *task; /* NULL: not known, or of all tasks */
	const char *name;
	struct call_stat stat;
};

struct lines {
	struct line *line;
	size_t nr, cap;
};

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* By the tid, and of one tid by when it was: where forks were lost, births are not known. */
static int by_thread(const struct task *a, const struct task *b)
{
	int order = compare(a ? (uint64_t)a->tid : 0, b ? (uint64_t)b->tid : 0);

	if (!order)
		order = compare(a ? a->birth : 0, b ? b->birth : 0);
	return order ? order : compare(a ? a->seen : 0, b ? b->seen : 0);
}

/* The host first, what is not known last. */
static int by_table(const struct line *a, const struct line *b)
{
	int order = compare(!a->is_placed, !b->is_placed);

	if (!order)
		order = compare(a->container ? a->container->serial : 0,
				b->container ? b->container->serial : 0);
	return order ? order : by_thread(a->task, b->task);
}

static int by_name(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = by_table(x, y);

	return order ? order : strcmp(x->name, y->name);
}

static int by_time(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = by_table(x, y);

	if (!order)
		order = compare(y->stat.total, x->stat.total);
	if (!order)
		order = compare(y->stat.calls, x->stat.calls);
	return order ? order : strcmp(x->name, y->name);
}

static void merge(struct lines *l)
{
	size_t i, nr = 0;

	for (i = 0; i < l->nr; i++)
		if (nr && !by_name(&l->line[nr - 1], &l->line[i])) {
			call_stat_add(&l->line[nr - 1].stat, &l->line[i].stat);
			histogram_free(&l->line[i].stat.lengths);
		} else {
			l->line[nr++] = l->line[i];
		}
	l->nr = nr;
}

static void lines_free(struct lines *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		histogram_free(&l->line[i].stat.lengths);
	free(l->line);
}

static struct lines lines_of(const struct syscalls *s, const struct syscalls_options *opt,
			     bool by_task)
{
	struct lines l = {0};
	struct calls_of *of;
	size_t pos = 0;

	while ((of = hash_next(&s->stats, &pos))) {
		if (!syscalls_asked_for(s, of->caller, opt))
			continue;
		l.line = grow(l.line, l.nr, &l.cap, sizeof(*l.line));
		l.line[l.nr++] = (struct line){
			.container = of->caller->container,
			.is_placed = of->caller->is_placed,
			.task = by_task ? of->caller->task : NULL,
			.name = of->name,
		};
		call_stat_add(&l.line[l.nr - 1].stat, &of->stat);
	}
	if (!l.nr)
		return l;
	qsort(l.line, l.nr, sizeof(*l.line), by_name);
	merge(&l);
	qsort(l.line, l.nr, sizeof(*l.line), by_time);
	return l;
}

static void print_heading(FILE *out, const struct host *h, const struct line *l)
{
	fprintf(out, "\n%s", h->prefix);
	if (!l->is_placed)
		fputs("(unknown): which task it was, or where it lives", out);
	else
		column_container(out, l->container, 0);
	putc('\n', out);
}

static void print_task(FILE *out, const struct task *t)
{
	char vtids[VTIDS_MAX];

	if (!t) {
		fputs("  task unknown\n", out);
		return;
	}
	fprintf(out, "  task %d, in its namespaces %s, ", t->tid,
		column_vtids(vtids, VTIDS_MAX, t));
	column_text(out, *t->comm ? t->comm : "?", 0);
	putc('\n', out);
}

static void print_line(FILE *out, const struct line *l)
{
	const struct call_stat *s = &l->stat;
	uint64_t measured = s->calls - s->begun_before - s->unfinished - s->unsure;
	char mean[DURATION_MAX], max[DURATION_MAX];

	fputs("    ", out);
	column_text(out, l->name, NAME_WIDTH);
	fprintf(out, " %9llu %8llu", (unsigned long long)s->calls, (unsigned long long)s->errors);
	if (measured)
		fprintf(out, " %12.6f %8s %8s", (double)s->total / NS_PER_SEC,
			duration(mean, s->total / measured), duration(max, s->max));
	else
		fprintf(out, " %12s %8s %8s", "-", "-", "-");
	if (s->unfinished)
		fprintf(out, "  unfinished %llu", (unsigned long long)s->unfinished);
	if (s->begun_before)
		fprintf(out, "  early %llu", (unsigned long long)s->begun_before);
	if (s->unsure)
		fprintf(out, "  unsure %llu", (unsigned long long)s->unsure);
	putc('\n', out);
}

static void print_tables(FILE *out, const struct host *h, const struct syscalls_options *opt)
{
	struct lines l = lines_of(h->user, opt, opt->by_task);
	const struct line *last = NULL;
	size_t i;

	if (l.nr)
		fprintf(out, "\n    %-*s %9s %8s %12s %8s %8s  %s\n", NAME_WIDTH, "SYSTEM CALL",
			"CALLS", "ERRORS", "TIME s", "MEAN", "MAX", "NOT IN THE TIMES");
	for (i = 0; i < l.nr; i++) {
		const struct line *this = &l.line[i];

		if (!last || last->container != this->container ||
		    last->is_placed != this->is_placed)
			print_heading(out, h, this);
		if (opt->by_task && (!last || by_table(last, this)))
			print_task(out, this->task);
		print_line(out, this);
		if (opt->histogram) {
			distribution_text(out, &this->stat.lengths, this->stat.max, 8);
			distribution_bars(out, &this->stat.lengths, 8);
		}
		last = this;
	}
	lines_free(&l);
}

/* What the trace's ends and losses mean for the figures. */
static void print_bounds(FILE *out, const struct syscalls *s)
{
	const struct model *m = s->model;

	fputs("  unfinished: had not ended when the trace, or the task, did; early: began before"
	      " the trace\n",
	      out);
	if (!m->nr_losses)
		return;
	if (m->lost_uncounted)
		fputs("  events were lost: there may be more calls;", out);
	else
		fprintf(out, "  events were lost: there may be %llu calls more;",
			(unsigned long long)m->nr_lost_events);
	fputs(" unsure: lost events may be of the call\n", out);
}

static void print_host(FILE *out, const struct host *h, const struct syscalls_options *opt)
{
	report_host_text(out, h);
	print_bounds(out, h->user);
	if (opt->name)
		syscall_list_text(out, h->user, opt);
	else
		print_tables(out, h, opt);
}

void report_syscalls_text(FILE *out, const struct loaded *l, const struct syscalls_options *opt)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		if (i)
			putc('\n', out);
		print_host(out, l->hosts[i], opt);
	}
}

/* What of a host is told, and of each name of how many calls lost events may have changed whose
 * they are. */
struct tables {
	const struct syscalls *of;
	struct hash unsure; /* address of a name, which there is once -> uint64_t */
};

static void count_unsure(struct tables *t)
{
	const struct calls_of *of;
	size_t pos = 0;

	while (t->of->model->nr_losses && (of = hash_next(&t->of->stats, &pos))) {
		uint64_t *nr = hash_get(&t->unsure, (uintptr_t)of->name);

		if (!nr) {
			nr = xcalloc(1, sizeof(*nr));
			hash_put(&t->unsure, (uintptr_t)of->name, nr);
		}
		*nr += of->stat.calls - of->stat.calls_sure;
	}
}

static void tables_free(struct tables *t)
{
	size_t pos = 0;
	uint64_t *nr;

	while ((nr = hash_next(&t->unsure, &pos)))
		free(nr);
	hash_free(&t->unsure);
}

/* What is not told must be said, too: without a count of what was lost nothing bounds it. */
static void json_most(struct json *j, const char *key, bool bounded, uint64_t most)
{
	if (bounded)
		json_uint(j, key, most);
	else
		json_null(j, key);
}

static void json_line(struct json *j, const struct tables *t, const struct line *l)
{
	const struct call_stat *s = &l->stat;
	const struct model *m = t->of->model;
	const uint64_t *unsure = hash_get(&t->unsure, (uintptr_t)l->name);
	uint64_t more = (unsure ? *unsure : 0) + m->nr_lost_events;

	json_open(j, NULL, '{');
	json_text(j, "name", l->name);
	json_uint(j, "calls", s->calls);
	json_uint(j, "calls_least", s->calls_sure);
	json_most(j, "calls_max", !m->lost_uncounted, s->calls_sure + more);
	json_uint(j, "errors", s->errors);
	json_uint(j, "errors_least", s->errors_sure);
	json_most(j, "errors_max", !m->lost_uncounted, s->errors_sure + more);
	json_uint(j, "begun_before", s->begun_before);
	json_uint(j, "unfinished", s->unfinished);
	json_uint(j, "unsure", s->unsure);
	json_uint(j, "time_ns", s->total);
	json_uint(j, "time_least_ns", s->total_sure);
	json_most(j, "time_most_ns", !m->nr_losses, s->total);
	json_uint(j, "max_ns", s->max);
	json_uint(j, "max_least_ns", s->max_sure);
	json_most(j, "max_most_ns", !m->nr_losses, s->max);
	json_time(j, "max_at_ns", s->max_at);
	distribution_json(j, &s->lengths, s->max);
	json_close(j, '}');
}

static bool is_same_place(const struct line *a, const struct line *b)
{
	return a->container == b->container && a->is_placed == b->is_placed;
}

static size_t json_calls(struct json *j, const struct tables *t, const struct lines *l, size_t i)
{
	const struct line *first = &l->line[i];

	json_open(j, "calls", '[');
	for (; i < l->nr && !by_table(first, &l->line[i]); i++)
		json_line(j, t, &l->line[i]);
	json_close(j, ']');
	return i;
}

/* From @i on, those of the place; places follow one another as in the table of containers. */
static size_t json_tasks(struct json *j, const struct tables *t, const struct lines *l, size_t i,
			 const struct line *place)
{
	json_open(j, "tasks", '[');
	while (i < l->nr && is_same_place(place, &l->line[i])) {
		json_open(j, NULL, '{');
		json_task_members(j, l->line[i].task, -1);
		i = json_calls(j, t, l, i);
		json_close(j, '}');
	}
	json_close(j, ']');
	return i;
}

static void json_tables(struct json *j, const struct syscalls *s,
			const struct syscalls_options *opt)
{
	struct lines all = lines_of(s, opt, false), tasks = lines_of(s, opt, true);
	struct tables t = {.of = s};
	size_t i = 0, at = 0;

	count_unsure(&t);
	json_open(j, "containers", '[');
	while (i < all.nr) {
		const struct line *first = &all.line[i];

		json_open(j, NULL, '{');
		json_container(j, "container", first->container);
		json_bool(j, "known", first->is_placed);
		i = json_calls(j, &t, &all, i);
		at = json_tasks(j, &t, &tasks, at, first);
		json_close(j, '}');
	}
	json_close(j, ']');
	lines_free(&all);
	lines_free(&tasks);
	tables_free(&t);
}

static void json_members(struct json *j, const struct host *h, const void *options)
{
	const struct syscalls_options *opt = options;

	(opt->name ? syscall_list_json : json_tables)(j, h->user, opt);
}

void report_syscalls_json(FILE *out, const struct loaded *l, const struct syscalls_options *opt)
{
	report_json(out, "syscalls", l, json_members, opt);
}

static void table_whose(struct table *t, const struct host *h, const struct line *l, bool by_task)
{
	table_row(t, h);
	table_container(t, l->container, l->is_placed);
	if (by_task)
		table_task(t, l->task, -1);
	table_text(t, "call", l->name);
}

/* One for each power of two. */
static void table_histogram(struct table *t, const struct host *h, const struct line *l,
			    bool by_task)
{
	struct histogram_bucket b;
	size_t pos = 0;

	while (histogram_next(&l->stat.lengths, &pos, &b)) {
		table_whose(t, h, l, by_task);
		distribution_bucket(t, &b);
		table_end(t);
	}
}

static void table_line(struct table *t, const struct host *h, const struct line *l, bool by_task)
{
	const struct call_stat *s = &l->stat;

	table_whose(t, h, l, by_task);
	table_uint(t, "calls", s->calls);
	table_uint(t, "calls_least", s->calls_sure);
	table_uint(t, "errors", s->errors);
	table_uint(t, "begun_before", s->begun_before);
	table_uint(t, "unfinished", s->unfinished);
	table_uint(t, "unsure", s->unsure);
	table_uint(t, "time_ns", s->total);
	table_uint(t, "time_least_ns", s->total_sure);
	table_uint(t, "max_ns", s->max);
	distribution_table(t, &s->lengths, s->max);
	table_end(t);
}

void report_syscalls_table(FILE *out, const struct loaded *l, const struct syscalls_options *opt)
{
	struct table t = table_new(out, opt->format);
	size_t i, k;

	for (i = 0; i < l->nr_hosts; i++) {
		struct lines all = {0};

		if (opt->name)
			syscall_list_table(&t, l->hosts[i], opt);
		else
			all = lines_of(l->hosts[i]->user, opt, opt->by_task);
		for (k = 0; k < all.nr; k++)
			(opt->histogram ? table_histogram : table_line)(&t, l->hosts[i],
									&all.line[k], opt->by_task);
		lines_free(&all);
	}
}
