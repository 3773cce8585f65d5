/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/account.h"
#include "label/label.h"
#include "report/report-host.h"
#include "report-cpu.h"
#include "base/text.h"
#include "base/util.h"

/* Tables keep to 100 columns; deep nesting is not indented any further. */
#define COLUMNS	     100
#define INDENT_MAX   12
/* Of a series: the largest rows have columns of their own. */
#define SERIES_ROWS  5
/* In front of a task's container: its ids and its name. */
#define TASK_COLUMNS 41

static double seconds(uint64_t ns)
{
	return (double)ns / NS_PER_SEC;
}

static double share(const struct account *a, uint64_t ns)
{
	uint64_t whole = account_whole(a);

	return whole ? 100.0 * (double)ns / (double)whole : 0.0;
}

/* What is asked for. */
struct wanted {
	const struct selection *selection; /* NULL: all */
	struct hash pods;		   /* those that have some of them */
};

static struct wanted wanted_of(const struct host *h, const struct cpu_options *opt)
{
	const struct account *a = h->user;
	struct wanted w = {.selection = opt->selection};
	size_t i;

	for (i = 0; w.selection && a->by == BY_POD && i < a->m->nr_containers; i++) {
		struct container *c = a->m->containers[i];

		if (c->pod && selection_has(w.selection, c))
			hash_put(&w.pods, (uintptr_t)c->pod, c->pod);
	}
	return w;
}

/* Whether it is one of those that are asked for. */
static bool is_wanted(const struct account *a, const struct row *r, const struct wanted *w)
{
	const struct selection *selection = w->selection;

	if (!selection)
		return true;
	if (!r->told || r->ended)
		return false;
	switch (a->by) {
	case BY_POD:
		if (r->pod)
			return hash_get(&w->pods, (uintptr_t)r->pod);
		/* fall through */
	case BY_CONTAINER:
		return selection_holds(selection, a->m, r->container);
	case BY_NAMESPACE:
		return !(r->ns->level && !r->ns->owner) &&
		       selection_holds(selection, a->m, r->ns->owner);
	default:
		return r->task && cpus_place(a->m, r->task).known &&
		       selection_holds(selection, a->m, task_container(a->m, r->task));
	}
}

/* Whether lost events could have changed anything. */
static bool has_bounds(const struct account *a)
{
	return a->open;
}

static char *cgroup_label(const struct row *r)
{
	if (r->cgroup)
		return text_escape(r->cgroup->path);
	return xasprintf("id %" PRIu64 " (path unknown)", r->cgroup_id);
}

static char *task_label(const struct account *a, const struct row *r, size_t columns)
{
	char *comm = text_escape(r->task && *r->task->comm ? r->task->comm : "?");
	char *vtids = label_vtids(r->task), *where, *text;

	where = r->task && cpus_place(a->m, r->task).known
			? container_label_fit(task_container(a->m, r->task), columns)
			: xstrdup("(unknown)");
	text = xasprintf("%7d  %-13s  %-16s %s", r->tid, vtids, comm, where);
	free(comm);
	free(vtids);
	free(where);
	return text;
}

static char *pod_text(const struct pod *p)
{
	char *label = pod_label(p), *safe = text_escape(label);

	free(label);
	return safe;
}

/* Escaped. The caller frees it. */
static char *label_of(const struct account *a, const struct row *r, size_t columns)
{
	char *label;

	if (!r->told)
		return xstrdup("(unknown)");
	if (r->ended)
		return xstrdup("    (all that ended)");
	switch (a->by) {
	case BY_POD:
		if (r->pod)
			return pod_text(r->pod);
		return container_label_fit(r->container, columns);
	case BY_CONTAINER:
		return container_label_fit(r->container, columns);
	case BY_NAMESPACE:
		return r->ns->level ? pidns_label(r->ns) : xstrdup(HOST_LABEL);
	case BY_CGROUP:
		label = cgroup_label(r);
		return text_fit(label, columns);
	default:
		return task_label(a, r, columns > TASK_COLUMNS ? columns - TASK_COLUMNS : 1);
	}
}

