/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "report-compare.h"
#include "report/column.h"
#include "report/report-host.h"
#include "label/cause-label.h"
#include "base/text.h"
#include "base/util.h"

#define NAME_WIDTH 30
/* Of those of a kind that have not changed. */
#define SHOWN_MAX  3
#define NS_PER_MS  1e6

static const char *const side_names[SIDES] = {[BEFORE] = "before", [AFTER] = "after"};

static void print_side(FILE *out, const struct changes *c, size_t side)
{
	const struct side *s = &c->sides[side];
	char from[TIME_TEXT_MAX], to[TIME_TEXT_MAX], length[DURATION_MAX];

	fprintf(out, "%s: ", side_names[side]);
	report_host_text(out, s->host);
	fprintf(out, "  compared: from %s to %s, %zu windows of %s\n", time_of_day(from, s->from),
		time_of_day(to, s->to), c->nr_windows,
		duration(length, (s->to - s->from) / c->nr_windows));
}

static const char *verdict(const struct change_row *r)
{
	if (!r->is_bounded)
		return "?";
	if (!r->is_told)
		return "-";
	return r->change > 0 ? "more" : "less";
}

static void print_row(FILE *out, unsigned int level, const char *label, const struct change_row *r)
{
	char *text = xstrdup(label);
	int width = NAME_WIDTH - 2 * (int)level;

	text_fit(text, (size_t)width);
	fprintf(out, "%*s%s%*s %11.3f %11.3f %+11.3f ", 2 * (int)level, "", text,
		width - (int)text_width(text), "", r->rate[BEFORE] / NS_PER_MS,
		r->rate[AFTER] / NS_PER_MS, r->change / NS_PER_MS);
	if (r->is_bounded)
		fprintf(out, "%10.3f", (r->most - r->least) / 2 / NS_PER_MS);
	else
		fprintf(out, "%10s", "?");
	fprintf(out, "  %s\n", verdict(r));
	free(text);
}

static void print_more(FILE *out, size_t nr)
{
	if (nr)
		fprintf(out, "    %zu more, without a change that can be told\n", nr);
}

static void print_rows(FILE *out, const struct change *change)
{
	size_t i, shown = 0, more = 0;

	for (i = 0; i < change->nr_rows; i++) {
		const struct change_row *r = &change->rows[i];

		if (!r->which) {
			print_more(out, more);
			shown = more = 0;
			print_row(out, 1, why_title(r->kind), r);
		} else if (r->is_told || shown < SHOWN_MAX) {
			print_row(out, 2, r->which, r);
			shown++;
		} else {
			more++;
		}
	}
	print_more(out, more);
}

/* A container must not pass for the host, nor for what is between parentheses. */
static const char *mark(const struct change *change)
{
	bool poses = *change->label == '(' || !strcmp(change->label, HOST_LABEL);

	return poses && change->known && !change->is_host ? "\\" : "";
}

static char *safe_label(const struct change *change)
{
	char *safe = text_escape(change->label), *label;

	label = xasprintf("%s%s", mark(change), safe);
	free(safe);
	return label;
}

static bool is_on_both(const struct change *c)
{
	return c->nr_windows[BEFORE] && c->nr_windows[AFTER];
}

static void print_change(FILE *out, const struct changes *c, const struct change *change)
{
	char *label = safe_label(change);
	size_t i;

	putc('\n', out);
	if (is_on_both(change)) {
		print_row(out, 0, label, &change->whole);
		for (i = 0; i < SIDES; i++)
			if (change->nr_windows[i] < c->nr_windows)
				fprintf(out, "  %s only in %zu of the windows\n", side_names[i],
					change->nr_windows[i]);
		print_rows(out, change);
	} else {
		fprintf(out, "%s is only in the recording %s\n",
			text_fit(label, NAME_WIDTH + NAME_WIDTH),
			change->nr_windows[BEFORE] ? "before" : "after");
	}
	free(label);
}

void report_compare_text(FILE *out, const struct changes *c)
{
	size_t i;

	for (i = 0; i < SIDES; i++)
		print_side(out, c, i);
	fprintf(out,
		"\nms of their threads' time in each second; more, less: by more than the noise of "
		"the\nwindows explains (at %.0f%%); -: no change that can be told; ?: too few "
		"windows\n\n%-*s %11s %11s %11s %10s\n",
		CONFIDENCE * 100, NAME_WIDTH, "WHAT CHANGED", "BEFORE ms/s", "AFTER ms/s",
		"CHANGE ms/s", "+- ms/s");
	for (i = 0; i < c->nr; i++)
		print_change(out, c, &c->list[i]);
	if (!c->nr)
		fputs("\nno thread lived in that time\n", out);
}

