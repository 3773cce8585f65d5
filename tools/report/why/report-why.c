/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report-why.h"
#include "report/column.h"
#include "report/distribution.h"
#include "label/label.h"
#include "report/report-host.h"
#include "why-blame.h"
#include "why-tree.h"
#include "base/text.h"
#include "base/util.h"

/* The text is for one screen; --json has all. */
#define SHOWN_MAX    5
#define LEVELS_SHOWN 5
#define NAME_WIDTH   48
#define TEXT_WIDTH   100
/* Of the line that says what is to blame. */
#define BLAMED_WIDTH 24
#define BLAME_WIDTH  20

/* What is told apart by which events; one of the kinds is enough. */
static const struct {
	enum event_kind kind, or ;
	const char *event, *what;
} told_by[] = {
	{EV_IRQ_ENTRY, EV_SOFTIRQ_ENTRY, "irq_*", "interrupts, which look like the tasks' doing"},
	{EV_HRTIMER_ENTRY, EV_HRTIMER_ENTRY, "timer_hrtimer_expire_*", "timers"},
	{EV_BLOCK_RQ_COMPLETE, EV_BLOCK_RQ_COMPLETE, "block_rq_complete", "disk"},
	{EV_BLOCK_RQ_ISSUE, EV_BLOCK_RQ_ISSUE, "block_rq_issue", "disk queues"},
	{EV_BLOCK_CHARGE, EV_BLOCK_CHARGE, "block_rq_charge", "whose pages kworkers write"},
	{EV_SOFTIRQ_RAISE, EV_SOFTIRQ_RAISE, "irq_softirq_raise", "network within the host"},
	{EV_SIGNAL_GENERATE, EV_SIGNAL_GENERATE, "signal_generate", "signals"},
	{EV_THROTTLE, EV_THROTTLE, "cgroup_throttle_*", "throttling by quotas"},
	{EV_RECLAIM_BEGIN, EV_MEMCG_RECLAIM_BEGIN, "mm_vmscan_*_reclaim_*", "direct reclaim"},
	{EV_DIRTY_PAUSE, EV_DIRTY_PAUSE, "writeback_balance_dirty_pages", "too many dirty pages"},
	{EV_LOCK_BEGIN, EV_LOCK_BEGIN, "lock_contention_*", "locks"},
};

const char *why_not_recorded(const struct host *h, size_t i, const char **event)
{
	if (i >= ARRAY_SIZE(told_by))
		return NULL;
	*event = h->offers[told_by[i].kind] || h->offers[told_by[i].or ] ? NULL : told_by[i].event;
	if (told_by[i].kind == EV_THROTTLE && why_is_coarse(h->user))
		return "when quotas throttle (for how long: coarse, by cpu.stat)";
	return told_by[i].what;
}

bool why_is_wanted(const struct host *h, const struct why_report_options *opt,
		   const struct why_account *a)
{
	return a->ns && (!opt->selection ||
			 (a->told && selection_holds(opt->selection, h->model, a->container)));
}

static double seconds(uint64_t ns)
{
	return (double)ns / NS_PER_SEC;
}

/* A line without its end. */
static void print_figures(FILE *out, unsigned int level, const char *label, uint64_t ns,
			  uint64_t whole)
{
	char *text = xstrdup(label);
	int width = NAME_WIDTH - 2 * (int)level;

	text_fit(text, (size_t)width);
	fprintf(out, "%*s%s%*s %12.6f %7.2f", 2 * (int)level, "", text,
		width - (int)text_width(text), "", seconds(ns),
		whole ? 100.0 * (double)ns / (double)whole : 0.0);
	free(text);
}

static void print_line(FILE *out, unsigned int level, const char *label, uint64_t ns,
		       uint64_t whole)
{
	print_figures(out, level, label, ns, whole);
	putc('\n', out);
}

/* An account whose lines are printed. */
struct lines {
	FILE *out;
	const struct host *h;
	const struct why_account *a;
	uint64_t little; /* ns; what is less has no line of its own below the first level */
	bool histogram;
};

/* What has no line of its own. */
struct rest {
	size_t nr;
	uint64_t ns;
};

static void add_rest(struct rest *r, const struct why_node *n)
{
	r->nr++;
	time_add(&r->ns, n->ns);
}