static void print_figures(FILE *out, const struct account *a, const struct amount *own,
			  const struct amount *total, bool bounds)
{
	if (a->by != BY_TASK && own)
		fprintf(out, "%12.6f  ", seconds(own->own));
	else if (a->by != BY_TASK)
		fprintf(out, "%12s  ", "");
	fprintf(out, "%12.6f  ", seconds(total->own));
	if (has_bounds(a) && bounds)
		fprintf(out, "%12.6f %12.6f  ", seconds(account_least(total)),
			seconds(own ? account_total_most(a, total) : account_most(a, total)));
	else if (has_bounds(a))
		fprintf(out, "%12s %12s  ", "", "");
	fprintf(out, "%6.2f  ", share(a, total->own));
}

static int figures_width(const struct account *a)
{
	return (a->by == BY_TASK ? 0 : 14) + 14 + (has_bounds(a) ? 27 : 0) + 8;
}

static void print_heading(FILE *out, const struct account *a)
{
	static const char *const of[BY_NR] = {
		[BY_CONTAINER] = "CONTAINER",
		[BY_POD] = "POD OR CONTAINER",
		[BY_NAMESPACE] = "PID NAMESPACE",
		[BY_CGROUP] = "CGROUP",
		[BY_TASK] = "    TID  VTIDS          COMM             CONTAINER",
	};

	if (a->by == BY_TASK)
		fprintf(out, "%12s  ", "OWN s");
	else
		fprintf(out, "%12s  %12s  ", "OWN s", "TOTAL s");
	if (has_bounds(a))
		fprintf(out, "%12s %12s  ", "AT LEAST", "AT MOST");
	fprintf(out, "%6s  %s\n", "%", of[a->by]);
}

static void print_cpus(FILE *out, const struct account *a, const struct row *r)
{
	uint64_t whole = a->to - a->from;
	size_t i;

	for (i = 0; i < r->nr_by_cpu; i++)
		if (r->by_cpu[i].ns.own)
			fprintf(out, "%12.6f  on CPU %d, %.2f%% of it\n",
				seconds(r->by_cpu[i].ns.own), a->cpus[r->by_cpu[i].cpu],
				100.0 * (double)r->by_cpu[i].ns.own / (double)whole);
}

static size_t label_columns(const struct host *h, int indent)
{
	int columns = COLUMNS - figures_width(h->user) - indent - (int)text_width(h->prefix);

	return columns > 8 ? (size_t)columns : 8;
}

static void print_row(FILE *out, const struct host *h, const struct row *r,
		      const struct cpu_options *opt)
{
	const struct account *a = h->user;
	int indent = r->depth * 2 < INDENT_MAX ? r->depth * 2 : INDENT_MAX;
	char *name = label_of(a, r, label_columns(h, indent));

	print_figures(out, a, &r->own, &r->total, true);
	fprintf(out, "%*s%s%s\n", indent, "", h->prefix, name);
	if (opt->cpus)
		print_cpus(out, a, r);
	free(name);
}

static void print_other(FILE *out, const struct host *h, const struct row *r, const char *name,
			const struct cpu_options *opt)
{
	const struct account *a = h->user;

	print_figures(out, a, NULL, &r->own, r != &a->unknown);
	fprintf(out, "%s\n", name);
	if (opt->cpus)
		print_cpus(out, a, r);
}

static bool traces_interrupts(const struct host *h)
{
	return h->offers[EV_IRQ_ENTRY] || h->offers[EV_SOFTIRQ_ENTRY];
}

static void print_table(FILE *out, const struct host *h, const struct cpu_options *opt,
			const struct wanted *w)
{
	const struct account *a = h->user;
	const struct amount whole = {.own = account_whole(a)};
	struct amount others = {0};
	size_t i;

	print_heading(out, a);
	for (i = 0; i < a->nr_rows; i++)
		if (is_wanted(a, a->rows[i], w))
			print_row(out, h, a->rows[i], opt);
		else
			others.own += a->rows[i]->own.own;
	if (opt->selection) {
		print_figures(out, a, NULL, &others, false);
		fputs("(others)\n", out);
	}
	print_other(out, h, &a->idle, "(idle)", opt);
	if (traces_interrupts(h))
		print_other(out, h, &a->interrupts, "(interrupts)", opt);
	print_other(out, h, &a->unknown, "(unknown)", opt);
	print_figures(out, a, NULL, &whole, false);
	fprintf(out, "%zu CPUs x %.9f s\n", a->nr_cpus, seconds(a->to - a->from));
}

