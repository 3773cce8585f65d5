/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame-frames.h"
#include "flame-lines.h"
#include "flame-page.h"
#include "programs.h"
#include "base/json.h"
#include "base/util.h"

/* What graphs are drawn of, for as far as all of it is shown. */
static void tell_samples(const struct loaded *l, const struct flame_options *opt)
{
	uint64_t nr = 0, user = 0, one = 0, cut = 0, lone = 0;
	bool lost = false, differ = false, mapped = true, missed = false;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		const struct profile *p = opt->profile_of(l->hosts[i]);

		nr += p->nr_samples;
		user += p->nr_user;
		one += p->nr_one;
		cut += p->nr_cut;
		lone += p->nr_lone;
		mapped = mapped && p->ctx;
		missed = missed || (p->ctx && programs_lost(p->ctx));
		lost = lost || l->hosts[i]->model->nr_losses;
		differ = differ || p->periods_differ;
	}
	if (user)
		note("Stacks of programs end after one frame where these, or their libraries, were"
		     " built without frame pointers, or it was the first function. %s=%" PRIu64
		     " with_user_frames=%" PRIu64 " of_these_one_frame_alone=%" PRIu64,
		     opt->why_of ? "stacks" : "samples", nr, user, one);
	if (user && !mapped)
		note("Functions of programs have no names where there is no list of this boot's"
		     " beside the trace of what they mapped (programs, of record --stacks).");
	if (missed)
		note("Not all that programs mapped was kept: some functions may have no names, or"
		     " wrong ones.");
	if (cut)
		note("Stacks that were deeper than the tracer's 128 frames lack the outermost."
		     " %s=%" PRIu64,
		     opt->why_of ? "stacks" : "samples", cut);
	if (lone)
		note("The kernel's stack is not known of all samples: of these the function alone"
		     " is. samples=%" PRIu64,
		     lone);
	if (differ)
		note("The frequency was changed meanwhile: not all samples stand for the same"
		     " time.");
	if (lost && !opt->why_of)
		note("Events were lost, samples perhaps, too: shares are those of what is left.");
}

static void tell(const struct loaded *l, const struct flame_options *opt,
		 const struct flame_lines *lines)
{
	const char *unit = opt->why_of ? "ns" : "samples";

	tell_samples(l, opt);
	if (lines->nr_stackless)
		note("Of some waits no stack was recorded: they began before the trace, or it was"
		     " lost. ns=%" PRIu64,
		     lines->nr_stackless);
	if (lines->nr_user)
		note("Functions of programs have names where their files tell them, and these could"
		     " be read. user_frames=%" PRIu64 " with_name=%" PRIu64,
		     lines->nr_user, lines->nr_user_named);
	if (lines->nr_nameless)
		note("Functions of the kernel have no names where there is no list of this boot's"
		     " beside the trace (kallsyms, of record --stacks), or the list has them not."
		     " %s_of_kernel=%" PRIu64 " without_all_names=%" PRIu64,
		     unit, lines->nr_kernel, lines->nr_nameless);
	if (lines->nr_unplaced)
		note("Of some tasks it is not known in which container they were. %s=%" PRIu64,
		     unit, lines->nr_unplaced);
	if (!lines->nr)
		note(opt->why_of ? "There are no waits of that." : "There are no samples of that.");
}

/* A blank ends a line's frames for some readers, a semicolon a frame. */
static void put_folded(FILE *out, const char *frame)
{
	for (; *frame; frame++)
		if (*frame == ' ' || *frame == ';')
			fprintf(out, "\\x%02x", *frame);
		else
			fputc(*frame, out);
}

void report_flame_folded(FILE *out, const struct loaded *l, const struct flame_options *opt)
{
	struct flame_lines lines = flame_lines(l, opt);
	size_t i;

	for (i = 0; i < lines.nr; i++) {
		char *rest = lines.line[i].frames, *frame;
		const char *between = "";

		while ((frame = flame_next(&rest))) {
			fputs(between, out);
			put_folded(out, frame);
			between = ";";
		}
		fprintf(out, " %" PRIu64 "\n", lines.line[i].count);
	}
	tell(l, opt, &lines);
	flame_lines_free(&lines);
}

