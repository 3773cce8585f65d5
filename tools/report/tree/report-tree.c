/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "hierarchy.h"
#include "label/label.h"
#include "report/report-host.h"
#include "report-tree.h"
#include "base/text.h"
#include "base/util.h"

/* The table keeps to 100 columns: deep nesting is not indented any further. */
#define INDENT	    2
#define INDENT_MAX  12
#define VTIDS_WIDTH 26
#define SHORT_ID    12

static int indent_of(int level)
{
	return level < INDENT_MAX / INDENT ? level * INDENT : INDENT_MAX;
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

static void print_cgroup(FILE *out, const char *cgroup)
{
	char *safe = text_escape(cgroup ? cgroup : "unknown");

	fprintf(out, "cgroup %s\n", safe);
	free(safe);
}

/* What is not as the heading of the container says. */
static void print_place(FILE *out, const struct node *n, const struct sorted_task *s, int indent)
{
	const struct pidns *ns = s->task->ns;

	fprintf(out, "%*s  in ", indent, "");
	if (ns != n->ns)
		fprintf(out, "PID namespace %u, ", ns ? ns->inum : 0);
	print_cgroup(out, s->cgroup);
}

/* Hundreds of kernel threads would hide what one looks for. */
static bool is_folded(const struct task *t, const struct tree_options *opt)
{
	return t->is_kthread && !opt->all;
}

static bool is_at_home(const struct node *n, const struct sorted_task *s, const char *cgroup)
{
	return s->task->ns == n->ns && same_cgroup(s->cgroup, cgroup);
}

/* First those in the container's own namespace and cgroup, then the others under headings. */
static void print_tasks(FILE *out, const struct node *n, int indent, const struct tree_options *opt)
{
	const char *own = node_cgroup(n);
	const struct sorted_task *last = NULL;
	size_t i, folded = 0;
	int pass;

	fprintf(out, "%*s%9s  %-*s  %-17s %-13s %s\n", indent, "", "TID", VTIDS_WIDTH,
		n->container ? "VTIDS, own last" : "VTID", "COMM", "BORN", "DIED");
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < n->nr_tasks; i++) {
			const struct sorted_task *s = &n->tasks[i];

			if (is_at_home(n, s, own) != !pass)
				continue;
			if (is_folded(s->task, opt)) {
				folded++;
				continue;
			}
			if (pass && !(last && last->task->ns == s->task->ns &&
				      same_cgroup(s->cgroup, last->cgroup)))
				print_place(out, n, s, indent);
			last = pass ? s : NULL;
			print_task(out, s->task, indent);
		}
	}
	if (folded)
		fprintf(out, "%*s  and %zu kernel threads; --all lists them\n", indent, "", folded);
}

/* What root's state does not tell. */
static void print_teller(FILE *out, struct model *m, struct container *c)
{
	uint32_t user;

	if (container_user(c, &user))
		fprintf(out, ", %s by user %lu", c->teller == TELLER_USER ? "told" : "claimed",
			(unsigned long)user);
	else if (container_is_claimed(c))
		fprintf(out, ", claimed by the %s around it",
			container_parent(m, c) ? "container" : "service");
	else if (c->teller == TELLER_CGROUP)
		fputs(", by its cgroup", out);
}

static void print_identity(FILE *out, const struct host *h, struct container *c)
{
	char *label = container_label_safe(c), *runtime = text_escape(c->runtime),
	     *cut = xasprintf("%.*s", SHORT_ID, c->id), *id = text_escape(cut);

	fprintf(out, "container %s%s, ", h->prefix, label);
	if (!*c->id && !c->name)
		fputs("unnamed", out);
	else
		fputs(*runtime ? runtime : "runtime unknown", out);
	if (c->name && *c->id && strcmp(c->id, c->name))
		fprintf(out, ", id %s", id);
	print_teller(out, h->model, c);
	free(label);
	free(runtime);
	free(cut);
	free(id);
}

static void print_pod(FILE *out, const struct pod *p, int indent)
{
	char *id = text_escape(p->id), *name = p->name ? text_escape(p->name) : NULL;
	char *space = p->space ? text_escape(p->space) : NULL;

	fprintf(out, "%*s  pod %s%s%s\n", indent, "", space ? space : "", space ? "/" : "",
		name ? name : id);
	free(id);
	free(name);
	free(space);
}

