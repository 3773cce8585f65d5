/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <stdlib.h>

#include "report/column.h"
#include "label/label.h"
#include "report-syscalls.h"
#include "base/text.h"
#include "base/util.h"

#define TITLE_WIDTH 15
#define ERRNO_MAX   4095

/* Those that one meets; the C library's own names are not in all of its versions. */
static const struct {
	int number;
	const char *name;
} errors[] = {
	{EPERM, "EPERM"},
	{ENOENT, "ENOENT"},
	{ESRCH, "ESRCH"},
	{EINTR, "EINTR"},
	{EIO, "EIO"},
	{ENXIO, "ENXIO"},
	{E2BIG, "E2BIG"},
	{ENOEXEC, "ENOEXEC"},
	{EBADF, "EBADF"},
	{ECHILD, "ECHILD"},
	{EAGAIN, "EAGAIN"},
	{ENOMEM, "ENOMEM"},
	{EACCES, "EACCES"},
	{EFAULT, "EFAULT"},
	{EBUSY, "EBUSY"},
	{EEXIST, "EEXIST"},
	{EXDEV, "EXDEV"},
	{ENODEV, "ENODEV"},
	{ENOTDIR, "ENOTDIR"},
	{EISDIR, "EISDIR"},
	{EINVAL, "EINVAL"},
	{ENFILE, "ENFILE"},
	{EMFILE, "EMFILE"},
	{ENOTTY, "ENOTTY"},
	{EFBIG, "EFBIG"},
	{ENOSPC, "ENOSPC"},
	{ESPIPE, "ESPIPE"},
	{EROFS, "EROFS"},
	{EPIPE, "EPIPE"},
	{ERANGE, "ERANGE"},
	{ENAMETOOLONG, "ENAMETOOLONG"},
	{ENOSYS, "ENOSYS"},
	{ENOTEMPTY, "ENOTEMPTY"},
	{ELOOP, "ELOOP"},
	{EOPNOTSUPP, "EOPNOTSUPP"},
	{ECONNREFUSED, "ECONNREFUSED"},
	{ECONNRESET, "ECONNRESET"},
	{ENOTCONN, "ENOTCONN"},
	{ETIMEDOUT, "ETIMEDOUT"},
	{EINPROGRESS, "EINPROGRESS"},
	{EDQUOT, "EDQUOT"},
	{EADDRINUSE, "EADDRINUSE"},
	/* The kernel's own: the call is begun anew, or ends with EINTR. */
	{512, "ERESTARTSYS"},
	{513, "ERESTARTNOINTR"},
	{514, "ERESTARTNOHAND"},
	{516, "ERESTART_RESTARTBLOCK"},
};

bool syscalls_asked_for(const struct syscalls *s, const struct caller *c,
			const struct syscalls_options *opt)
{
	return !opt->selection ||
	       (c->is_placed && selection_holds(opt->selection, s->model, c->container));
}

static const char *error_name(int64_t ret)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++)
		if (-ret == errors[i].number)
			return errors[i].name;
	return NULL;
}

static bool is_error(const struct call *c)
{
	return c->ret < 0 && c->ret >= -ERRNO_MAX;
}

static void answer_text(char *buf, size_t size, const struct call *c)
{
	const char *name = is_error(c) ? error_name(c->ret) : NULL;

	if (c->end == CALL_UNFINISHED)
		snprintf(buf, size, "unfinished");
	else if (c->ret == ABSENT)
		snprintf(buf, size, "?");
	else if (name)
		snprintf(buf, size, "%s", name);
	else
		snprintf(buf, size, "%lld", (long long)c->ret);
}

static const char *how_long(char buf[DURATION_MAX], const struct call *c)
{
	if (c->end == CALL_BEGUN_BEFORE)
		return "early";
	return c->end == CALL_UNSURE ? "unsure" : duration(buf, c->duration);
}

static int by_begin(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->caller->number < y->caller->number ? -1 : x->caller->number > y->caller->number;
}

static void sort(const struct syscalls *s)
{
	if (s->nr_calls)
		qsort(s->calls, s->nr_calls, sizeof(*s->calls), by_begin);
}