static void json_frames(struct json *j, const struct frames *f)
{
	size_t i;

	json_open(j, "shared", '{');
	json_open(j, "frames", '[');
	for (i = 0; i < f->nr; i++) {
		json_open(j, NULL, '{');
		json_text(j, "name", f->names[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static size_t container_width(const struct flame_line *line)
{
	return strcspn(line->frames, "\n");
}

/* A graph of its own: the lines of one container, up to @to. */
static void json_profile(struct json *j, struct frames *f, const char *unit,
			 struct flame_line *line, const struct flame_line *to)
{
	char *name = xasprintf("%.*s", (int)container_width(line), line->frames);
	const struct flame_line *l;
	uint64_t sum = 0;

	for (l = line; l < to; l++)
		sum += l->count;
	json_open(j, NULL, '{');
	json_text(j, "type", "sampled");
	json_text(j, "name", name);
	json_text(j, "unit", unit);
	json_uint(j, "startValue", 0);
	json_uint(j, "endValue", sum);
	json_open(j, "weights", '[');
	for (l = line; l < to; l++)
		json_uint(j, NULL, l->count);
	json_close(j, ']');
	json_open(j, "samples", '[');
	for (; line < to; line++) {
		char *rest = line->frames, *frame;

		json_open(j, NULL, '[');
		while ((frame = flame_next(&rest)))
			json_uint(j, NULL, frame_number(f, frame));
		json_close(j, ']');
	}
	json_close(j, ']');
	json_close(j, '}');
	free(name);
}

static bool same_container(const struct flame_line *a, const struct flame_line *b)
{
	size_t width = container_width(a);

	return width == container_width(b) && !strncmp(a->frames, b->frames, width);
}

void report_flame_speedscope(FILE *out, const struct loaded *l, const struct flame_options *opt)
{
	struct flame_lines lines = flame_lines(l, opt);
	struct json j = {.out = out};
	struct frames f = {0};
	size_t i, to;

	json_open(&j, NULL, '{');
	json_text(&j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_text(&j, "exporter", "lttng-containers");
	json_text(&j, "name", "lttng-containers flame");
	json_open(&j, "profiles", '[');
	for (i = 0; i < lines.nr; i = to) {
		for (to = i + 1; to < lines.nr && same_container(&lines.line[i], &lines.line[to]);)
			to++;
		json_profile(&j, &f, opt->why_of ? "nanoseconds" : "none", &lines.line[i],
			     &lines.line[to]);
	}
	json_close(&j, ']');
	json_frames(&j, &f);
	frames_free(&f);
	json_close(&j, '}');
	fputc('\n', out);
	tell(l, opt, &lines);
	flame_lines_free(&lines);
}

/* tools/report/flame/page/flame.js reads it: stacks are [samples or ns, frame, ...], the outermost
 * first. */
static void put_data(FILE *out, struct flame_lines *lines, const char *unit)
{
	struct json j = {.out = out, .embedded = true};
	struct frames f = {0};
	size_t i;

	json_open(&j, NULL, '{');
	json_text(&j, "unit", unit);
	json_open(&j, "stacks", '[');
	for (i = 0; i < lines->nr; i++) {
		char *rest = lines->line[i].frames, *frame;

		json_open(&j, NULL, '[');
		json_uint(&j, NULL, lines->line[i].count);
		while ((frame = flame_next(&rest)))
			json_uint(&j, NULL, frame_number(&f, frame));
		json_close(&j, ']');
	}
	json_close(&j, ']');
	json_open(&j, "frames", '[');
	for (i = 0; i < f.nr; i++)
		json_text(&j, NULL, f.names[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	frames_free(&f);
}

void report_flame_html(FILE *out, const struct loaded *l, const struct flame_options *opt)
{
	struct flame_lines lines = flame_lines(l, opt);

	fwrite(flame_page_before, 1, flame_page_before_size, out);
	fputs("<script type=\"application/json\" id=\"data\">", out);
	put_data(out, &lines, opt->why_of ? "ns" : "samples");
	fputs("</script>\n", out);
	fwrite(flame_page_after, 1, flame_page_after_size, out);
	tell(l, opt, &lines);
	flame_lines_free(&lines);
}
