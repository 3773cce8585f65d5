/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/schema.h"
#include "print.h"

const char *print_below = "";

static const char *name_of(const struct trace_info *t)
{
	size_t len = strlen(print_below);

	return strncmp(t->path, print_below, len) ? t->path : t->path + len;
}

static void print_field(FILE *out, const struct event *ev, const struct field_desc *f)
{
	const void *at = (const char *)ev + f->offset;
	const struct seq *seq = at;
	const char *text;
	int64_t i;

	fprintf(out, " %s=", f->name);
	switch (f->type) {
	case TYPE_INT:
	case TYPE_CONTEXT:
		fprintf(out, "%" PRId64, *(const int64_t *)at);
		break;
	case TYPE_TEXT:
	case TYPE_VARIANT:
		text = *(const char *const *)at;
		fprintf(out, "%s%s", text ? "" : "(none)", text ? text : "");
		break;
	case TYPE_SEQ:
	case TYPE_STACK:
		fprintf(out, "%" PRId64 ":", seq->nr);
		for (i = 0; i < seq->nr && i < (int64_t)type_room(f->type); i++)
			fprintf(out, "%" PRId64 ",", seq->v[i]);
		break;
	}
}

static int on_event(void *ctx, struct trace_info *trace, const struct event *ev)
{
	const struct event_desc *desc = &event_descs[ev->kind];
	FILE *out = ctx;
	size_t i;

	fprintf(out, "%" PRIu64 " %s cpu%d %s", ev->ns, name_of(trace), ev->cpu, desc->name);
	for (i = 0; i < desc->nr_fields; i++)
		print_field(out, ev, &desc->fields[i]);
	fputc('\n', out);
	return 0;
}

/* Which event class is looked at first is the reader's affair: libbabeltrace2 2.1 has another
 * order. */
static void print_problems(FILE *out, const struct trace_info *t)
{
	size_t kind, i;

	for (kind = 0; kind < EV_NR; kind++)
		for (i = 0; i < t->nr_problems; i++)
			if (t->problems[i].kind == (enum event_kind)kind)
				fprintf(out, " %zu.%s:%s:%s", kind, t->problems[i].field,
					t->problems[i].wanted, t->problems[i].saw);
}

static int on_trace(void *ctx, struct trace_info *t)
{
	FILE *out = ctx;
	size_t i;

	fprintf(out,
		"trace %s host=%s boot=%s session=%s domain=%s shape=%d offset=%" PRId64
		" good=%zu",
		name_of(t), t->hostname, t->boot_id, t->session, t->domain, (int)t->shape,
		t->clock_offset, t->nr_good_fields);
	for (i = 0; i < EV_NR; i++)
		fputc(t->offers[i] ? '1' : '0', out);
	print_problems(out, t);
	fputc('\n', out);
	return 0;
}

static int on_loss(void *ctx, struct trace_info *trace, const struct loss *l)
{
	fprintf(ctx, "lost %s cpu%d %d %" PRIu64 "-%" PRIu64 " %" PRIu64 " %d\n", name_of(trace),
		l->cpu, l->may_switch, l->begin, l->end, l->count, l->packets);
	return 0;
}

static int on_cpu(void *ctx, struct trace_info *trace, int cpu, uint64_t ns)
{
	fprintf(ctx, "met %s cpu%d %" PRIu64 "\n", name_of(trace), cpu, ns);
	return 0;
}

static int on_user_event(void *ctx, struct trace_info *trace, const struct user_event *ev)
{
	fprintf(ctx, "%" PRIu64 " %s %s %" PRId64 " %" PRId64 " %" PRId64 "\n", ev->ns,
		name_of(trace), ev->name, ev->vpid, ev->vtid, ev->pid_ns);
	return 0;
}

struct reader_callbacks print_to(FILE *out)
{
	return (struct reader_callbacks){.on_trace = on_trace,
					 .on_event = on_event,
					 .on_loss = on_loss,
					 .on_cpu = on_cpu,
					 .wants = UINT64_MAX,
					 .on_user_event = on_user_event,
					 .ctx = out};
}

void print_ends(FILE *out, const struct reader *r)
{
	size_t i;

	for (i = 0; i < r->nr_traces; i++)
		fprintf(out, "end %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			r->traces[i].begin, r->traces[i].end, r->traces[i].last,
			r->traces[i].nr_events);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void print_sort(char *text)
{
	static const char mark[] = "lost ";
	char *lines[256], *copy = strdup(text), *from = copy, *to = text;

	while (*from) {
		size_t nr = 0, i;

		while (nr < 256 && !strncmp(from, mark, sizeof(mark) - 1)) {
			lines[nr++] = from;
			from += strcspn(from, "\n");
			if (*from)
				*from++ = '\0';
		}
		qsort(lines, nr, sizeof(lines[0]), compare_lines);
		for (i = 0; i < nr; i++)
			to += sprintf(to, "%s\n", lines[i]);
		while (*from && strncmp(from, mark, sizeof(mark) - 1)) {
			size_t len = strcspn(from, "\n");

			len += from[len] == '\n';
			memcpy(to, from, len);
			to += len;
			from += len;
		}
	}
	free(copy);
}

void print_forget(const char *native, char *library)
{
	const char *from = library;
	char *to = library, before = '\0';

	while (*from) {
		if (before == '=' && *native != *from && strchr(" \n", *native))
			from += strcspn(from, " \n");
		before = *from;
		if (*native)
			native++;
		if (*from)
			*to++ = *from++;
	}
	*to = '\0';
}