static void print_call(FILE *out, const struct call *c)
{
	const struct task *t = c->caller->task;
	char time[TIME_TEXT_MAX], took[DURATION_MAX], answer[32], tid[16] = "?", vtid[16] = "?";

	if (c->caller->tid > 0)
		snprintf(tid, sizeof(tid), "%d", (int)c->caller->tid);
	if (t && t->nr_levels)
		snprintf(vtid, sizeof(vtid), "%d", t->vtids[t->nr_levels - 1]);
	answer_text(answer, sizeof(answer), c);
	fprintf(out, "%18s %8s %-15s ", time_of_day(time, c->at), how_long(took, c), answer);
	if (c->caller->is_placed)
		column_container(out, c->caller->container, TITLE_WIDTH);
	else
		fprintf(out, "%-*s", TITLE_WIDTH, "(unknown)");
	fprintf(out, " %8s %7s ", tid, vtid);
	column_text(out, *c->comm ? c->comm : t && *t->comm ? t->comm : "?", 0);
	putc('\n', out);
}

void syscall_list_text(FILE *out, const struct syscalls *s, const struct syscalls_options *opt)
{
	size_t i;

	sort(s);
	fprintf(out, "\n%-18s %8s %-15s %-*s %8s %7s %s\n", "TIME", "TOOK", "ANSWER", TITLE_WIDTH,
		"CONTAINER", "TID", "VTID", "COMM");
	for (i = 0; i < s->nr_calls; i++)
		if (syscalls_asked_for(s, s->calls[i].caller, opt))
			print_call(out, &s->calls[i]);
}

static const char *const ends[] = {
	[CALL_ENDED] = "ended",
	[CALL_BEGUN_BEFORE] = "begun_before",
	[CALL_UNFINISHED] = "unfinished",
	[CALL_UNSURE] = "unsure",
};

static bool has_answer(const struct call *c)
{
	return c->end != CALL_UNFINISHED && c->ret != ABSENT;
}

static void json_call(struct json *j, const struct call *c)
{
	json_open(j, NULL, '{');
	json_time(j, "at_ns", c->at);
	json_text(j, "end", ends[c->end]);
	if (c->end == CALL_BEGUN_BEFORE)
		json_null(j, "duration_ns");
	else
		json_uint(j, "duration_ns", c->duration);
	if (has_answer(c))
		json_int(j, "ret", c->ret);
	else
		json_null(j, "ret");
	json_container(j, "container", c->caller->container);
	json_bool(j, "known", c->caller->is_placed);
	json_task_members(j, c->caller->task, -1);
	json_text(j, "comm_then", c->comm);
	json_close(j, '}');
}

void syscall_list_json(struct json *j, const struct syscalls *s, const struct syscalls_options *opt)
{
	size_t i;

	sort(s);
	json_text(j, "name", opt->name);
	json_open(j, "calls", '[');
	for (i = 0; i < s->nr_calls; i++)
		if (syscalls_asked_for(s, s->calls[i].caller, opt))
			json_call(j, &s->calls[i]);
	json_close(j, ']');
}

static void table_call(struct table *t, const struct host *h, const struct call *c,
		       const char *name)
{
	table_row(t, h);
	table_container(t, c->caller->container, c->caller->is_placed);
	table_task(t, c->caller->task, -1);
	table_text(t, "call", name);
	table_time(t, "at_ns", c->at);
	table_text(t, "end", ends[c->end]);
	table_uint_or_null(t, "duration_ns", c->duration, c->end != CALL_BEGUN_BEFORE);
	if (has_answer(c))
		table_int(t, "ret", c->ret);
	else
		table_null(t, "ret");
	table_end(t);
}

void syscall_list_table(struct table *t, const struct host *h, const struct syscalls_options *opt)
{
	const struct syscalls *s = h->user;
	size_t i;

	sort(s);
	for (i = 0; i < s->nr_calls; i++)
		if (syscalls_asked_for(s, s->calls[i].caller, opt))
			table_call(t, h, &s->calls[i], opt->name);
}