static void print_rest(const struct lines *l, const struct rest *r, unsigned int level)
{
	char *label = xasprintf("%zu more", r->nr);

	if (r->nr)
		print_line(l->out, level, label, r->ns, l->a->ns);
	free(label);
}

static void print_nodes(const struct lines *l, const struct why_node *n, unsigned int level);

/* @kind: NULL, or what stands before which one it is. */
static void print_which(const struct lines *l, const struct why_node *n, const char *kind,
			unsigned int level)
{
	char *which = n->level == NODE_STAGE ? why_stage_label(n->cause, l->a, n->own)
					     : why_label(l->h->user, n->cause, l->a);
	char *label =
		xasprintf("%s%s%s", kind ? kind : "", kind ? ": " : "", which ? which : "not told");

	print_line(l->out, level, label, n->ns, l->a->ns);
	print_nodes(l, n, level + 1);
	free(label);
	free(which);
}

/* What a waker did is a kind and which one in a line. */
static void print_below(const struct lines *l, const struct why_node *kind, unsigned int level,
			struct rest *rest)
{
	const char *name = why_title(kind->cause->kind);
	size_t i;

	if (!kind->nr && kind->ns < l->little)
		add_rest(rest, kind);
	else if (!kind->nr)
		print_line(l->out, level, name, kind->ns, l->a->ns);
	for (i = 0; i < kind->nr; i++)
		if (i < SHOWN_MAX && kind->list[i]->ns >= l->little)
			print_which(l, kind->list[i], name, level);
		else
			add_rest(rest, kind->list[i]);
}

/* A kind of cause, and how long single waits of it were: by task that is not counted. */
static void print_kind(const struct lines *l, const struct why_node *n)
{
	const enum why_kind kind = n->cause->kind;
	const struct why_waits *waits = l->a->waits ? &l->a->waits[kind] : NULL;
	char p50[DURATION_MAX], p99[DURATION_MAX], max[DURATION_MAX];

	print_figures(l->out, 1, why_title(kind), n->ns, l->a->ns);
	if (waits && waits->lengths.total)
		fprintf(l->out, " %8s %8s %8s",
			duration(p50, histogram_percentile(&waits->lengths, 50, waits->longest)),
			duration(p99, histogram_percentile(&waits->lengths, 99, waits->longest)),
			duration(max, waits->longest));
	putc('\n', l->out);
}

/* How long those of a kind were, @ns together. */
static void print_waits(const struct lines *l, enum why_kind kind, uint64_t ns)
{
	const struct why_waits *waits = l->a->waits ? &l->a->waits[kind] : NULL;
	char mean[DURATION_MAX], max[DURATION_MAX];

	if (!l->histogram || !waits || !waits->lengths.total)
		return;
	fprintf(l->out, "    %" PRIu64 " wait%s, mean %s, longest %s\n", waits->lengths.total,
		waits->lengths.total == 1 ? "" : "s", duration(mean, ns / waits->lengths.total),
		duration(max, waits->longest));
	distribution_text(l->out, &waits->lengths, waits->longest, 4);
	distribution_bars(l->out, &waits->lengths, 4);
}

/* Nothing but what it asked for itself was in the way of a request. */
static bool is_as_expected(const struct why_node *n)
{
	return n->nr == 1 && n->list[0]->level == NODE_STAGE && n->list[0]->own &&
	       n->list[0]->cause->stage == DISK_SERVED && n->list[0]->ns == n->ns;
}

static void print_nodes(const struct lines *l, const struct why_node *n, unsigned int level)
{
	struct rest rest = {0};
	size_t i;

	if (level > LEVELS_SHOWN || (level > 2 && n->ns < l->little) || is_as_expected(n))
		return;
	for (i = 0; i < n->nr; i++) {
		const struct why_node *child = n->list[i];

		if (child->level == NODE_KIND && level > 1) {
			print_below(l, child, level, &rest);
		} else if (child->level == NODE_KIND) {
			print_kind(l, child);
			print_waits(l, child->cause->kind, child->ns);
			print_nodes(l, child, level + 1);
		} else if (!i || (i < SHOWN_MAX && child->ns >= l->little)) {
			print_which(l, child, NULL, level);
		} else {
			add_rest(&rest, child);
		}
	}
	print_rest(l, &rest, level);
}