/* The time of one interval; by_size: the sum of the rows from the n-th on. */
static void fill(struct part_ns *column, size_t nr, const struct row *r)
{
	size_t i;

	for (i = 0; i < r->nr_slices; i++) {
		struct part_ns *to = &column[r->slices[i].index];

		if (r->slices[i].index >= nr)
			continue;
		to->own += r->slices[i].ns.own;
		to->unsure += r->slices[i].ns.unsure;
	}
}

static int by_own(const void *a, const void *b)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;

	if (x->own.own != y->own.own)
		return x->own.own > y->own.own ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Columns of a series: the largest rows, the others together, and what is not a row. */
enum { COL_OTHERS = SERIES_ROWS, COL_IDLE, COL_INTERRUPTS, COL_UNKNOWN, COL_NR };

static void print_series_heading(FILE *out, const struct account *a,
				 const struct row *const *largest, size_t nr,
				 int width[SERIES_ROWS])
{
	size_t i;

	fprintf(out, "\nown ms in each interval\n%12s", "FROM +s");
	for (i = 0; i < SERIES_ROWS && i < nr; i++) {
		char *label = a->by == BY_TASK ? xasprintf("%d", largest[i]->tid)
					       : label_of(a, largest[i], 9);

		width[i] = text_width(label) > 9 ? (int)text_width(label) : 9;
		fprintf(out, " %*s%s", width[i] - (int)text_width(label), "", label);
		free(label);
	}
	if (a->nr_rows > nr || nr > SERIES_ROWS)
		fprintf(out, " %9s", "(others)");
	fprintf(out, " %8s %8s %8s\n", "idle", "irq", "unknown");
}

static void print_series(FILE *out, const struct account *a, const struct wanted *w)
{
	size_t nr = account_intervals(a), i, k, shown = 0;
	const struct row **by_size = xcalloc(a->nr_rows + 1, sizeof(*by_size));
	struct part_ns *column[COL_NR];
	int width[SERIES_ROWS];

	for (k = 0; k < COL_NR; k++)
		column[k] = xcalloc(nr + 1, sizeof(**column));
	for (i = 0; i < a->nr_rows; i++)
		if (is_wanted(a, a->rows[i], w))
			by_size[shown++] = a->rows[i];
		else
			fill(column[COL_OTHERS], nr, a->rows[i]);
	qsort(by_size, shown, sizeof(*by_size), by_own);
	for (i = 0; i < shown; i++)
		fill(column[i < SERIES_ROWS ? i : COL_OTHERS], nr, by_size[i]);
	fill(column[COL_IDLE], nr, &a->idle);
	fill(column[COL_INTERRUPTS], nr, &a->interrupts);
	fill(column[COL_UNKNOWN], nr, &a->unknown);
	print_series_heading(out, a, by_size, shown, width);
	for (i = 0; i < nr; i++) {
		fprintf(out, "%12.6f", seconds(i * a->every));
		for (k = 0; k < COL_NR; k++)
			if (k >= COL_IDLE)
				fprintf(out, " %8.3f", (double)column[k][i].own / 1e6);
			else if (k == COL_OTHERS && (a->nr_rows > shown || shown > SERIES_ROWS))
				fprintf(out, " %9.3f", (double)column[k][i].own / 1e6);
			else if (k < SERIES_ROWS && k < shown)
				fprintf(out, " %*.3f", width[k], (double)column[k][i].own / 1e6);
		putc('\n', out);
	}
	for (k = 0; k < COL_NR; k++)
		free(column[k]);
	free(by_size);
}

static void print_notes(FILE *out, const struct host *h)
{
	const struct account *a = h->user;
	char from[TIME_TEXT_MAX], to[TIME_TEXT_MAX];

	if (a->from != h->begin || a->to != h->end)
		fprintf(out, "  counted from %s to %s\n", time_full(from, a->from),
			time_of_day(to, a->to));
	if (!h->offers[EV_SWITCH])
		fputs("  sched_switch was not recorded: nothing is known of who ran\n", out);
	if (!traces_interrupts(h))
		fputs("  interrupts were not recorded: their time counts as that of whom they"
		      " interrupted\n",
		      out);
	if (cpus_contradictions(h->cpus))
		fprintf(out, "  switches that contradict each other: %" PRIu64 "\n",
			cpus_contradictions(h->cpus));
	putc('\n', out);
}

