/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/column.h"
#include "report/distribution.h"
#include "label/label.h"
#include "report/report-host.h"
#include "report-delays.h"
#include "base/text.h"
#include "base/util.h"

static const char *const culprit_names[] = {
	[BY_TASKS] = "tasks",	  [BY_INTERRUPTS] = "interrupts", [BY_IDLE] = "idle",
	[BY_UNKNOWN] = "unknown", [BY_QUOTA] = "quota",		  [BY_OTHERS] = "others",
};

static double seconds(uint64_t ns)
{
	return (double)ns / NS_PER_SEC;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static bool is_wanted(const struct host *h, const struct delays_options *opt,
		      const struct victim *v)
{
	return v->waits && (!opt->selection ||
			    (v->told && selection_holds(opt->selection, h->model, v->container)));
}

static char *title(bool told, const struct container *c, size_t columns)
{
	return told ? container_label_fit(c, columns) : xstrdup("(unknown)");
}

static char *culprit_label(const struct culprit *who, bool told, const struct container *victim,
			   size_t columns)
{
	if (who->kind == BY_IDLE)
		return xstrdup("(idle CPU)");
	if (who->kind == BY_INTERRUPTS)
		return xstrdup("(interrupts)");
	if (who->kind == BY_UNKNOWN)
		return xstrdup("(unknown)");
	if (who->kind == BY_QUOTA)
		return xstrdup("(throttled by a quota)");
	if (who->kind == BY_OTHERS)
		return xstrdup("(others)");
	if (who->told && told && who->container == victim)
		return xstrdup("(itself)");
	return title(who->told, who->container, columns);
}

/* Culprits within one container, which the victim is not in; or one alone. */
struct group {
	struct container *around; /* NULL: it is one alone, that is in none */
	size_t first, nr;	  /* in order of who had most */
	uint64_t ns;
};

struct grouped {
	const struct blame *blame;
	const struct group *group;
};

static int compare_grouped(const void *a, const void *b)
{
	const struct grouped *x = a, *y = b;

	if (x->group->ns != y->group->ns)
		return x->group->ns > y->group->ns ? -1 : 1;
	if (x->group != y->group)
		return x->group->first < y->group->first ? -1 : 1;
	return x->blame < y->blame ? -1 : x->blame > y->blame;
}

static struct container *around(struct model *m, const struct culprit *who,
				struct container *victim)
{
	return who->kind == BY_TASKS && who->told ? container_outside(m, who->container, victim)
						  : NULL;
}

/* Whoever is in many containers within his own stands where he would be without these. */
static struct grouped *group_blames(struct model *m, const struct blames *b,
				    struct container *victim, struct group **groups)
{
	struct grouped *list = xcalloc(b->nr, sizeof(*list));
	struct hash by_container = {0};
	size_t i;

	*groups = xcalloc(b->nr, sizeof(**groups));
	for (i = 0; i < b->nr; i++) {
		struct container *c = around(m, &b->list[i].who, victim);
		struct group *g = c ? hash_get(&by_container, (uintptr_t)c) : NULL;

		if (!g) {
			g = &(*groups)[i];
			*g = (struct group){.around = c, .first = i};
			if (c)
				hash_put(&by_container, (uintptr_t)c, g);
		}
		g->nr++;
		time_add(&g->ns, b->list[i].ns);
		list[i] = (struct grouped){&b->list[i], g};
	}
	hash_free(&by_container);
	if (b->nr)
		qsort(list, b->nr, sizeof(*list), compare_grouped);
	return list;
}

static char *group_label(const struct group *g, size_t columns)
{
	static const char all[] = " and all within it";
	char *name = container_label_fit(g->around, columns - strlen(all)),
	     *label = xasprintf("%s%s", name, all);

	free(name);
	return label;
}

static void print_blame(FILE *out, const struct victim *v, uint64_t ns, const char *indent,
			const char *name)
{
	fprintf(out, "%12.6f  %6.2f  %31s%s%s\n", seconds(ns), share(ns, v->ns), "", indent, name);
}

static void print_blames(FILE *out, struct model *m, const struct victim *v)
{
	struct group *groups;
	struct grouped *list = group_blames(m, &v->blames, v->told ? v->container : NULL, &groups);
	size_t i;

	for (i = 0; i < v->blames.nr; i++) {
		const struct group *g = list[i].group;
		const char *indent = g->nr > 1 ? "  " : "";
		char *name;

		if (g->nr > 1 && (!i || list[i - 1].group != g)) {
			name = group_label(g, 49);
			print_blame(out, v, g->ns, "", name);
			free(name);
		}
		name = culprit_label(&list[i].blame->who, v->told, v->container,
				     49 - strlen(indent));
		print_blame(out, v, list[i].blame->ns, indent, name);
		free(name);
	}
	free(list);
	free(groups);
}

static void print_victim(FILE *out, const struct host *h, const struct victim *v, bool histogram)
{
	char *name = title(v->told, v->container, 49 - text_width(h->prefix));
	char mean[DURATION_MAX], max[DURATION_MAX];

	fprintf(out, "\n%12.6f  %6s  %9" PRIu64 "  %8s  %8s  %s%s\n", seconds(v->ns), "", v->waits,
		duration(mean, v->ns / v->waits), duration(max, v->longest), h->prefix, name);
	free(name);
	distribution_text(out, &v->lengths, v->longest, 24);
	if (histogram)
		distribution_bars(out, &v->lengths, 24);
	print_blames(out, h->model, v);
	if (v->unsure)
		fprintf(out, "%12.6f  %6.2f  of it is not sure, as %s\n", seconds(v->unsure),
			share(v->unsure, v->ns),
			h->model->nr_losses ? "events were lost"
					    : "more happened than is followed");
}

static int compare_waits(const void *a, const void *b)
{
	const struct wait *x = *(struct wait *const *)a, *y = *(struct wait *const *)b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* The longest waits of those who are wanted. The caller frees the list. */
static struct wait **collect(const struct host *h, const struct delays_options *opt, size_t *nr)
{
	struct wait **list = NULL;
	struct victim *const *victims;
	size_t nr_victims, cap = 0, i, k;

	*nr = 0;
	victims = delays_victims(h->user, &nr_victims);
	for (i = 0; i < nr_victims; i++) {
		if (!is_wanted(h, opt, victims[i]))
			continue;
		for (k = 0; k < victims[i]->nr_worst; k++) {
			list = grow(list, *nr, &cap, sizeof(struct wait *));
			list[(*nr)++] = victims[i]->worst[k];
		}
	}
	if (*nr)
		qsort(list, *nr, sizeof(struct wait *), compare_waits);
	if (*nr > opt->nr_worst)
		*nr = opt->nr_worst;
	return list;
}

/* Who had most of it, or all within a container together; *@ns: how much. The caller frees it. */
static char *most_by(struct model *m, const struct wait *w, uint64_t *ns)
{
	struct group *groups;
	struct grouped *list = group_blames(m, &w->blames, w->told ? w->container : NULL, &groups);
	const struct group *g = list[0].group;
	char *name = g->nr > 1 ? container_label_fit(g->around, 18)
			       : culprit_label(&list[0].blame->who, w->told, w->container, 18);

	*ns = g->ns;
	free(list);
	free(groups);
	return name;
}

static void print_wait(FILE *out, struct model *m, const struct wait *w)
{
	uint64_t ns = 0;
	char begin[TIME_TEXT_MAX], length[DURATION_MAX];
	int pad;
	char *comm = text_escape(w->task && *w->task->comm ? w->task->comm : "?");
	char *name = title(w->told, w->container, 16), *culprit = NULL;

	if (w->blames.nr)
		culprit = most_by(m, w, &ns);
	fprintf(out, "%18s %8s%c %7d %-15.15s", time_of_day(begin, w->begin),
		duration(length, w->ns),
		w->unsure	? '?'
		: w->unfinished ? '>'
				: ' ',
		w->tid, text_fit(comm, 15));
	pad = 16 - (int)text_width(name);
	fprintf(out, " %s%*s %3d ", name, pad > 0 ? pad : 0, "", w->cpu);
	if (culprit)
		fprintf(out, "%3.0f %s", share(ns, w->ns), culprit);
	putc('\n', out);
	free(comm);
	free(name);
	free(culprit);
}

static void print_worst(FILE *out, const struct host *h, const struct delays_options *opt)
{
	size_t nr, i;
	struct wait **list = collect(h, opt, &nr);

	if (nr)
		fprintf(out,
			"\nthe longest waits; > not over when the trace ends, ? events were lost\n"
			"%-18s %8s  %7s %-15s %-16s %3s %3s %s\n",
			"SINCE", "WAITED", "TID", "COMM", "CONTAINER", "CPU", "%", "MOST BY");
	for (i = 0; i < nr; i++)
		print_wait(out, h->model, list[i]);
	free(list);
}

static void print_host(FILE *out, const struct host *h, const struct delays_options *opt)
{
	struct victim *const *victims;
	size_t nr, i, shown = 0;

	report_host_text(out, h);
	if (delays_untold(h->user))
		fprintf(out, "  waits of which the begin is unknown: %" PRIu64 "\n",
			delays_untold(h->user));
	if (h->model->nr_losses)
		fputs("  events were lost: more may have been waited than is told\n", out);
	victims = delays_victims(h->user, &nr);
	fprintf(out, "\n%12s  %6s  %9s  %8s  %8s  %s\n", "WAITED s", "%", "WAITS", "MEAN", "MAX",
		"WHO WAITED, AND WHO HAD THE CPU");
	for (i = 0; i < nr; i++) {
		if (!is_wanted(h, opt, victims[i]))
			continue;
		print_victim(out, h, victims[i], opt->histogram);
		shown++;
	}
	if (!shown)
		fputs("nobody waited\n", out);
	print_worst(out, h, opt);
}

void report_delays_text(FILE *out, const struct loaded *l, const struct delays_options *opt)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		if (i)
			putc('\n', out);
		print_host(out, l->hosts[i], opt);
	}
}