/* Who or which one of what there are several, for the line that says what is to blame. */
static char *label_blamed(const struct why *w, const struct why_blame *b,
			  const struct why_account *a)
{
	static const char *const nobody[] = {
		[BY_INTERRUPTS] = "interrupts",
		[BY_IDLE] = "idle CPU",
		[BY_UNKNOWN] = "unknown",
		[BY_OTHERS] = "others",
	};
	const struct cause *c = b->whose ? b->whose : b->what;

	if (c->kind == WHY_CPU && c->who.kind != BY_TASKS)
		return xstrdup(nobody[c->who.kind]);
	if ((b->whose || c->kind == WHY_CPU) && why_is_itself(c, a))
		return xstrdup("itself");
	if (b->had_disk)
		return why_who_label(c, a);
	return b->whose ? why_who_label(c, a) : why_label(w, c, a);
}

/* What that one did. */
static char *label_blame(const struct why *w, const struct why_blame *b,
			 const struct why_account *a)
{
	char *which, *label;

	if (b->what->kind == WHY_CPU)
		return xstrdup(b->what->who.kind == BY_IDLE ? "late to switch" : "had the CPU");
	if (b->had_disk)
		return xstrdup("had the disk");
	/* Whose quota says the rest, and wants the room. */
	if (b->what->kind == WHY_THROTTLED && !b->whose)
		return xstrdup(why_name(b->what->kind));
	if (!b->whose)
		return xstrdup(why_title(b->what->kind));
	which = why_label(w, b->what, a);
	label = xasprintf("%s%s%s", why_title(b->what->kind), *which ? ": " : "", which);
	free(which);
	return label;
}

/* The answer in a line; what is below has the rest. */
static void print_blame(FILE *out, const struct host *h, const struct why_account *a)
{
	const struct why_blame b = why_blame(h->user, a);
	char of[DURATION_MAX], ns[DURATION_MAX], *who, *what;

	if (!b.what)
		return;
	who = label_blamed(h->user, &b, a);
	what = text_fit(label_blame(h->user, &b, a), BLAME_WIDTH);
	fprintf(out, "  kept waiting for %s; most to blame: %s", duration(of, b.of),
		text_fit(who, BLAMED_WIDTH + BLAME_WIDTH - text_width(what)));
	fprintf(out, " (%s), %s, %.0f%%\n", what, duration(ns, b.ns),
		100.0 * (double)b.ns / (double)b.of);
	free(who);
	free(what);
}

/* A hundredth of the time in which something was to be done. */
static uint64_t little_of(const struct why_account *a, const struct why_node *root)
{
	uint64_t asleep = 0;
	size_t i;

	for (i = 0; i < root->nr; i++)
		if (root->list[i]->cause->kind == WHY_SLEPT ||
		    root->list[i]->cause->kind == WHY_NOT_WOKEN)
			time_add(&asleep, root->list[i]->ns);
	return (a->ns - asleep) / 100;
}

static char *account_title(const struct host *h, const struct why_account *a)
{
	char *name = why_place_label(a->told, a->container, NAME_WIDTH - text_width(h->prefix));
	char *vtids, *comm, *label;

	if (!a->task) {
		label = xasprintf("%s%s", h->prefix, name);
		free(name);
		return label;
	}
	vtids = label_vtids(a->task);
	comm = text_escape(a->task->comm);
	label = xasprintf("%s%s %d (%s) %s", h->prefix, name, a->task->tid, vtids, comm);
	free(vtids);
	free(comm);
	free(name);
	return label;
}

static void print_account(FILE *out, const struct host *h, const struct why_account *a,
			  bool histogram)
{
	struct why_node *tree = why_tree(a);
	char *label = account_title(h, a);
	int pad;

	pad = NAME_WIDTH - (int)text_width(label);
	fprintf(out, "\n%s%*s %12.6f %7.2f", label, pad > 0 ? pad : 0, "", seconds(a->ns), 100.0);
	if (!a->task)
		fprintf(out, "  of %" PRIu64 " thread%s", a->threads, a->threads == 1 ? "" : "s");
	putc('\n', out);
	print_blame(out, h, a);
	print_nodes(&(struct lines){out, h, a, little_of(a, tree), histogram}, tree, 1);
	if (a->unsure)
		print_line(out, 1, "of it not sure, as events were lost", a->unsure, a->ns);
	free(label);
	why_tree_free(tree);
}

static int compare_waits(const void *a, const void *b)
{
	const struct why_wait *x = ((const struct why_wait_of *)a)->wait;
	const struct why_wait *y = ((const struct why_wait_of *)b)->wait;
	uint64_t xs = x->end - x->begin, ys = y->end - y->begin;

	if (xs != ys)
		return xs > ys ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->task->tid - y->task->tid;
}

