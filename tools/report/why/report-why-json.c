/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "report-why.h"
#include "report/distribution.h"
#include "label/label.h"
#include "report/report-host.h"
#include "why-blame.h"
#include "why-tree.h"

static const char *const culprit_names[] = {
	[BY_TASKS] = "tasks",	  [BY_INTERRUPTS] = "interrupts", [BY_IDLE] = "idle",
	[BY_UNKNOWN] = "unknown", [BY_OTHERS] = "others",
};

static const char *const io_names[] = {"read", "write", "other"};
static const char *const memory_names[] = {"reclaim", "fault", "dirty"};
static const char *const how_names[] = {"wakeup", "signal", "exit"};

static const char *const lock_names[LOCK_KINDS] = {
	[LOCK_MUTEX] = "mutex",	  [LOCK_READ] = "read", [LOCK_WRITE] = "write",
	[LOCK_PERCPU] = "percpu", [LOCK_RT] = "rt",	[LOCK_SEMAPHORE] = "semaphore",
};

static const char *const reason_names[UNKNOWN_NR] = {
	[UNKNOWN_LOST] = "lost",	   [UNKNOWN_BEFORE] = "before",	  [UNKNOWN_WAKER] = "waker",
	[UNKNOWN_INTERRUPT] = "interrupt", [UNKNOWN_HISTORY] = "history", [UNKNOWN_CHAIN] = "chain",
	[UNKNOWN_CYCLE] = "cycle",
};

/* @others: what some of may be of it, too. Nothing bounds from above what was lost. */
static void json_figures(struct json *j, const struct model *m, uint64_t ns, uint64_t unsure,
			 uint64_t others)
{
	json_uint(j, "ns", ns);
	json_uint(j, "least_ns", ns - unsure);
	if (m->nr_losses)
		json_null(j, "most_ns");
	else
		json_uint(j, "most_ns", ns + others);
}

static void json_who(struct json *j, const struct cause *c, const struct why_account *a)
{
	json_bool(j, "known", c->who.told);
	json_bool(j, "itself", a->told && c->who.told && c->who.container == a->container);
	json_container(j, "container", c->who.container);
}

/* Nothing where none was told of. */
static void json_quota(struct json *j, const struct quota *q)
{
	if (!q)
		return;
	json_int(j, "quota_us", q->us);
	json_int(j, "period_us", q->period_us);
}

static void json_which(struct json *j, const struct why *w, const struct cause *c,
		       const struct why_account *a)
{
	switch (c->kind) {
	case WHY_CPU:
		json_text(j, "culprit", culprit_names[c->who.kind]);
		if (c->who.kind == BY_TASKS)
			json_who(j, c, a);
		break;
	case WHY_THROTTLED:
		json_text_or_null(j, "cgroup", *c->cgroup ? c->cgroup : NULL);
		json_quota(j, why_quota(w, c));
		json_bool(j, "coarse", c->detail == THROTTLE_COARSE);
		break;
	case WHY_OTHERS:
	case WHY_SIGNAL:
	case WHY_LOCK:
		if (c->kind == WHY_LOCK)
			json_text(j, "lock", lock_names[c->detail]);
		else
			json_text(j, "how", how_names[c->detail]);
		json_who(j, c, a);
		json_text_or_null(j, "comm", c->comm && *c->comm ? c->comm : NULL);
		json_bool(j, "kernel", c->comm == cause_kernel);
		break;
	case WHY_DISK:
		json_text_or_null(j, "device", why_device(w, c->dev));
		json_text(j, "operation", io_names[c->detail]);
		break;
	case WHY_MEMORY:
		json_text(j, "what", memory_names[c->detail]);
		json_text_or_null(j, "device", why_device(w, c->dev));
		break;
	case WHY_NETWORK:
	case WHY_SLEPT:
		json_text_or_null(j, "call", c->call);
		break;
	default:
		json_text(j, "reason", reason_names[c->detail]);
		break;
	}
}

/* What was done with the request, and whose the disk had. */
static void json_stage(struct json *j, const struct cause *c, bool own)
{
	json_text(j, "stage", why_stage_name(c->stage));
	if (c->stage == DISK_NOT_TOLD || c->stage == DISK_NOT_YET)
		return;
	json_text(j, "culprit", culprit_names[c->who.kind]);
	if (c->who.kind != BY_TASKS)
		return;
	json_bool(j, "own", own);
	json_bool(j, "known", c->who.told);
	json_container(j, "container", c->who.container);
	json_text_or_null(j, "comm", c->comm && *c->comm ? c->comm : NULL);
	json_bool(j, "kernel", c->comm == cause_kernel);
}

