/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "report-host.h"
#include "model/schema.h"
#include "base/text.h"

#define CPUS_SHOWN 8

static void print_lacking_cpus(FILE *out, const struct host *h)
{
	size_t i, nr = 0;

	for (i = 0; i < h->nr_cpus; i++) {
		if (!host_lacks_cpu(h, i))
			continue;
		if (!nr)
			fputs("  nothing was recorded on CPU", out);
		if (++nr <= CPUS_SHOWN)
			fprintf(out, "%s %zu", nr > 1 ? "," : "", i);
	}
	if (nr > CPUS_SHOWN)
		fprintf(out, " and %zu more", nr - CPUS_SHOWN);
	if (nr)
		fputs(": it was off, or its file is missing\n", out);
}

bool report_host_is_recorders(const struct host *h)
{
	static const char prefix[] = "lttng-containers-";

	return !strncmp(h->trace->session, prefix, strlen(prefix));
}

/* What it tells of the time before the trace. */
static const char *state_dump(const struct model *m)
{
	if (m->nr_whole_dumps)
		return "whole";
	return m->dump_seq ? "incomplete, older tasks are unknown"
			   : "none, older tasks are unknown";
}

void report_host_text(FILE *out, const struct host *h)
{
	const struct trace_info *t = h->trace;
	const struct model *m = h->model;
	char *path = text_escape(t->path), *name = text_escape(t->hostname);
	char *session = text_escape(t->session);
	char from[TIME_TEXT_MAX], to[TIME_TEXT_MAX];

	fprintf(out, "trace %s\n  host %s, boot %s\n", path, *name ? name : "unknown",
		*t->boot_id ? t->boot_id : "unknown");
	if (*session)
		fprintf(out, "  session %s\n", session);
	fprintf(out, "  from %s to %s, %llu events\n", time_full(from, h->begin),
		time_of_day(to, h->end), (unsigned long long)h->nr_events);
	fprintf(out, "  recorded with %s; state dump: %s\n", shape_names[t->shape], state_dump(m));
	if (shape_unknowns[t->shape])
		fprintf(out, "  unknown, as such traces do not tell it: %s\n",
			shape_unknowns[t->shape]);
	if (t->shape == SHAPE_OURS && !h->offers[EV_CGROUP_ATTACH])
		fprintf(out, "  cgroups are as of fork or state dump: moves were not recorded\n");
	if (m->nr_forged_lines)
		fprintf(out,
			"  forged: %llu lines that name containers are not the recorder's, and "
			"ignored\n",
			(unsigned long long)m->nr_forged_lines);
	if (m->nr_losses)
		fprintf(out, "  lost: %llu events and %llu packets, in %llu places\n",
			(unsigned long long)m->nr_lost_events,
			(unsigned long long)m->nr_lost_packets, (unsigned long long)m->nr_losses);
	print_lacking_cpus(out, h);
	free(path);
	free(name);
	free(session);
}

void json_silent_cpus(struct json *j, const char *key, const struct host *h)
{
	size_t i;

	json_open(j, key, '[');
	for (i = 0; i < h->nr_cpus; i++)
		if (host_lacks_cpu(h, i))
			json_uint(j, NULL, i);
	json_close(j, ']');
}

void report_host_json(struct json *j, const struct host *h)
{
	const struct trace_info *t = h->trace;
	const struct model *m = h->model;

	json_text(j, "trace", t->path);
	json_text_or_null(j, "hostname", t->hostname);
	json_text_or_null(j, "boot_id", t->boot_id);
	json_text_or_null(j, "session", t->session);
	json_text(j, "recorded_with", shape_names[t->shape]);
	json_text_or_null(j, "cannot_tell", shape_unknowns[t->shape]);
	json_bool(j, "cgroup_moves_recorded", h->offers[EV_CGROUP_ATTACH]);
	json_time(j, "begin_ns", h->begin);
	json_time(j, "end_ns", h->end);
	json_uint(j, "events", h->nr_events);
	json_uint(j, "whole_state_dumps", m->nr_whole_dumps);
	json_open(j, "lost", '{');
	json_uint(j, "events", m->nr_lost_events);
	json_uint(j, "packets", m->nr_lost_packets);
	json_uint(j, "places", m->nr_losses);
	json_close(j, '}');
	json_silent_cpus(j, "cpus_without_records", h);
}

void report_hosts_json(struct json *j, const struct loaded *l, report_host_members *members,
		       const void *opt)
{
	size_t i;

	json_open(j, "hosts", '[');
	for (i = 0; i < l->nr_hosts; i++) {
		json_open(j, NULL, '{');
		report_host_json(j, l->hosts[i]);
		if (members)
			members(j, l->hosts[i], opt);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void report_json(FILE *out, const char *name, const struct loaded *l, report_host_members *members,
		 const void *opt)
{
	struct json j = {.out = out};

	json_open_document(&j, name);
	report_hosts_json(&j, l, members, opt);
	json_close(&j, '}');
}