struct why_wait_of *why_worst(const struct host *h, const struct why_report_options *opt,
			      size_t *nr)
{
	struct why_account *const *accounts;
	struct why_wait_of *list = NULL;
	size_t nr_accounts, cap = 0, i, k;

	*nr = 0;
	accounts = why_accounts(h->user, &nr_accounts);
	for (i = 0; i < nr_accounts; i++)
		for (k = 0; why_is_wanted(h, opt, accounts[i]) && k < accounts[i]->nr_worst; k++) {
			list = grow(list, *nr, &cap, sizeof(*list));
			list[(*nr)++] = (struct why_wait_of){accounts[i], &accounts[i]->worst[k]};
		}
	if (*nr)
		qsort(list, *nr, sizeof(*list), compare_waits);
	if (*nr > opt->nr_worst)
		*nr = opt->nr_worst;
	return list;
}

static void print_wait(FILE *out, const struct host *h, const struct why_wait_of *of)
{
	const struct why_wait *w = of->wait;
	char begin[TIME_TEXT_MAX], length[DURATION_MAX],
		*comm = text_escape(*w->task->comm ? w->task->comm : "?");
	char *name = why_place_label(of->account->told, of->account->container, 16);
	char *which = why_label(h->user, w->cause, of->account);
	int pad;
	char *most = xasprintf("%s%s%s", why_title(w->cause->kind), *which ? ": " : "", which);

	text_fit(comm, 15);
	pad = 16 - (int)text_width(name);
	fprintf(out, "%18s %8s%c %7d %s%*s %s%*s %s\n", time_of_day(begin, w->begin),
		duration(length, w->end - w->begin), w->unsure ? '?' : ' ', w->task->tid, comm,
		15 - (int)text_width(comm), "", name, pad > 0 ? pad : 0, "", text_fit(most, 26));
	free(comm);
	free(name);
	free(which);
	free(most);
}

static void print_worst(FILE *out, const struct host *h, const struct why_report_options *opt)
{
	size_t nr, i;
	struct why_wait_of *list = why_worst(h, opt, &nr);

	if (nr)
		fprintf(out,
			"\nthe longest waits, without sleep of their own choice; ? events were "
			"lost\n"
			"%-18s %8s  %7s %-15s %-16s %s\n",
			"SINCE", "WAITED", "TID", "COMM", "CONTAINER", "MOST OF IT");
	for (i = 0; i < nr; i++)
		print_wait(out, h, &list[i]);
	free(list);
}

static void print_not_recorded(FILE *out, const struct host *h)
{
	const char *what, *event;
	size_t i, column = 0;

	for (i = 0; (what = why_not_recorded(h, i, &event)); i++) {
		if (!event)
			continue;
		if (!column)
			fputs("  not told apart, as events of it are not in the trace"
			      " (lttng-containers record --why):",
			      out);
		else
			putc(',', out);
		/* With the comma behind it. */
		if (!column || column + 1 + strlen(what) + 1 > TEXT_WIDTH)
			column = (size_t)fprintf(out, "\n    %s", what);
		else
			column += (size_t)fprintf(out, " %s", what) + 1;
	}
	if (column)
		putc('\n', out);
}

static void print_host(FILE *out, const struct host *h, const struct why_report_options *opt)
{
	struct why_account *const *accounts;
	size_t nr, i, shown = 0;

	report_host_text(out, h);
	print_not_recorded(out, h);
	fprintf(out, "\n%-*s %12s %7s", NAME_WIDTH, "WHAT THE TIME WENT BY FOR", "TIME s", "%");
	fputs(opt->by_task ? "\n" : "      P50      P99      MAX\n", out);
	accounts = why_accounts(h->user, &nr);
	for (i = 0; i < nr; i++) {
		if (!why_is_wanted(h, opt, accounts[i]))
			continue;
		print_account(out, h, accounts[i], opt->histogram);
		shown++;
	}
	if (!shown)
		fputs("\nno thread lived in that time\n", out);
	print_worst(out, h, opt);
}

void report_why_text(FILE *out, const struct loaded *l, const struct why_report_options *opt)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		if (i)
			putc('\n', out);
		print_host(out, l->hosts[i], opt);
	}
}
