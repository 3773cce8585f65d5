/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "report-check.h"
#include "report/report-host.h"
#include "model/schema.h"
#include "base/text.h"
#include "base/util.h"

/* Rules that need a snapshot are not mentioned without one. */
static bool is_wanted(enum rule rule, const struct against *against)
{
	return against || rule < RULE_PROC_KNOWN;
}

void report_rules(FILE *out)
{
	enum rule r;

	for (r = 0; r < RULE_NR; r++)
		fprintf(out, "%-22s %s\n", rules[r].id, rules[r].text);
}

static uint64_t nr_unsure(const struct rule_count *c)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < SURE_NR; i++)
		sum += c->unsure[i];
	return sum;
}

static void print_reasons(FILE *out, const struct rule_count *c)
{
	const char *glue = "  ";
	int i;

	for (i = 0; i < SURE_NR; i++) {
		if (!c->unsure[i])
			continue;
		fprintf(out, "%s%s", glue, sure_names[i]);
		glue = ", ";
	}
}

static void print_table(FILE *out, const struct verdicts *v, const struct against *against)
{
	enum rule r;

	fprintf(out, "\n%-22s %-11s %10s %8s %11s\n", "RULE", "VERDICT", "PASS", "FAIL", "UNKNOWN");
	for (r = 0; r < RULE_NR; r++) {
		const struct rule_count *c = &v->counts[r];

		if (!is_wanted(r, against))
			continue;
		fprintf(out, "%-22s %-11s %10llu %8llu %11llu", rules[r].id,
			outcome_names[verdict_outcome(v, r)], (unsigned long long)c->pass,
			(unsigned long long)c->fail, (unsigned long long)nr_unsure(c));
		print_reasons(out, c);
		putc('\n', out);
	}
}

static void print_offence(FILE *out, const struct offence *o)
{
	char *trace = text_escape(o->trace), *detail = text_escape(o->detail);
	char buf[TIME_TEXT_MAX];

	fputs(" ", out);
	if (*trace)
		fprintf(out, " trace=%s", trace);
	if (o->cpu >= 0)
		fprintf(out, " cpu=%d", o->cpu);
	if (o->ns)
		fprintf(out, " time=%s", time_of_day(buf, o->ns));
	if (o->event)
		fprintf(out, " event=%s", o->event);
	fprintf(out, " %s\n", detail);
	free(trace);
	free(detail);
}

static void print_offences(FILE *out, const struct verdicts *v)
{
	enum rule r;
	size_t i;

	for (r = 0; r < RULE_NR; r++) {
		uint64_t shown = 0;

		if (!v->counts[r].fail)
			continue;
		fprintf(out, "\nviolated: %s: %s\n", rules[r].id, rules[r].text);
		for (i = 0; i < v->nr_offences; i++) {
			if (v->offences[i].rule != r)
				continue;
			print_offence(out, &v->offences[i]);
			shown++;
		}
		if (v->counts[r].fail > shown)
			fprintf(out, "  and %llu more\n",
				(unsigned long long)(v->counts[r].fail - shown));
	}
}

static void print_sum(FILE *out, const struct verdicts *v, const struct against *against)
{
	unsigned int sums[4] = {0};
	enum rule r;

	for (r = 0; r < RULE_NR; r++)
		if (is_wanted(r, against))
			sums[verdict_outcome(v, r)]++;
	fprintf(out, "\nrules: %u pass, %u fail, %u unknown, %u not tested\n", sums[OUTCOME_PASS],
		sums[OUTCOME_FAIL], sums[OUTCOME_UNKNOWN], sums[OUTCOME_NOT_TESTED]);
}

void report_check_text(FILE *out, const struct loaded *l, const struct against *against)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++)
		report_host_text(out, l->hosts[i]);
	if (against)
		report_against_text(out, against);
	print_table(out, &l->verdicts, against);
	print_offences(out, &l->verdicts);
	print_sum(out, &l->verdicts, against);
}

/* "lost events" -> "lost_events" */
static void reason_key(char key[64], const char *text)
{
	size_t i;

	for (i = 0; text[i] && i < 63; i++)
		key[i] = text[i] == ' ' ? '_' : text[i];
	key[i] = '\0';
}

static void json_rule(struct json *j, const struct verdicts *v, enum rule r)
{
	const struct rule_count *c = &v->counts[r];
	char key[64];
	int i;

	json_open(j, NULL, '{');
	json_text(j, "id", rules[r].id);
	json_text(j, "text", rules[r].text);
	json_text(j, "verdict", outcome_names[verdict_outcome(v, r)]);
	json_uint(j, "pass", c->pass);
	json_uint(j, "fail", c->fail);
	json_uint(j, "unknown", nr_unsure(c));
	json_open(j, "reasons", '{');
	for (i = 0; i < SURE_NR; i++) {
		if (!c->unsure[i])
			continue;
		reason_key(key, sure_names[i]);
		json_uint(j, key, c->unsure[i]);
	}
	json_close(j, '}');
	json_close(j, '}');
}

static void json_offence(struct json *j, const struct offence *o)
{
	json_open(j, NULL, '{');
	json_text(j, "rule", rules[o->rule].id);
	if (*o->trace)
		json_text(j, "trace", o->trace);
	if (o->cpu >= 0)
		json_int(j, "cpu", o->cpu);
	if (o->ns)
		json_time(j, "at_ns", o->ns);
	if (o->event)
		json_text(j, "event", o->event);
	json_text(j, "detail", o->detail);
	json_close(j, '}');
}

void report_check_json(FILE *out, const struct loaded *l, const struct against *against)
{
	struct json j = {.out = out};
	bool failed = false;
	enum rule r;
	size_t i;

	for (r = 0; r < RULE_NR; r++)
		failed |= l->verdicts.counts[r].fail > 0;
	json_open_document(&j, "check");
	json_text(&j, "verdict", failed ? "fail" : "pass");
	report_hosts_json(&j, l, NULL, NULL);
	if (against)
		report_against_json(&j, against);
	json_open(&j, "rules", '[');
	for (r = 0; r < RULE_NR; r++)
		if (is_wanted(r, against))
			json_rule(&j, &l->verdicts, r);
	json_close(&j, ']');
	json_open(&j, "violations", '[');
	for (i = 0; i < l->verdicts.nr_offences; i++)
		json_offence(&j, &l->verdicts.offences[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}