/* STEM_least and STEM_most, with the suffix; nothing bounds from above what was lost. */
static void json_bounds(struct json *j, const struct model *m, const char *stem, const char *suffix,
			uint64_t least, uint64_t value)
{
	char key[32];

	snprintf(key, sizeof(key), "%sleast%s", stem, suffix);
	json_uint(j, key, least);
	snprintf(key, sizeof(key), "%smost%s", stem, suffix);
	if (m->nr_losses)
		json_null(j, key);
	else
		json_uint(j, key, value);
}

/* Of those that are not told apart, in one wait or the other. */
static uint64_t ns_of_others(const struct blames *b)
{
	size_t i;

	for (i = 0; i < b->nr; i++)
		if (b->list[i].who.kind == BY_OTHERS)
			return b->list[i].ns;
	return 0;
}

static void json_blames(struct json *j, const struct model *m, const struct blames *b, bool told,
			const struct container *victim)
{
	uint64_t others = ns_of_others(b);
	size_t i;

	json_open(j, "culprits", '[');
	for (i = 0; i < b->nr; i++) {
		const struct culprit *who = &b->list[i].who;

		json_open(j, NULL, '{');
		json_text(j, "kind", culprit_names[who->kind]);
		if (who->kind == BY_TASKS) {
			json_bool(j, "known", who->told);
			json_bool(j, "itself", told && who->told && who->container == victim);
			json_container(j, "container", who->container);
		}
		json_uint(j, "ns", b->list[i].ns);
		json_bounds(j, m, "", "_ns", b->list[i].ns - b->list[i].unsure,
			    b->list[i].ns + (who->kind == BY_OTHERS ? 0 : others));
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_victim(struct json *j, const struct model *m, const struct victim *v)
{
	json_open(j, NULL, '{');
	json_bool(j, "known", v->told);
	json_container(j, "container", v->container);
	json_uint(j, "waits", v->waits);
	json_bounds(j, m, "waits_", "", v->waits - v->unsure_waits, v->waits);
	json_uint(j, "waited_ns", v->ns);
	json_bounds(j, m, "waited_", "_ns", v->ns - v->unsure, v->ns);
	json_uint(j, "unsure_ns", v->unsure);
	json_uint(j, "longest_ns", v->longest);
	json_bounds(j, m, "longest_", "_ns", v->longest_sure, v->longest);
	distribution_json(j, &v->lengths, v->longest);
	json_blames(j, m, &v->blames, v->told, v->container);
	json_close(j, '}');
}

static void json_wait(struct json *j, const struct model *m, const struct wait *w)
{
	json_open(j, NULL, '{');
	json_time(j, "begin_ns", w->begin);
	json_time(j, "end_ns", w->end);
	json_uint(j, "waited_ns", w->ns);
	json_bool(j, "unsure", w->unsure);
	json_bool(j, "unfinished", w->unfinished);
	json_int(j, "cpu", w->cpu);
	json_task_members(j, w->task, w->tid);
	json_bool(j, "known", w->told);
	json_container(j, "container", w->container);
	json_bool(j, "container_unsure", w->place_unsure);
	json_blames(j, m, &w->blames, w->told, w->container);
	json_close(j, '}');
}

static void json_members(struct json *j, const struct host *h, const void *options)
{
	const struct delays_options *opt = options;
	struct victim *const *victims;
	struct wait **worst;
	size_t nr, i;

	json_uint(j, "waits_of_unknown_begin", delays_untold(h->user));
	json_open(j, "victims", '[');
	victims = delays_victims(h->user, &nr);
	for (i = 0; i < nr; i++)
		if (is_wanted(h, opt, victims[i]))
			json_victim(j, h->model, victims[i]);
	json_close(j, ']');
	json_open(j, "worst", '[');
	worst = collect(h, opt, &nr);
	for (i = 0; i < nr; i++)
		json_wait(j, h->model, worst[i]);
	free(worst);
	json_close(j, ']');
}

void report_delays_json(FILE *out, const struct loaded *l, const struct delays_options *opt)
{
	report_json(out, "delays", l, json_members, opt);
}

static void table_blame(struct table *t, const struct host *h, const struct victim *v,
			const struct blame *b)
{
	const struct culprit *who = &b->who;
	char *label = who->kind == BY_TASKS && who->told ? container_label(who->container) : NULL;

	table_row(t, h);
	table_container(t, v->container, v->told);
	table_uint(t, "waits", v->waits);
	table_uint(t, "waited_ns", v->ns);
	table_uint(t, "longest_ns", v->longest);
	distribution_table(t, &v->lengths, v->longest);
	table_text(t, "culprit_kind", culprit_names[who->kind]);
	table_text(t, "culprit", label);
	table_uint(t, "ns", b->ns);
	table_uint(t, "least_ns", b->ns - b->unsure);
	table_end(t);
	free(label);
}

/* One for each power of two. */
static void table_histogram(struct table *t, const struct host *h, const struct victim *v)
{
	struct histogram_bucket b;
	size_t pos = 0;

	while (histogram_next(&v->lengths, &pos, &b)) {
		table_row(t, h);
		table_container(t, v->container, v->told);
		distribution_bucket(t, &b);
		table_end(t);
	}
}

static void table_victim(struct table *t, const struct host *h, const struct victim *v)
{
	size_t i;

	for (i = 0; i < v->blames.nr; i++)
		table_blame(t, h, v, &v->blames.list[i]);
}

void report_delays_table(FILE *out, const struct loaded *l, const struct delays_options *opt)
{
	struct table t = table_new(out, opt->format);
	size_t i, k, nr;

	for (i = 0; i < l->nr_hosts; i++) {
		const struct host *h = l->hosts[i];
		struct victim *const *victims = delays_victims(h->user, &nr);

		for (k = 0; k < nr; k++)
			if (is_wanted(h, opt, victims[k]))
				(opt->histogram ? table_histogram : table_victim)(&t, h,
										  victims[k]);
	}
}