void why_json_request(struct json *j, const struct cause *c, bool own)
{
	json_open(j, "request", '{');
	json_stage(j, c, own);
	json_close(j, '}');
}

static void json_nodes(struct json *j, const struct host *h, const char *key,
		       const struct why_node *n, const struct why_account *a);

void why_json_cause(struct json *j, const struct why *w, const struct cause *c,
		    const struct why_account *a)
{
	json_text(j, "kind", why_name(c->kind));
	/* Of the others there is but one. */
	if (c->kind != WHY_RAN && c->kind != WHY_INTERRUPTED && c->kind != WHY_NOT_WOKEN)
		json_which(j, w, c, a);
}

static const char *key_of_list(const struct why_node *n)
{
	if (n->level == NODE_KIND)
		return "by";
	return n->list[0]->level == NODE_STAGE ? "requests" : "meanwhile";
}

static bool is_of_others(const struct why_node *n)
{
	return n->level != NODE_KIND && n->cause->who.kind == BY_OTHERS;
}

/* @others: ns of those that are not told apart, beside it. */
static void json_node(struct json *j, const struct host *h, const struct why_node *n,
		      const struct why_account *a, uint64_t others)
{
	json_open(j, NULL, '{');
	if (n->level == NODE_KIND)
		json_text(j, "kind", why_name(n->cause->kind));
	else if (n->level == NODE_WHICH)
		json_which(j, h->user, n->cause, a);
	else
		json_stage(j, n->cause, n->own);
	json_figures(j, h->model, n->ns, n->unsure, is_of_others(n) ? 0 : others);
	if (n->nr)
		json_nodes(j, h, key_of_list(n), n, a);
	json_close(j, '}');
}

static void json_nodes(struct json *j, const struct host *h, const char *key,
		       const struct why_node *n, const struct why_account *a)
{
	uint64_t others = 0;
	size_t i;

	for (i = 0; i < n->nr; i++)
		others += is_of_others(n->list[i]) ? n->list[i]->ns : 0;
	json_open(j, key, '[');
	for (i = 0; i < n->nr; i++)
		json_node(j, h, n->list[i], a, others);
	json_close(j, ']');
}

static void json_blame(struct json *j, const struct host *h, const struct why_account *a)
{
	const struct why_blame b = why_blame(h->user, a);

	if (!b.what) {
		json_null(j, "most_to_blame");
		return;
	}
	json_open(j, "most_to_blame", '{');
	json_uint(j, "kept_waiting_ns", b.of);
	json_uint(j, "ns", b.ns);
	json_open(j, "cause", '{');
	why_json_cause(j, h->user, b.what, a);
	if (b.had_disk)
		why_json_request(j, b.what, false);
	json_close(j, '}');
	if (b.whose) {
		json_open(j, "whose", '{');
		json_which(j, h->user, b.whose, a);
		json_close(j, '}');
	} else {
		json_null(j, "whose");
	}
	json_close(j, '}');
}