static void print_container(FILE *out, const struct host *h, const struct node *n, int indent)
{
	struct container *c = n->container;
	struct model *m = h->model;
	char born[TIME_TEXT_MAX], died[TIME_TEXT_MAX];

	print_identity(out, h, c);
	fprintf(out, "\n%*s  ", indent, "");
	if (n->ns)
		fprintf(out, "PID namespace %u, level %d, in %s%u\n", n->ns->inum, n->ns->level,
			n->ns->parent ? "" : "one below ",
			n->ns->parent ? n->ns->parent->inum : m->root_inum);
	else
		fputs("no PID namespace of its own\n", out);
	fprintf(out, "%*s  born %s, died %s\n", indent, "",
		moment(born, container_birth(c), "before the trace"),
		moment(died, container_death(c), "not in the trace"));
	if (c->pod)
		print_pod(out, c->pod, indent);
	fprintf(out, "%*s  ", indent, "");
	print_cgroup(out, node_cgroup(n));
}

static void print_node(FILE *out, const struct host *h, const struct node *n, int depth,
		       const struct tree_options *opt)
{
	int indent = indent_of(depth);

	if (opt->selection && !selection_holds(opt->selection, h->model, n->container))
		return;
	fprintf(out, "\n%*s", indent, "");
	if (n->container)
		print_container(out, h, n, indent);
	else if (n->ns)
		fprintf(out, "%s%s, PID namespace %u\n", h->prefix, HOST_LABEL, n->ns->inum);
	else
		fprintf(out, "%s%s\n", h->prefix, HOST_LABEL);
	if (n->nr_tasks)
		print_tasks(out, n, indent, opt);
}

/* A trace nests containers as deep as it likes: the way down is kept here, not on the stack. */
static void print_tree(FILE *out, const struct host *h, const struct node *root,
		       const struct tree_options *opt)
{
	struct step {
		const struct node *n;
		size_t child;
	} *way = NULL;
	size_t depth = 0, cap = 0;

	print_node(out, h, root, 0, opt);
	way = grow(way, depth, &cap, sizeof(*way));
	way[depth++] = (struct step){.n = root};
	while (depth) {
		struct step *s = &way[depth - 1];
		const struct node *child;

		if (s->child == s->n->nr_children) {
			depth--;
			continue;
		}
		child = s->n->children[s->child++];
		print_node(out, h, child, (int)depth, opt);
		way = grow(way, depth, &cap, sizeof(*way));
		way[depth++] = (struct step){.n = child};
	}
	free(way);
}

/* Of a recorder that did not write it down. */
static void print_untold(FILE *out, const struct model *m)
{
	size_t i, nr = 0;

	for (i = 0; i < m->nr_containers; i++)
		nr += !m->containers[i]->became && m->containers[i]->teller == TELLER_UNKNOWN;
	if (nr)
		fprintf(out,
			"  names: of %zu containers the trace does not tell by whom; they are "
			"taken for root's\n",
			nr);
}

