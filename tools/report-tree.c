/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
#include <stdlib.h>
#include <string.h>

#include "forest.h"
#include "report-check.h"
#include "report-tree.h"
#include "text.h"
#include "util.h"

/* The table keeps to 100 columns: deep nesting is not indented any further. */
#define INDENT	    2
#define INDENT_MAX  12
#define VTIDS_WIDTH 26

static int indent_of(int level)
{
	return level * INDENT < INDENT_MAX ? level * INDENT : INDENT_MAX;
}

static const char *moment(char buf[TIME_TEXT_MAX], uint64_t ns, const char *none)
{
	if (!ns)
		return none;
	time_of_day(buf, ns);
	buf[strlen("00:00:00.000")] = '\0';
	return buf;
}

/*
 * The ids below the root, the own one last: 57/1. Where that is too long the
 * levels between are left out; --json has them all.
 */
static void vtids_column(char *buf, size_t size, const struct task *t)
{
	size_t len = 0;
	int i;

	buf[0] = '\0';
	if (!t->nr_levels) {
		snprintf(buf, size, "?");
		return;
	}
	for (i = t->nr_levels > 1; i < t->nr_levels && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%d", i > 1 ? "/" : "",
					t->vtids[i]);
	if (len > VTIDS_WIDTH)
		snprintf(buf, size, "%d/../%d", t->vtids[1], t->vtids[t->nr_levels - 1]);
}

static void print_task(FILE *out, const struct task *t, int indent)
{
	char vtids[LEVELS_MAX * 12], born[TIME_TEXT_MAX], died[TIME_TEXT_MAX];
	char *comm = text_escape(t->comm), tid[16];
	bool is_thread = t->pid >= 0 && t->pid != t->tid;
	int pad;

	vtids_column(vtids, sizeof(vtids), t);
	snprintf(tid, sizeof(tid), "%s%d", is_thread ? "+" : "", t->tid);
	pad = 17 - (int)text_width(comm);
	fprintf(out, "%*s%9s  %-*s  %s%*s %-13s %s\n", indent, "", tid, VTIDS_WIDTH, vtids,
		*comm ? comm : "?", pad > 0 ? pad : 0, "", moment(born, t->birth, "-"),
		moment(died, t->death, t->exited ? "before" : "-"));
	free(comm);
}

static bool same_cgroup(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void print_cgroup(FILE *out, const char *cgroup, int indent, const char *what)
{
	char *safe = text_escape(cgroup ? cgroup : "not told");

	fprintf(out, "%*s  %s %s\n", indent, "", what, safe);
	free(safe);
}

/* Hundreds of kernel threads would hide what one looks for. */
static bool is_folded(const struct task *t, const struct tree_options *opt)
{
	return t->is_kthread && !opt->all;
}

/* First those of the namespace's own cgroup, then the others under headings. */
static void print_tasks(FILE *out, const struct node *n, int indent, const struct tree_options *opt)
{
	const char *own = node_cgroup(n), *last = own;
	size_t i, folded = 0;
	int pass;

	fprintf(out, "%*s%9s  %-*s  %-17s %-13s %s\n", indent, "", "TID", VTIDS_WIDTH,
		n->ns && n->ns->level ? "VTIDS, own last" : "VTID", "COMM", "BORN", "DIED");
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < n->nr_tasks; i++) {
			const struct sorted_task *s = &n->tasks[i];

			if (same_cgroup(s->cgroup, own) != !pass)
				continue;
			if (is_folded(s->task, opt)) {
				folded++;
				continue;
			}
			if (!same_cgroup(s->cgroup, last))
				print_cgroup(out, s->cgroup, indent, "in cgroup");
			last = s->cgroup;
			print_task(out, s->task, indent);
		}
	}
	if (folded)
		fprintf(out, "%*s  and %zu kernel threads; --all lists them\n", indent, "", folded);
}

static void print_node(FILE *out, const struct model *m, const struct node *n,
		       const struct tree_options *opt)
{
	char born[TIME_TEXT_MAX], died[TIME_TEXT_MAX];
	int indent = indent_of(n->ns->level);
	size_t i;

	fprintf(out, "\n%*sPID namespace %u, level %d", indent, "", n->ns->inum, n->ns->level);
	if (n->ns->level)
		fprintf(out, ", in %s%u", n->ns->parent ? "" : "one below ",
			n->ns->parent ? n->ns->parent->inum : m->root_inum);
	fprintf(out, "\n%*s  born %s, died %s\n", indent, "",
		moment(born, n->ns->birth, "before the trace"),
		moment(died, n->ns->death, "not in the trace"));
	print_cgroup(out, node_cgroup(n), indent, "cgroup");
	if (n->nr_tasks)
		print_tasks(out, n, indent, opt);
	for (i = 0; i < n->nr_children; i++)
		print_node(out, m, n->children[i], opt);
}

