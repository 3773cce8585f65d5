/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "report/column.h"
#include "report/distribution.h"
#include "label/label.h"
#include "report/report-host.h"
#include "report-wakeups.h"
#include "base/text.h"
#include "base/util.h"

#define TITLE_WIDTH 15

enum group { ACROSS, WITHIN, BY_INTERRUPT, BY_IDLE, NOT_KNOWN, GROUPS };

static const char *const group_names[GROUPS] = {
	[ACROSS] = "across_containers",	  [WITHIN] = "within_a_container",
	[BY_INTERRUPT] = "by_interrupts", [BY_IDLE] = "by_idle_cpus",
	[NOT_KNOWN] = "unknown",
};

static const char *const actor_kinds[] = {
	[ACTOR_TASK] = "task",
	[ACTOR_INTERRUPT] = "interrupt",
	[ACTOR_IDLE] = "idle",
	[ACTOR_UNKNOWN] = "unknown",
};

struct rows {
	const struct wakeup_pair **row;
	size_t nr, cap;
	uint64_t count[GROUPS], sure[GROUPS];
};

static enum group group_of(const struct wakeup_pair *p)
{
	if (p->wakee->kind == ACTOR_UNKNOWN || p->waker->kind == ACTOR_UNKNOWN)
		return NOT_KNOWN;
	if (p->waker->kind == ACTOR_INTERRUPT)
		return BY_INTERRUPT;
	if (p->waker->kind == ACTOR_IDLE)
		return BY_IDLE;
	return p->waker->container == p->wakee->container ? WITHIN : ACROSS;
}

static int by_count(const void *a, const void *b)
{
	const struct wakeup_pair *x = *(const struct wakeup_pair *const *)a;
	const struct wakeup_pair *y = *(const struct wakeup_pair *const *)b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	if (x->waker->number != y->waker->number)
		return x->waker->number < y->waker->number ? -1 : 1;
	return x->wakee->number < y->wakee->number ? -1 : 1;
}

static bool is_of(const struct selection *selection, struct model *m, const struct actor *a)
{
	return a->kind == ACTOR_TASK && selection_holds(selection, m, a->container);
}

static bool is_asked_for(const struct wakeups *w, const struct wakeup_pair *p,
			 const struct wakeups_options *opt)
{
	return !opt->selection || is_of(opt->selection, w->model, p->waker) ||
	       is_of(opt->selection, w->model, p->wakee);
}

static struct rows rows_of(const struct wakeups *w, const struct wakeups_options *opt)
{
	struct rows r = {0};
	const struct wakeup_pair *p;
	size_t pos = 0;

	while ((p = hash_next(&w->pairs, &pos))) {
		enum group g = group_of(p);

		if (!is_asked_for(w, p, opt))
			continue;
		r.count[g] += p->count;
		r.sure[g] += p->sure;
		if (g != ACROSS && !opt->all)
			continue;
		r.row = grow(r.row, r.nr, &r.cap, sizeof(struct wakeup_pair *));
		r.row[r.nr++] = p;
	}
	if (r.nr)
		qsort(r.row, r.nr, sizeof(struct wakeup_pair *), by_count);
	return r;
}

static void print_actor(FILE *out, const struct actor *a, int width)
{
	switch (a->kind) {
	case ACTOR_INTERRUPT:
		fprintf(out, "%-*s", TITLE_WIDTH + 1 + width, "(interrupt)");
		return;
	case ACTOR_IDLE:
		fprintf(out, "%-*s", TITLE_WIDTH + 1 + width, "(idle CPU)");
		return;
	case ACTOR_UNKNOWN:
		fprintf(out, "%-*s ", TITLE_WIDTH, "(unknown)");
		break;
	case ACTOR_TASK:
		column_container(out, a->container, TITLE_WIDTH);
		putc(' ', out);
		break;
	}
	column_text(out, *a->comm ? a->comm : "?", width);
}