void report_cpu_text(FILE *out, const struct loaded *l, const struct cpu_options *opt)
{
	struct wanted w;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		if (i)
			putc('\n', out);
		report_host_text(out, l->hosts[i]);
		print_notes(out, l->hosts[i]);
		w = wanted_of(l->hosts[i], opt);
		print_table(out, l->hosts[i], opt, &w);
		if (opt->every)
			print_series(out, l->hosts[i]->user, &w);
		hash_free(&w.pods);
	}
}

void report_cpu_live(FILE *out, const struct host *h, const struct cpu_options *opt)
{
	const struct account *a = h->user;
	struct wanted w = wanted_of(h, opt);
	const struct model *m = h->model;
	char *name = text_escape(h->trace->hostname), to[TIME_TEXT_MAX];

	fprintf(out, "host %s, up to %s", name, time_of_day(to, a->to));
	if (m->nr_losses)
		fprintf(out, ", lost: %" PRIu64 " events and %" PRIu64 " packets",
			m->nr_lost_events, m->nr_lost_packets);
	putc('\n', out);
	if (!m->nr_whole_dumps)
		fputs("  no whole state dump yet: older tasks are unknown; on that host,"
		      " run\n  lttng regenerate statedump\n",
		      out);
	if (!h->offers[EV_SWITCH])
		fputs("  sched_switch is not recorded: nothing is known of who runs\n", out);
	print_table(out, h, opt, &w);
	hash_free(&w.pods);
	free(name);
}

/* Of a part of a row's time; @open: what may be anybody's there. What is not known has no bounds.
 */
static void json_part(struct json *j, const struct account *a, const struct row *r,
		      const struct part_ns *ns, uint64_t open)
{
	json_uint(j, "ns", ns->own);
	if (r == &a->unknown)
		return;
	json_uint(j, "least_ns", ns->own - ns->unsure);
	json_uint(j, "most_ns", ns->own - ns->unsure + open);
}

