/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>

#include "report-why.h"
#include "label/label.h"
#include "report/report-host.h"
#include "base/text.h"
#include "base/util.h"

#define NAME_WIDTH  20
#define CAUSE_WIDTH 34

/* What the last one of a chain did. */
static const struct cause *leaf_of(const struct path_step *s)
{
	const struct cause *c = s->cause;

	while (c->below)
		c = c->below;
	return c;
}

/* Whose it is, for what is said of a cause: "(itself)". */
static struct why_account account_of(const struct path_step *s)
{
	return (struct why_account){.told = s->told, .container = s->container};
}

char *path_cause(const struct path *p, const struct path_step *s)
{
	const struct why_account a = account_of(s);
	const struct cause *c = leaf_of(s);
	char *which = why_label(p->host->user, c, &a);
	bool own = why_is_own(c, NULL, &a);
	char *stage = own && c->stage == DISK_SERVED ? NULL : why_stage_label(c, &a, own);
	const char *most = stage ? stage : which;
	char *text = xasprintf("%s%s%s", why_title(c->kind), *most ? ": " : "", most);

	free(stage);
	free(which);
	return text;
}

static void print_padded(FILE *out, const char *text, int width)
{
	int pad = width - (int)text_width(text);

	fprintf(out, "%s%*s ", text, pad > 0 ? pad : 0, "");
}

static void print_who(FILE *out, const struct path *p, const struct path_step *s)
{
	char *name = s->told ? container_label_fit(s->container, NAME_WIDTH) : xstrdup("(unknown)");
	char *comm = text_escape(*s->task->comm ? s->task->comm : "?");
	char *cause = path_cause(p, s);

	print_padded(out, name, NAME_WIDTH);
	fprintf(out, "%7d ", s->task->tid);
	print_padded(out, text_fit(comm, 15), 15);
	fputs(text_fit(cause, CAUSE_WIDTH), out);
	putc('\n', out);
	free(name);
	free(comm);
	free(cause);
}

static double share_of(const struct path *p, uint64_t ns)
{
	return p->ns ? 100.0 * (double)ns / (double)p->ns : 0.0;
}

static void print_times(FILE *out, const struct path *p, uint64_t ns, bool unsure)
{
	fprintf(out, "%12.6f%c %6.2f  ", (double)ns / NS_PER_SEC, unsure ? '?' : ' ',
		share_of(p, ns));
}

/* Equal but for the chain above: the same one did the same. */
static bool is_same(const struct path_step *a, const struct path_step *b)
{
	return a->task == b->task && a->told == b->told && a->container == b->container &&
	       leaf_of(a) == leaf_of(b);
}

struct sum {
	struct path_step like;
	uint64_t ns;
};

static int compare_sums(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->like.begin < y->like.begin ? -1 : x->like.begin > y->like.begin;
}

static struct sum *find_sum(struct hash *sums, const struct path_step *s, uint64_t *key)
{
	struct sum *sum;

	*key = hash_numbers(hash_numbers((uintptr_t)s->task, (uintptr_t)leaf_of(s)),
			    hash_numbers((uintptr_t)s->container, s->told));
	while ((sum = hash_get(sums, *key)) && !is_same(&sum->like, s))
		*key = hash_numbers(*key, 1);
	return sum;
}

/* What each did in all, the most first. The caller frees the list. */
static struct sum *add_up(const struct path *p, size_t *nr)
{
	struct hash sums = {0};
	struct sum *list = xcalloc(p->nr, sizeof(*list)), *sum;
	uint64_t key;
	size_t i;

	*nr = 0;
	for (i = 0; i < p->nr; i++) {
		sum = find_sum(&sums, &p->steps[i], &key);
		if (!sum) {
			sum = &list[(*nr)++];
			sum->like = p->steps[i];
			hash_put(&sums, key, sum);
		}
		sum->ns += p->steps[i].end - p->steps[i].begin;
		sum->like.unsure |= p->steps[i].unsure;
	}
	hash_free(&sums);
	qsort(list, *nr, sizeof(*list), compare_sums);
	return list;
}

void report_path_text(FILE *out, const struct path *p)
{
	char since[TIME_TEXT_MAX], *comm = text_escape(*p->task->comm ? p->task->comm : "?");
	char *vtids = label_vtids(p->task);
	struct sum *sums;
	size_t nr, i;

	report_host_text(out, p->host);
	fprintf(out, "\ncritical path of %d (%s) %s: %.6f s; ? events were lost\n\n%12s  %6s  ",
		p->task->tid, vtids, comm, (double)p->ns / NS_PER_SEC, "TOGETHER s", "%");
	fprintf(out, "%-*s %7s %-15s %s\n", NAME_WIDTH, "CONTAINER", "TID", "COMM", "CAUSE");
	sums = add_up(p, &nr);
	for (i = 0; i < nr; i++) {
		print_times(out, p, sums[i].ns, sums[i].like.unsure);
		print_who(out, p, &sums[i].like);
	}
	fprintf(out, "\n%-18s %12s  %6s  %-*s %7s %-15s %s\n", "SINCE", "FOR s", "%", NAME_WIDTH,
		"CONTAINER", "TID", "COMM", "CAUSE");
	for (i = 0; i < p->nr; i++) {
		const struct path_step *s = &p->steps[i];

		fprintf(out, "%-18s ", time_of_day(since, s->begin));
		print_times(out, p, s->end - s->begin, s->unsure);
		print_who(out, p, s);
	}
	free(sums);
	free(vtids);
	free(comm);
}

static void json_step(struct json *j, const struct path *p, const struct path_step *s)
{
	const struct why_account a = account_of(s);

	json_open(j, NULL, '{');
	json_time(j, "begin_ns", s->begin);
	json_time(j, "end_ns", s->end);
	json_uint(j, "ns", s->end - s->begin);
	json_bool(j, "unsure", s->unsure);
	json_uint(j, "depth", s->cause->depth);
	json_task_members(j, s->task, s->task->tid);
	json_bool(j, "known", s->told);
	json_container(j, "container", s->container);
	json_open(j, "cause", '{');
	why_json_cause(j, p->host->user, leaf_of(s), &a);
	if (leaf_of(s)->stage)
		why_json_request(j, leaf_of(s), why_is_own(leaf_of(s), NULL, &a));
	json_close(j, '}');
	json_close(j, '}');
}

void report_path_json(FILE *out, const struct path *p)
{
	struct json j = {.out = out};
	size_t i;

	json_open_document(&j, "path");
	json_open(&j, "hosts", '[');
	json_open(&j, NULL, '{');
	report_host_json(&j, p->host);
	json_open(&j, "task", '{');
	json_task_members(&j, p->task, p->task->tid);
	json_close(&j, '}');
	json_uint(&j, "ns", p->ns);
	json_open(&j, "steps", '[');
	for (i = 0; i < p->nr; i++)
		json_step(&j, p, &p->steps[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	json_close(&j, ']');
	json_close(&j, '}');
	putc('\n', out);
}