static void print_row(FILE *out, const struct wakeup_pair *p, bool histogram)
{
	char mean[DURATION_MAX], max[DURATION_MAX];

	if (p->measured)
		fprintf(out, "%8llu %11.6f %7s %7s  ", (unsigned long long)p->count,
			(double)p->total / NS_PER_SEC, duration(mean, p->total / p->measured),
			duration(max, p->max));
	else
		fprintf(out, "%8llu %11s %7s %7s  ", (unsigned long long)p->count, "-", "-", "-");
	print_actor(out, p->waker, COMM_MAX);
	putc(' ', out);
	print_actor(out, p->wakee, 0);
	putc('\n', out);
	/* Of a single one the mean is all. */
	if (p->measured > 1 || histogram)
		distribution_text(out, &p->waits, p->max, 10);
	if (histogram)
		distribution_bars(out, &p->waits, 10);
}

/* The bound of every count, and of the wait, that losses set. */
static void print_losses(FILE *out, const struct wakeups *w)
{
	const struct model *m = w->model;

	if (!m->nr_losses)
		return;
	if (!m->lost_uncounted)
		fprintf(out,
			"  events were lost: there may be %llu wakeups more, waits are missing;",
			(unsigned long long)m->nr_lost_events);
	else
		fputs("  events were lost: there may be more wakeups, waits are missing;", out);
	fprintf(out, "\n    of %llu wakeups it is not sure who woke whom\n",
		(unsigned long long)w->nr_unsure);
}

static void print_host(FILE *out, const struct host *h, const struct wakeups_options *opt)
{
	const struct wakeups *w = h->user;
	struct rows r = rows_of(w, opt);
	size_t i;

	report_host_text(out, h);
	if (!w->has_waking)
		fputs("  sched_waking is not in the trace: sched_wakeup may name the woken CPU's"
		      " task as waker\n",
		      out);
	fprintf(out,
		"  wakeups: %llu across containers, %llu within one, %llu by interrupts,\n"
		"    %llu by idle CPUs, %llu by or of unknown tasks\n",
		(unsigned long long)r.count[ACROSS], (unsigned long long)r.count[WITHIN],
		(unsigned long long)r.count[BY_INTERRUPT], (unsigned long long)r.count[BY_IDLE],
		(unsigned long long)r.count[NOT_KNOWN]);
	print_losses(out, w);
	if (r.nr)
		fprintf(out, "\n%8s %11s %7s %7s  %-*s %s\n", "COUNT", "WAITED s", "MEAN", "MAX",
			TITLE_WIDTH + 1 + COMM_MAX, "WAKER", "WOKEN");
	for (i = 0; i < r.nr; i++)
		print_row(out, r.row[i], opt->histogram);
	free(r.row);
}

void report_wakeups_text(FILE *out, const struct loaded *l, const struct wakeups_options *opt)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		if (i)
			putc('\n', out);
		print_host(out, l->hosts[i], opt);
	}
}

static void json_actor(struct json *j, const char *key, const struct actor *a)
{
	json_open(j, key, '{');
	json_text(j, "kind", actor_kinds[a->kind]);
	json_container(j, "container", a->container);
	json_text(j, "comm", a->comm);
	json_close(j, '}');
}

/* What lost events, and those of which it is not sure who woke whom, may make of a count. */
static void json_count_max(struct json *j, const char *key, const struct wakeups *w, uint64_t sure)
{
	if (w->model->lost_uncounted)
		json_null(j, key);
	else
		json_uint(j, key, sure + w->nr_unsure + w->model->nr_lost_events);
}

/* Nothing bounds from above how long lost waits were. */
static void json_time_bounds(struct json *j, const struct model *m, const char *least,
			     const char *most, uint64_t sure, uint64_t value)
{
	json_uint(j, least, sure);
	if (m->nr_losses)
		json_null(j, most);
	else
		json_uint(j, most, value);
}

