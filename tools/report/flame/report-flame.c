/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame-page.h"
#include "report-flame.h"
#include "base/json.h"
#include "base/util.h"

void report_flame_folded(FILE *out, struct flame_graph *g)
{
	size_t i, k;

	for (i = 0; i < g->lines.nr; i++) {
		const struct flame_line *line = &g->lines.line[i];

		for (k = 0; k < line->nr_frames; k++) {
			fputs(k ? ";" : "", out);
			stack_put_folded(out, g->lines.texts.list[line->frames[k]]);
		}
		if (g->has_before)
			fprintf(out, " %" PRIu64, line->before);
		fprintf(out, " %" PRIu64 "\n", line->count);
	}
}

static void json_frames(struct json *j, const struct texts *f)
{
	size_t i;

	json_open(j, "shared", '{');
	json_open(j, "frames", '[');
	for (i = 0; i < f->nr; i++) {
		json_open(j, NULL, '{');
		json_text(j, "name", f->list[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

/* A graph of its own: the lines of one container, up to @to. */
static void json_profile(struct json *j, const struct texts *texts, const char *unit,
			 const struct flame_line *line, const struct flame_line *to)
{
	const struct flame_line *l;
	uint64_t sum = 0;
	size_t i;

	for (l = line; l < to; l++)
		sum += l->count;
	json_open(j, NULL, '{');
	json_text(j, "type", "sampled");
	json_text(j, "name", texts->list[*line->frames]);
	json_text(j, "unit", unit);
	json_uint(j, "startValue", 0);
	json_uint(j, "endValue", sum);
	json_open(j, "weights", '[');
	for (l = line; l < to; l++)
		json_uint(j, NULL, l->count);
	json_close(j, ']');
	json_open(j, "samples", '[');
	for (; line < to; line++) {
		json_open(j, NULL, '[');
		for (i = 0; i < line->nr_frames; i++)
			json_uint(j, NULL, line->frames[i]);
		json_close(j, ']');
	}
	json_close(j, ']');
	json_close(j, '}');
}

void report_flame_speedscope(FILE *out, struct flame_graph *g)
{
	const struct flame_lines *lines = &g->lines;
	struct json j = {.out = out};
	size_t i, to;

	json_open(&j, NULL, '{');
	json_text(&j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_text(&j, "exporter", "lttng-containers");
	json_text(&j, "name", "lttng-containers flame");
	json_open(&j, "profiles", '[');
	for (i = 0; i < lines->nr; i = to) {
		for (to = i + 1;
		     to < lines->nr && *lines->line[i].frames == *lines->line[to].frames;)
			to++;
		json_profile(&j, &lines->texts, g->of_waits ? "nanoseconds" : "none",
			     &lines->line[i], &lines->line[to]);
	}
	json_close(&j, ']');
	json_frames(&j, &lines->texts);
	json_close(&j, '}');
	fputc('\n', out);
}

static void put_stack(struct json *j, const struct flame_line *line)
{
	size_t i;

	json_open(j, NULL, '[');
	json_uint(j, NULL, line->count);
	for (i = 0; i < line->nr_frames; i++)
		json_uint(j, NULL, line->frames[i]);
	json_close(j, ']');
}

/* What each stack was in another recording, and how that compares. */
static void put_before(struct json *j, const struct flame_graph *g)
{
	size_t i;

	json_uint(j, "scale_millionths", (uint64_t)(g->scale * 1e6 + 0.5));
	json_open(j, "before", '[');
	for (i = 0; i < g->lines.nr; i++)
		json_uint(j, NULL, g->lines.line[i].before);
	json_close(j, ']');
}

static const char *title_of(const struct flame_graph *g)
{
	return g->of_wakers  ? "What ended the waits of tasks"
	       : g->of_waits ? "What tasks waited for"
			     : "What CPUs did";
}

/*
 * tools/report/flame/page/flame.js reads it: stacks are [samples or ns, frame, ...], the outermost
 * first.
 */
static void put_data(FILE *out, const struct flame_graph *g)
{
	const struct texts *texts = &g->lines.texts;
	struct json j = {.out = out, .embedded = true};
	size_t i;

	json_open(&j, NULL, '{');
	json_text(&j, "title", title_of(g));
	json_text(&j, "unit", g->of_waits ? "ns" : "samples");
	json_open(&j, "stacks", '[');
	for (i = 0; i < g->lines.nr; i++)
		put_stack(&j, &g->lines.line[i]);
	json_close(&j, ']');
	if (g->has_before)
		put_before(&j, g);
	json_open(&j, "frames", '[');
	for (i = 0; i < texts->nr; i++)
		json_text(&j, NULL, texts->list[i]);
	json_close(&j, ']');
	json_open(&j, "notes", '[');
	for (i = 0; i < g->nr_notes; i++)
		json_text(&j, NULL, g->notes[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}

void report_flame_html(FILE *out, struct flame_graph *g)
{
	fwrite(flame_page_before, 1, flame_page_before_size, out);
	fputs("<script type=\"application/json\" id=\"data\">", out);
	put_data(out, g);
	fputs("</script>\n", out);
	fwrite(flame_page_after, 1, flame_page_after_size, out);
}