static void json_by_cpu(struct json *j, const struct account *a, const struct row *r)
{
	size_t i;

	json_open(j, "by_cpu", '[');
	for (i = 0; i < r->nr_by_cpu; i++) {
		const struct cpu_part *p = &r->by_cpu[i];

		if (!p->ns.own)
			continue;
		json_open(j, NULL, '{');
		json_int(j, "cpu", a->cpus[p->cpu]);
		json_part(j, a, r, &p->ns, a->open_cpu[p->cpu]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_whose(struct json *j, const struct account *a, const struct row *r)
{
	struct place p;

	switch (a->by) {
	case BY_POD:
		if (r->pod) {
			json_pod(j, r->pod);
			break;
		}
		/* fall through */
	case BY_CONTAINER:
		json_container(j, "container", r->container);
		break;
	case BY_NAMESPACE:
		json_uint(j, "pid_ns", r->ns->inum);
		json_int(j, "level", r->ns->level);
		break;
	case BY_CGROUP:
		json_int(j, "hierarchy", r->hierarchy);
		json_uint(j, "cgroup_id", r->cgroup_id);
		json_text_or_null(j, "path", r->cgroup ? r->cgroup->path : NULL);
		break;
	default:
		json_task_members(j, r->task, r->tid);
		p = cpus_place(a->m, r->task);
		json_bool(j, "container_known", p.known);
		json_container(j, "container", p.container);
	}
}

static void json_figures(struct json *j, const struct account *a, const char *prefix,
			 const struct amount *n, bool total)
{
	uint64_t most = total ? account_total_most(a, n) : account_most(a, n);
	uint64_t interrupted_most =
		total ? account_total_interrupted_most(a, n) : account_interrupted_most(a, n);
	char key[32];

#define KEY(what) (snprintf(key, sizeof(key), "%s_%s", prefix, what), key)
	json_uint(j, KEY("ns"), n->own);
	json_uint(j, KEY("least_ns"), account_least(n));
	json_uint(j, KEY("most_ns"), most);
	json_uint(j, KEY("interrupted_ns"), n->interrupted);
	json_uint(j, KEY("interrupted_least_ns"), account_interrupted_least(n));
	json_uint(j, KEY("interrupted_most_ns"), interrupted_most);
#undef KEY
}

static void json_row(struct json *j, const struct account *a, const struct row *r, size_t number,
		     const struct wanted *w)
{
	json_open(j, NULL, '{');
	json_uint(j, "number", number);
	if (r->parent && is_wanted(a, r->parent, w))
		json_uint(j, "parent", r->parent->number);
	else
		json_null(j, "parent");
	json_bool(j, "known", r->told);
	if (r->ended)
		json_bool(j, "ended", true);
	else if (r->told)
		json_whose(j, a, r);
	json_figures(j, a, "own", &r->own, false);
	if (a->by != BY_TASK)
		json_figures(j, a, "total", &r->total, true);
	json_by_cpu(j, a, r);
	json_close(j, '}');
}

static void json_other(struct json *j, const struct account *a, const char *key,
		       const struct row *r)
{
	json_open(j, key, '{');
	json_part(j, a, r, &(struct part_ns){r->own.own, r->own.unsure}, a->open);
	if (r == &a->idle) {
		json_uint(j, "interrupted_ns", r->own.interrupted);
		json_uint(j, "interrupted_least_ns", account_interrupted_least(&r->own));
		json_uint(j, "interrupted_most_ns", account_interrupted_most(a, &r->own));
	}
	json_by_cpu(j, a, r);
	json_close(j, '}');
}

static int by_index(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

/*
 * The intervals of one row in their order, those alone that are not empty: mostly far fewer than
 * there are. The caller frees them.
 */
static struct slice *intervals_of(const struct account *a, const struct row *r, size_t *nr)
{
	struct slice *list = xcalloc(r->nr_slices + 1, sizeof(*list));
	size_t all = account_intervals(a), i, to = 0;

	for (*nr = i = 0; i < r->nr_slices; i++)
		if (r->slices[i].ns.own && r->slices[i].index < all)
			list[(*nr)++] = r->slices[i];
	qsort(list, *nr, sizeof(*list), by_index);
	for (i = 0; i < *nr; i++) {
		if (to && list[to - 1].index == list[i].index) {
			list[to - 1].ns.own += list[i].ns.own;
			list[to - 1].ns.unsure += list[i].ns.unsure;
		} else {
			list[to++] = list[i];
		}
	}
	*nr = to;
	return list;
}

static void json_series(struct json *j, const struct account *a, const struct row *r,
			const char *key, size_t number)
{
	size_t nr, i;
	struct slice *list = intervals_of(a, r, &nr);

	json_open(j, key, '{');
	if (!key)
		json_uint(j, "number", number);
	json_open(j, "intervals", '[');
	for (i = 0; i < nr; i++) {
		json_open(j, NULL, '{');
		json_uint(j, "interval", list[i].index);
		json_part(j, a, r, &list[i].ns, a->open_slices[list[i].index]);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
	free(list);
}

static void json_all_series(struct json *j, const struct account *a, const struct wanted *w)
{
	size_t i;

	json_open(j, "series", '{');
	json_uint(j, "every_ns", a->every);
	json_uint(j, "intervals", account_intervals(a));
	json_open(j, "rows", '[');
	for (i = 0; i < a->nr_rows; i++)
		if (is_wanted(a, a->rows[i], w))
			json_series(j, a, a->rows[i], NULL, i);
	json_close(j, ']');
	json_series(j, a, &a->idle, "idle", 0);
	json_series(j, a, &a->interrupts, "interrupts", 0);
	json_series(j, a, &a->unknown, "unknown", 0);
	json_close(j, '}');
}

static void json_members(struct json *j, const struct host *h, const void *options)
{
	const struct cpu_options *opt = options;
	const struct account *a = h->user;
	struct wanted w = wanted_of(h, opt);
	size_t i;

	json_bool(j, "interrupts_recorded", traces_interrupts(h));
	json_uint(j, "contradictions", cpus_contradictions(h->cpus));
	json_text(j, "by", account_by_names[a->by]);
	json_time(j, "from_ns", a->from);
	json_time(j, "to_ns", a->to);
	json_uint(j, "cpus", a->nr_cpus);
	json_uint(j, "whole_ns", account_whole(a));
	json_open(j, "rows", '[');
	for (i = 0; i < a->nr_rows; i++)
		if (is_wanted(a, a->rows[i], &w))
			json_row(j, a, a->rows[i], i, &w);
	json_close(j, ']');
	json_other(j, a, "idle", &a->idle);
	json_other(j, a, "interrupts", &a->interrupts);
	json_other(j, a, "unknown", &a->unknown);
	if (opt->every)
		json_all_series(j, a, &w);
	hash_free(&w.pods);
}

void report_cpu_json(FILE *out, const struct loaded *l, const struct cpu_options *opt)
{
	/* Of a session that is watched: JSON Lines, a document each. */
	struct json j = {.out = out, .embedded = opt->part};

	json_open_document(&j, "cpu");
	if (opt->part)
		json_text(&j, "part", opt->part);
	report_hosts_json(&j, l, json_members, opt);
	json_close(&j, '}');
	if (j.embedded)
		putc('\n', out);
}

static void table_whose(struct table *t, const struct account *a, const struct row *r)
{
	struct container *c = r->container;
	bool known =
		r->told && !r->ended && (a->by == BY_CONTAINER || (a->by == BY_POD && !r->pod));
	char *pod = r->pod ? pod_label(r->pod) : NULL, *ns = r->ns ? pidns_label(r->ns) : NULL;

	if (a->by == BY_TASK && r->task && cpus_place(a->m, r->task).known) {
		c = task_container(a->m, r->task);
		known = true;
	}
	if (pod || ns) {
		table_text(t, "label", pod ? pod : r->ns->level ? ns : HOST_LABEL);
		table_null(t, "name");
		table_null(t, "id");
		table_null(t, "runtime");
		table_text(t, "pod", pod);
		if (ns)
			table_uint(t, "pid_ns", r->ns->inum);
		else
			table_null(t, "pid_ns");
	} else {
		table_container(t, c, known);
	}
	table_text(t, "cgroup", r->cgroup ? r->cgroup->path : NULL);
	if (a->by == BY_TASK && r->told && !r->ended)
		table_uint(t, "tid", (uint64_t)r->tid);
	else
		table_null(t, "tid");
	table_text(t, "comm", r->task ? r->task->comm : NULL);
	free(pod);
	free(ns);
}

/* @open: what may be anybody's in that time; @total: NULL: not told of an interval. */
static void table_figures(struct table *t, const struct part_ns *own, uint64_t open,
			  const uint64_t *total)
{
	table_uint(t, "own_ns", own->own);
	table_uint(t, "own_least_ns", own->own - own->unsure);
	table_uint(t, "own_most_ns", own->own - own->unsure + open);
	if (total)
		table_uint(t, "total_ns", *total);
	else
		table_null(t, "total_ns");
	table_end(t);
}

static void table_begin(struct table *t, const struct host *h, const struct row *r,
			const char *kind, uint64_t from, uint64_t to)
{
	const struct account *a = h->user;

	table_row(t, h);
	table_time(t, "from_ns", from);
	table_time(t, "to_ns", to);
	table_text(t, "kind", kind);
	table_whose(t, a, r);
}

static void table_series(struct table *t, const struct host *h, const struct row *r,
			 const char *kind)
{
	const struct account *a = h->user;
	size_t nr, i;
	struct slice *list = intervals_of(a, r, &nr);

	for (i = 0; i < nr; i++) {
		uint64_t from = a->from + list[i].index * a->every, to = from + a->every;

		table_begin(t, h, r, kind, from, to < a->to ? to : a->to);
		table_figures(t, &list[i].ns, r == &a->unknown ? 0 : a->open_slices[list[i].index],
			      NULL);
	}
	free(list);
}

static void table_of(struct table *t, const struct host *h, const struct row *r, const char *kind,
		     const struct cpu_options *opt)
{
	const struct account *a = h->user;
	const struct part_ns own = {r->own.own, r->own.unsure};

	if (opt->every) {
		table_series(t, h, r, kind);
		return;
	}
	table_begin(t, h, r, kind, a->from, a->to);
	table_figures(t, &own,
		      r == &a->unknown ? 0 : account_most(a, &r->own) - account_least(&r->own),
		      r->told && a->by != BY_TASK ? &r->total.own : NULL);
}

void report_cpu_table(FILE *out, const struct loaded *l, const struct cpu_options *opt)
{
	struct table t = table_new(out, opt->format);
	size_t i, k;

	for (i = 0; i < l->nr_hosts; i++) {
		const struct host *h = l->hosts[i];
		const struct account *a = h->user;
		struct wanted w = wanted_of(h, opt);

		for (k = 0; k < a->nr_rows; k++)
			if (is_wanted(a, a->rows[k], &w))
				table_of(&t, h, a->rows[k], account_by_names[a->by], opt);
		table_of(&t, h, &a->idle, "idle", opt);
		table_of(&t, h, &a->interrupts, "interrupts", opt);
		table_of(&t, h, &a->unknown, "unknown", opt);
		hash_free(&w.pods);
	}
}