static void json_row(struct json *j, const struct wakeups *w, const struct wakeup_pair *p)
{
	json_open(j, NULL, '{');
	json_actor(j, "waker", p->waker);
	json_actor(j, "woken", p->wakee);
	json_uint(j, "count", p->count);
	json_uint(j, "count_least", p->sure);
	json_count_max(j, "count_max", w, p->sure);
	json_uint(j, "measured", p->measured);
	json_uint(j, "waited_ns", p->total);
	json_time_bounds(j, w->model, "waited_least_ns", "waited_most_ns", p->total_sure, p->total);
	json_uint(j, "max_ns", p->max);
	json_time_bounds(j, w->model, "max_least_ns", "max_most_ns", p->max_sure, p->max);
	json_time(j, "max_at_ns", p->max_at);
	distribution_json(j, &p->waits, p->max);
	json_close(j, '}');
}

static void json_members(struct json *j, const struct host *h, const void *options)
{
	const struct wakeups_options *opt = options;
	const struct wakeups *w = h->user;
	struct rows r = rows_of(w, opt);
	size_t i;

	json_text(j, "waker_told_by", w->has_waking ? "sched_waking" : "sched_wakeup");
	json_open(j, "wakeups", '{');
	for (i = 0; i < GROUPS; i++)
		json_uint(j, group_names[i], r.count[i]);
	json_close(j, '}');
	json_open(j, "wakeups_least", '{');
	for (i = 0; i < GROUPS; i++)
		json_uint(j, group_names[i], r.sure[i]);
	json_close(j, '}');
	json_open(j, "wakeups_max", '{');
	for (i = 0; i < GROUPS; i++)
		json_count_max(j, group_names[i], w, r.sure[i]);
	json_close(j, '}');
	json_open(j, "pairs", '[');
	for (i = 0; i < r.nr; i++)
		json_row(j, w, r.row[i]);
	json_close(j, ']');
	free(r.row);
}

void report_wakeups_json(FILE *out, const struct loaded *l, const struct wakeups_options *opt)
{
	report_json(out, "wakeups", l, json_members, opt);
}

static void table_actor(struct table *t, const char *who, const struct actor *a)
{
	char *kind = xasprintf("%s_kind", who), *comm = xasprintf("%s_comm", who);
	char *label = a->kind == ACTOR_TASK ? container_label(a->container) : NULL;

	table_text(t, kind, actor_kinds[a->kind]);
	table_text(t, who, label);
	table_text(t, comm, a->kind == ACTOR_TASK && *a->comm ? a->comm : NULL);
	free(kind);
	free(comm);
	free(label);
}

static void table_pair(struct table *t, const struct host *h, const struct wakeup_pair *p)
{
	table_row(t, h);
	table_actor(t, "waker", p->waker);
	table_actor(t, "woken", p->wakee);
	table_uint(t, "count", p->count);
	table_uint(t, "count_least", p->sure);
	table_uint(t, "measured", p->measured);
	table_uint(t, "waited_ns", p->total);
	table_uint(t, "max_ns", p->max);
	distribution_table(t, &p->waits, p->max);
	table_end(t);
}

/* One for each power of two. */
static void table_histogram(struct table *t, const struct host *h, const struct wakeup_pair *p)
{
	struct histogram_bucket b;
	size_t pos = 0;

	while (histogram_next(&p->waits, &pos, &b)) {
		table_row(t, h);
		table_actor(t, "waker", p->waker);
		table_actor(t, "woken", p->wakee);
		distribution_bucket(t, &b);
		table_end(t);
	}
}

void report_wakeups_table(FILE *out, const struct loaded *l, const struct wakeups_options *opt)
{
	struct table t = table_new(out, opt->format);
	size_t i, k;

	for (i = 0; i < l->nr_hosts; i++) {
		struct rows r = rows_of(l->hosts[i]->user, opt);

		for (k = 0; k < r.nr; k++)
			(opt->histogram ? table_histogram : table_pair)(&t, l->hosts[i], r.row[k]);
		free(r.row);
	}
}