static void print_host(FILE *out, const struct host *h, const struct tree_options *opt)
{
	uint64_t at = opt->at_given ? h->model->attributes_until : 0;
	char buf[TIME_TEXT_MAX];
	struct hierarchy f = {0};
	size_t i;

	report_host_text(out, h);
	print_untold(out, h->model);
	if (at)
		fprintf(out, "  at %s\n", time_full(buf, at));
	hierarchy_build(&f, h->model, OF_CONTAINERS, at);
	for (i = 0; i < f.nr_roots; i++)
		print_tree(out, h, f.roots[i], opt);
	if (f.unknown.nr_tasks && !opt->selection) {
		fprintf(out, "\ntasks whose PID namespace was never told\n");
		print_tasks(out, &f.unknown, 0, opt);
	}
	hierarchy_free(&f);
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

static void json_task(struct json *j, struct model *m, struct task *t)
{
	const struct container *c_of;
	const struct task_groups of = task_groups(m, t);
	size_t i;

	json_open(j, NULL, '{');
	json_task_members(j, t, t->tid);
	c_of = task_container(m, t);
	if (c_of)
		json_uint(j, "container_number", c_of->serial);
	else
		json_null(j, "container_number");
	json_bool(j, "unsure", task_is_unsure(m, t));
	json_bool(j, "is_kernel_thread", t->is_kthread);
	json_open(j, "cgroups", '[');
	for (i = 0; i < of.nr; i++) {
		const struct task_cgroup *c = &of.list[i];
		const struct cgroup *known = task_group(m, c);

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

static void json_tasks(struct json *j, const char *key, struct model *m, const struct node *n,
		       const struct selection *selection)
{
	size_t i;

	json_open(j, key, '[');
	for (i = 0; i < n->nr_tasks; i++)
		if (!selection ||
		    selection_holds(selection, m, task_container(m, n->tasks[i].task)))
			json_task(j, m, n->tasks[i].task);
	json_close(j, ']');
}

static void json_number(struct json *j, const char *key, int64_t value)
{
	if (value == ABSENT)
		json_null(j, key);
	else
		json_int(j, key, value);
}

static void json_node(struct json *j, struct model *m, const struct node *n,
		      const struct selection *selection)
{
	size_t i;

	json_open(j, NULL, '{');
	json_uint(j, "pid_ns", n->ns->inum);
	json_int(j, "level", n->ns->level);
	json_time(j, "birth_ns", n->ns->birth);
	json_time(j, "death_ns", n->ns->death);
	json_number(j, "init_start_time_ns", n->ns->init_start_time);
	json_number(j, "user_ns", n->ns->user_ns_inum);
	json_text_or_null(j, "cgroup", node_cgroup(n));
	json_tasks(j, "tasks", m, n, selection);
	json_open(j, "namespaces", '[');
	for (i = 0; i < n->nr_children; i++)
		json_node(j, m, n->children[i], selection);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_node_container(struct json *j, struct model *m, const struct node *n)
{
	const struct container *c = n->container, *parent = container_parent(m, n->container);

	json_open(j, NULL, '{');
	json_container_members(j, c, n->ns, node_cgroup(n));
	if (parent)
		json_uint(j, "parent", parent->serial);
	else
		json_null(j, "parent");
	json_time(j, "birth_ns", container_birth(c));
	json_time(j, "death_ns", container_death(c));
	json_bool(j, "unsure", container_is_unsure(m, c));
	json_close(j, '}');
}

static void json_containers(struct json *j, struct model *m, uint64_t at,
			    const struct selection *selection)
{
	struct hierarchy f = {0};
	size_t i;

	hierarchy_build(&f, m, OF_CONTAINERS, at);
	json_open(j, "containers", '[');
	for (i = 1; i < f.nr_nodes; i++)
		if (f.nodes[i].is_shown &&
		    (!selection || selection_holds(selection, m, f.nodes[i].container)))
			json_node_container(j, m, &f.nodes[i]);
	json_close(j, ']');
	hierarchy_free(&f);
}

static void json_members(struct json *j, const struct host *h, const void *options)
{
	const struct tree_options *opt = options;
	uint64_t at = opt->at_given ? h->model->attributes_until : 0;
	const struct node none = {0};
	struct hierarchy f = {0};
	size_t i;

	hierarchy_build(&f, h->model, OF_NAMESPACES, at);
	if (at)
		json_time(j, "at_ns", at);
	json_containers(j, h->model, at, opt->selection);
	json_open(j, "namespaces", '[');
	for (i = 0; i < f.nr_roots; i++)
		json_node(j, h->model, f.roots[i], opt->selection);
	json_close(j, ']');
	json_tasks(j, "tasks_of_unknown_namespace", h->model, opt->selection ? &none : &f.unknown,
		   opt->selection);
	hierarchy_free(&f);
}

void report_tree_json(FILE *out, const struct loaded *l, const struct tree_options *opt)
{
	report_json(out, "tree", l, json_members, opt);
}

static void table_one(struct table *t, const struct host *h, struct task *task)
{
	struct model *m = h->model;
	struct container *c = task_container(m, task);
	const struct task_cgroup *g = task_main_cgroup(m, task);
	const struct cgroup *cgroup = g ? task_group(m, g) : NULL;

	table_row(t, h);
	table_container(t, c, c || task->ns);
	table_task(t, task, task->tid);
	table_uint_or_null(t, "pid", (uint64_t)task->pid, task->pid >= 0);
	table_uint_or_null(t, "level", task->ns ? (uint64_t)task->ns->level : 0, task->ns);
	table_text(t, "cgroup", cgroup ? cgroup->path : NULL);
	table_bool(t, "is_kernel_thread", task->is_kthread);
	table_moment(t, "birth_ns", task->birth);
	table_moment(t, "death_ns", task->death);
	table_bool(t, "unsure", task_is_unsure(m, task));
	table_end(t);
}

static void table_node(struct table *t, const struct host *h, const struct node *n,
		       const struct selection *selection)
{
	size_t i;

	for (i = 0; i < n->nr_tasks; i++) {
		struct task *task = n->tasks[i].task;

		if (!selection ||
		    selection_holds(selection, h->model, task_container(h->model, task)))
			table_one(t, h, task);
	}
}

void report_tree_table(FILE *out, const struct loaded *l, const struct tree_options *opt)
{
	struct table t = table_new(out, opt->format);
	size_t i, k;

	for (i = 0; i < l->nr_hosts; i++) {
		const struct host *h = l->hosts[i];
		struct hierarchy f = {0};

		hierarchy_build(&f, h->model, OF_NAMESPACES,
				opt->at_given ? h->model->attributes_until : 0);
		for (k = 0; k < f.nr_nodes; k++)
			table_node(&t, h, &f.nodes[k], opt->selection);
		if (!opt->selection)
			table_node(&t, h, &f.unknown, NULL);
		hierarchy_free(&f);
	}
}