static void json_waits(struct json *j, const struct why_account *a)
{
	size_t i;

	json_open(j, "waits", '[');
	for (i = 0; a->waits && i < WHY_NR; i++) {
		const struct why_waits *waits = &a->waits[i];

		if (!waits->lengths.total)
			continue;
		json_open(j, NULL, '{');
		json_text(j, "kind", why_name((enum why_kind)i));
		json_uint(j, "waits", waits->lengths.total);
		json_uint(j, "longest_ns", waits->longest);
		distribution_json(j, &waits->lengths, waits->longest);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_account(struct json *j, const struct host *h, const struct why_account *a)
{
	struct why_node *tree = why_tree(a);

	json_open(j, NULL, '{');
	json_bool(j, "known", a->told);
	json_container(j, "container", a->container);
	if (a->task)
		json_task_members(j, a->task, a->task->tid);
	json_uint(j, "threads", a->threads);
	json_figures(j, h->model, a->ns, a->unsure, 0);
	json_blame(j, h, a);
	json_nodes(j, h, "causes", tree, a);
	json_waits(j, a);
	json_close(j, '}');
	why_tree_free(tree);
}

static void json_wait(struct json *j, const struct why_wait_of *of)
{
	const struct why_wait *w = of->wait;

	json_open(j, NULL, '{');
	json_time(j, "begin_ns", w->begin);
	json_time(j, "end_ns", w->end);
	json_uint(j, "waited_ns", w->end - w->begin);
	json_bool(j, "unsure", w->unsure);
	json_task_members(j, w->task, w->task->tid);
	json_bool(j, "known", of->account->told);
	json_container(j, "container", of->account->container);
	json_open(j, "most", '{');
	json_text(j, "kind", why_name(w->cause->kind));
	json_bool(j, "known", w->cause->who.told);
	json_container(j, "container", w->cause->who.container);
	json_uint(j, "ns", w->ns);
	json_close(j, '}');
	json_close(j, '}');
}

static void json_members(struct json *j, const struct host *h, const void *options)
{
	const struct why_report_options *opt = options;
	struct why_account *const *accounts;
	struct why_wait_of *worst;
	const char *event;
	uint64_t from, to;
	size_t nr, i;

	why_window(h->user, &from, &to);
	json_text(j, "by", opt->by_task ? "task" : "container");
	json_time(j, "from_ns", from);
	json_time(j, "to_ns", to);
	json_open(j, "not_recorded", '[');
	for (i = 0; why_not_recorded(h, i, &event); i++)
		if (event)
			json_text(j, NULL, event);
	json_close(j, ']');
	json_open(j, "rows", '[');
	accounts = why_accounts(h->user, &nr);
	for (i = 0; i < nr; i++)
		if (why_is_wanted(h, opt, accounts[i]))
			json_account(j, h, accounts[i]);
	json_close(j, ']');
	json_open(j, "worst", '[');
	worst = why_worst(h, opt, &nr);
	for (i = 0; i < nr; i++)
		json_wait(j, &worst[i]);
	free(worst);
	json_close(j, ']');
}

void report_why_json(FILE *out, const struct loaded *l, const struct why_report_options *opt)
{
	report_json(out, "why", l, json_members, opt);
	putc('\n', out);
}

/* @which: one of a kind; NULL: there are none. */
static void table_cause(struct table *t, const struct host *h, const struct why_account *a,
			const struct why_node *kind, const struct why_node *which)
{
	const struct why_node *n = which ? which : kind;
	char *label = which ? why_label(h->user, which->cause, a) : NULL;

	table_row(t, h);
	table_container(t, a->container, a->told);
	if (a->task)
		table_task(t, a->task, a->task->tid);
	table_uint(t, "threads", a->threads);
	table_text(t, "kind", why_name(kind->cause->kind));
	table_text(t, "which", label);
	table_uint(t, "ns", n->ns);
	table_uint(t, "least_ns", n->ns - n->unsure);
	table_end(t);
	free(label);
}

static void table_account(struct table *t, const struct host *h, const struct why_account *a)
{
	struct why_node *tree = why_tree(a);
	size_t i, k;

	for (i = 0; i < tree->nr; i++) {
		const struct why_node *kind = tree->list[i];

		for (k = 0; k < kind->nr; k++)
			table_cause(t, h, a, kind, kind->list[k]);
		if (!kind->nr)
			table_cause(t, h, a, kind, NULL);
	}
	why_tree_free(tree);
}

/* One for each power of two. */
static void table_waits(struct table *t, const struct host *h, const struct why_account *a)
{
	size_t i;

	for (i = 0; a->waits && i < WHY_NR; i++) {
		struct histogram_bucket b;
		size_t pos = 0;

		while (histogram_next(&a->waits[i].lengths, &pos, &b)) {
			table_row(t, h);
			table_container(t, a->container, a->told);
			table_text(t, "kind", why_name((enum why_kind)i));
			distribution_bucket(t, &b);
			table_end(t);
		}
	}
}

void report_why_table(FILE *out, const struct loaded *l, const struct why_report_options *opt)
{
	struct table t = table_new(out, opt->format);
	struct why_account *const *accounts;
	size_t i, k, nr;

	for (i = 0; i < l->nr_hosts; i++) {
		accounts = why_accounts(l->hosts[i]->user, &nr);
		for (k = 0; k < nr; k++)
			if (why_is_wanted(l->hosts[i], opt, accounts[k]))
				(opt->histogram ? table_waits : table_account)(&t, l->hosts[i],
									       accounts[k]);
	}
}