static void print_host(FILE *out, const struct host *h, const struct tree_options *opt)
{
	uint64_t at = opt->at_given ? h->model->attributes_until : 0;
	char buf[TIME_TEXT_MAX];
	struct forest f = {0};
	size_t i;

	report_host_text(out, h);
	if (at)
		fprintf(out, "  at %s\n", time_full(buf, at));
	forest_grow(&f, h->model, at);
	for (i = 0; i < f.nr_roots; i++)
		print_node(out, h->model, f.roots[i], opt);
	if (f.unknown.nr_tasks) {
		fprintf(out, "\ntasks whose PID namespace was never told\n");
		print_tasks(out, &f.unknown, 0, opt);
	}
	forest_free(&f);
}

void report_tree_text(FILE *out, const struct loaded *l, const struct tree_options *opt)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		if (i)
			putc('\n', out);
		print_host(out, l->hosts[i], opt);
	}
}

static void json_task(struct json *j, const struct model *m, const struct task *t)
{
	const struct task_cgroup *c;
	int i;

	json_open(j, NULL, '{');
	json_int(j, "tid", t->tid);
	if (t->pid >= 0)
		json_int(j, "pid", t->pid);
	json_open(j, "vtids", '[');
	for (i = 0; i < t->nr_levels; i++)
		json_int(j, NULL, t->vtids[i]);
	json_close(j, ']');
	json_text(j, "comm", t->comm);
	json_time(j, "birth", t->birth);
	json_time(j, "death", t->death);
	json_bool(j, "is_kernel_thread", t->is_kthread);
	json_open(j, "cgroups", '[');
	for (c = t->cgroups; c && c < t->cgroups + t->nr_cgroups; c++) {
		const struct cgroup *known = model_cgroup(m, c->hierarchy, c->id);

		json_open(j, NULL, '{');
		json_int(j, "hierarchy", c->hierarchy);
		json_uint(j, "id", c->id);
		if (known)
			json_text(j, "path", known->path);
		else
			json_null(j, "path");
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static void json_tasks(struct json *j, const char *key, const struct model *m, const struct node *n)
{
	size_t i;

	json_open(j, key, '[');
	for (i = 0; i < n->nr_tasks; i++)
		json_task(j, m, n->tasks[i].task);
	json_close(j, ']');
}

static void json_node(struct json *j, const struct model *m, const struct node *n)
{
	const char *cgroup = node_cgroup(n);
	size_t i;

	json_open(j, NULL, '{');
	json_uint(j, "inum", n->ns->inum);
	json_int(j, "level", n->ns->level);
	json_time(j, "birth", n->ns->birth);
	json_time(j, "death", n->ns->death);
	if (n->ns->init_start_time != ABSENT)
		json_uint(j, "init_start_time", (uint64_t)n->ns->init_start_time);
	if (n->ns->user_ns_inum != ABSENT)
		json_uint(j, "user_ns_inum", (uint64_t)n->ns->user_ns_inum);
	if (cgroup)
		json_text(j, "cgroup", cgroup);
	json_tasks(j, "tasks", m, n);
	json_open(j, "namespaces", '[');
	for (i = 0; i < n->nr_children; i++)
		json_node(j, m, n->children[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_host(struct json *j, const struct host *h, const struct tree_options *opt)
{
	uint64_t at = opt->at_given ? h->model->attributes_until : 0;
	struct forest f = {0};
	size_t i;

	forest_grow(&f, h->model, at);
	json_open(j, NULL, '{');
	report_host_json(j, h);
	if (at)
		json_time(j, "at", at);
	json_open(j, "namespaces", '[');
	for (i = 0; i < f.nr_roots; i++)
		json_node(j, h->model, f.roots[i]);
	json_close(j, ']');
	json_tasks(j, "tasks_of_unknown_namespace", h->model, &f.unknown);
	json_close(j, '}');
	forest_free(&f);
}

void report_tree_json(FILE *out, const struct loaded *l, const struct tree_options *opt)
{
	struct json j = {.out = out};
	size_t i;

	json_open(&j, NULL, '{');
	json_text(&j, "format", "lttng-containers-tree");
	json_int(&j, "version", 1);
	json_open(&j, "hosts", '[');
	for (i = 0; i < l->nr_hosts; i++)
		json_host(&j, l->hosts[i], opt);
	json_close(&j, ']');
	json_close(&j, '}');
}