static int64_t whole(double ns)
{
	if (ns >= (double)INT64_MAX || ns <= (double)INT64_MIN)
		return ns > 0 ? INT64_MAX : INT64_MIN;
	return (int64_t)(ns < 0 ? ns - 0.5 : ns + 0.5);
}

static void json_figures(struct json *j, const struct change_row *r)
{
	json_int(j, "before_ns_per_s", whole(r->rate[BEFORE]));
	json_int(j, "after_ns_per_s", whole(r->rate[AFTER]));
	json_int(j, "change_ns_per_s", whole(r->change));
	if (r->is_bounded) {
		json_int(j, "least_change_ns_per_s", whole(r->least));
		json_int(j, "most_change_ns_per_s", whole(r->most));
	} else {
		json_null(j, "least_change_ns_per_s");
		json_null(j, "most_change_ns_per_s");
	}
	json_bool(j, "changed", r->is_told);
}

static void json_change(struct json *j, const struct change *change)
{
	size_t i;

	json_open(j, NULL, '{');
	json_bool(j, "known", change->known);
	json_bool(j, "host", change->is_host);
	json_text_or_null(j, "label", change->known ? change->label : NULL);
	json_uint(j, "windows_before", change->nr_windows[BEFORE]);
	json_uint(j, "windows_after", change->nr_windows[AFTER]);
	json_figures(j, &change->whole);
	json_open(j, "causes", '[');
	for (i = 0; i < change->nr_rows; i++) {
		json_open(j, NULL, '{');
		json_text(j, "kind", why_name(change->rows[i].kind));
		json_text_or_null(j, "which", change->rows[i].which);
		json_figures(j, &change->rows[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static void json_side(struct json *j, const struct changes *c, size_t side)
{
	const struct side *s = &c->sides[side];

	json_open(j, side_names[side], '{');
	report_host_json(j, s->host);
	json_time(j, "from_ns", s->from);
	json_time(j, "to_ns", s->to);
	json_close(j, '}');
}

void report_compare_json(FILE *out, const struct changes *c)
{
	struct json j = {.out = out};
	size_t i;

	json_open_document(&j, "compare");
	for (i = 0; i < SIDES; i++)
		json_side(&j, c, i);
	json_uint(&j, "windows", c->nr_windows);
	json_uint(&j, "confidence_percent", (uint64_t)(CONFIDENCE * 100 + 0.5));
	json_open(&j, "rows", '[');
	for (i = 0; i < c->nr; i++)
		json_change(&j, &c->list[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	putc('\n', out);
}

static void table_change(struct table *t, const struct changes *c, const struct change *change,
			 const struct change_row *r)
{
	char *label = xasprintf("%s%s", mark(change), change->label);

	table_row(t, c->sides[AFTER].host);
	table_text(t, "label", label);
	table_uint(t, "windows_before", change->nr_windows[BEFORE]);
	table_uint(t, "windows_after", change->nr_windows[AFTER]);
	table_text(t, "kind", r->kind == WHY_NR ? "all" : why_name(r->kind));
	table_text(t, "which", r->which);
	table_int(t, "before_ns_per_s", whole(r->rate[BEFORE]));
	table_int(t, "after_ns_per_s", whole(r->rate[AFTER]));
	table_int(t, "change_ns_per_s", whole(r->change));
	if (r->is_bounded) {
		table_int(t, "least_change_ns_per_s", whole(r->least));
		table_int(t, "most_change_ns_per_s", whole(r->most));
	} else {
		table_null(t, "least_change_ns_per_s");
		table_null(t, "most_change_ns_per_s");
	}
	table_bool(t, "changed", r->is_told);
	table_end(t);
	free(label);
}

void report_compare_table(FILE *out, const struct changes *c, enum table_format format)
{
	struct table t = table_new(out, format);
	size_t i, k;

	for (i = 0; i < c->nr; i++) {
		table_change(&t, c, &c->list[i], &c->list[i].whole);
		for (k = 0; k < c->list[i].nr_rows; k++)
			table_change(&t, c, &c->list[i], &c->list[i].rows[k]);
	}
}
