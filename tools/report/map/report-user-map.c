/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "report/column.h"
#include "label/label.h"
#include "report-map.h"
#include "base/text.h"
#include "base/util.h"

#define TITLE_WIDTH 15
#define VTIDS_MAX   16

struct threads {
	struct user_thread **thread;
	size_t nr, cap;
};

static bool is_asked_for(const struct user_map *u, const struct user_thread *th,
			 const struct map_options *opt)
{
	const struct map_question *q = &opt->question;

	if (q->where && !(th->task && selection_holds(q->where, u->model, th->container)))
		return false;
	if (q->vtid > 0 && th->vtid != q->vtid)
		return false;
	return q->tid <= 0 || (th->task && th->task->tid == q->tid);
}

static int by_first(const void *a, const void *b)
{
	const struct user_thread *x = *(struct user_thread *const *)a;
	const struct user_thread *y = *(struct user_thread *const *)b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->vtid < y->vtid ? -1 : x->vtid > y->vtid;
}

static struct threads threads_of(const struct user_map *u, const struct map_options *opt)
{
	struct threads l = {0};
	struct user_thread *th;
	size_t pos = 0;

	while ((th = hash_next(&u->threads, &pos)))
		for (; th; th = th->next) {
			if (!is_asked_for(u, th, opt))
				continue;
			l.thread = grow(l.thread, l.nr, &l.cap, sizeof(*l.thread));
			l.thread[l.nr++] = th;
		}
	if (l.nr)
		qsort(l.thread, l.nr, sizeof(*l.thread), by_first);
	return l;
}

static const char *moment(char buf[TIME_TEXT_MAX], uint64_t ns)
{
	time_of_day(buf, ns);
	buf[strlen("00:00:00.000")] = '\0';
	return buf;
}

/* Container, tid, vtids and name. Where the kernel's trace has no such thread: what is told. */
static void print_who(FILE *out, const struct user_thread *th)
{
	char vtids[VTIDS_MAX];

	if (!th->task) {
		fprintf(out, "%-*s %8s %-15lld %-*s", TITLE_WIDTH, "(unknown)", "?",
			(long long)th->vtid, COMM_MAX, "?");
		return;
	}
	column_container(out, th->container, TITLE_WIDTH);
	fprintf(out, " %8d %-15s ", th->task->tid, column_vtids(vtids, VTIDS_MAX, th->task));
	column_text(out, *th->task->comm ? th->task->comm : "?", COMM_MAX);
}

static void print_threads(FILE *out, const struct user_map *u, const struct map_options *opt)
{
	struct threads l = threads_of(u, opt);
	char first[TIME_TEXT_MAX], last[TIME_TEXT_MAX];
	size_t i;

	fprintf(out, "\n%-*s %8s %-15s %-*s %9s %-12s %s\n", TITLE_WIDTH, "CONTAINER", "TID",
		"VTIDS, own last", COMM_MAX, "COMM", "EVENTS", "FIRST", "LAST");
	for (i = 0; i < l.nr; i++) {
		const struct user_thread *th = l.thread[i];

		print_who(out, th);
		fprintf(out, " %9llu %-12s %s\n", (unsigned long long)th->count,
			moment(first, th->first), moment(last, th->last));
	}
	free(l.thread);
}

static void print_events(FILE *out, const struct user_map *u, const struct map_options *opt)
{
	char time[TIME_TEXT_MAX];
	size_t i;

	fprintf(out, "\n%-18s %-*s %8s %-15s %-*s %s\n", "TIME", TITLE_WIDTH, "CONTAINER", "TID",
		"VTIDS, own last", COMM_MAX, "COMM", "EVENT");
	for (i = 0; i < u->nr_kept; i++) {
		const struct user_record *r = &u->events[i];

		if (!is_asked_for(u, r->thread, opt))
			continue;
		fprintf(out, "%s ", time_of_day(time, r->ns));
		print_who(out, r->thread);
		putc(' ', out);
		column_text(out, r->name, 0);
		putc('\n', out);
	}
}

void user_map_text(FILE *out, const struct user_map *u, const struct map_options *opt)
{
	fprintf(out, "  user space: %llu events of %zu threads", (unsigned long long)u->nr_events,
		u->nr_threads);
	if (u->nr_bare)
		fprintf(out, "; %llu without the contexts vtid and pid_ns, which are left out",
			(unsigned long long)u->nr_bare);
	putc('\n', out);
	(opt->events ? print_events : print_threads)(out, u, opt);
}

static void json_thread(struct json *j, const struct user_thread *th)
{
	json_int(j, "pid_ns", th->pid_ns);
	json_int(j, "vtid", th->vtid);
	json_task_members(j, th->task, -1);
	json_container(j, "container", th->container);
	json_bool(j, "known", th->task);
}

void user_map_json(struct json *j, const struct user_map *u, const struct map_options *opt)
{
	struct threads l = threads_of(u, opt);
	size_t i;

	json_uint(j, "user_events", u->nr_events);
	json_uint(j, "user_events_without_contexts", u->nr_bare);
	json_open(j, "threads", '[');
	for (i = 0; i < l.nr; i++) {
		json_open(j, NULL, '{');
		json_thread(j, l.thread[i]);
		json_uint(j, "events", l.thread[i]->count);
		json_time(j, "first_ns", l.thread[i]->first);
		json_time(j, "last_ns", l.thread[i]->last);
		json_close(j, '}');
	}
	json_close(j, ']');
	free(l.thread);
	if (!opt->events)
		return;
	json_open(j, "user_event_list", '[');
	for (i = 0; i < u->nr_kept; i++) {
		if (!is_asked_for(u, u->events[i].thread, opt))
			continue;
		json_open(j, NULL, '{');
		json_time(j, "at_ns", u->events[i].ns);
		json_text(j, "event", u->events[i].name);
		json_thread(j, u->events[i].thread);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void table_thread(struct table *t, const struct host *h, const struct user_thread *th)
{
	table_row(t, h);
	table_container(t, th->container, th->task);
	table_task(t, th->task, -1);
	table_int(t, "user_pid_ns", th->pid_ns);
	table_int(t, "user_vtid", th->vtid);
	table_uint(t, "events", th->count);
	table_time(t, "first_ns", th->first);
	table_time(t, "last_ns", th->last);
	table_end(t);
}

void user_map_table(struct table *t, const struct host *h, const struct map_options *opt)
{
	struct threads l = threads_of(h->user, opt);
	size_t i;

	for (i = 0; i < l.nr; i++)
		table_thread(t, h, l.thread[i]);
	free(l.thread);
}
