/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "check-output.h"
#include "model/container-line.h"
#include "names-fakes.h"
#include "names/names.h"

/*
 * All that reads what runtimes and users have written: files, answers and names of control groups
 * (see world.h). Each line that comes of it is checked.
 */

#define SCANS_MAX  4
#define ELLIPSIS   "\xe2\x80\xa6"
#define USER_SLICE "/user.slice/user-"

/* The lines of one scan. */
struct lines {
	char **lines;
	size_t nr, cap;
};

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

/* Whose slice the control group is in; 0: in nobody's. */
static unsigned long slice_of(const char *cgroup)
{
	const char *s = cgroup + strlen(USER_SLICE);
	unsigned long user;
	char *end;

	if (strncmp(cgroup, USER_SLICE, strlen(USER_SLICE)) || !isdigit((unsigned char)*s))
		return 0;
	user = strtoul(s, &end, 10);
	return strncmp(end, ".slice", 6) || (end[6] && end[6] != '/') ? 0 : user;
}

/* Those whose start no file has told: only of these root's word must not be taken there. */
static bool is_by_pid_alone(const char *runtime)
{
	return !strcmp(runtime, "podman") || !strcmp(runtime, "crio") ||
	       !strcmp(runtime, "docker") || !strcmp(runtime, "containerd");
}

static void check_who(const struct container_line *line)
{
	unsigned long slice = slice_of(line->cgroup);

	/* It was too long. */
	if (ends_with(line->cgroup, ELLIPSIS))
		return;
	if (line->teller != TELLER_USER && line->teller != TELLER_ROOT)
		broken("names: nobody has told it");
	if (line->teller == TELLER_USER && (!line->user || slice != line->user))
		broken("names: a user tells of what is not the user's. user=%u cgroup=%s",
		       line->user, line->cgroup);
	if (line->teller == TELLER_ROOT && slice && is_by_pid_alone(line->runtime))
		broken("names: a container of root's in a user's slice. cgroup=%s", line->cgroup);
}

static void check_line(const char *text)
{
	const char *ns = strstr(text, " pid_ns=");
	struct container_line line;
	enum line_kind kind;

	if (strlen(text) > NAMES_LINE_MAX)
		broken("names: a line is too long. length=%zu", strlen(text));
	for (const char *s = text; *s; s++)
		if (*s < ' ' || *s > '~')
			broken("names: a line has what it must not. byte=%02x", (unsigned char)*s);
	kind = container_line_parse(&line, text);
	/* No namespace has such a number. */
	if (kind != LINE_GOOD && (!ns || strtoull(ns + 8, NULL, 10) <= UINT32_MAX))
		broken("names: a line that its reader does not take. line=%s", text);
	if (kind == LINE_GOOD)
		check_who(&line);
	container_line_free(&line);
}

static void take(void *ctx, const char *line)
{
	struct lines *l = ctx;
	size_t i;

	check_line(line);
	for (i = 0; i < l->nr; i++)
		if (!strcmp(l->lines[i], line))
			broken("names: a line is told twice. line=%s", line);
	l->lines = grow(l->lines, l->nr, &l->cap, sizeof(*l->lines));
	l->lines[l->nr++] = xstrdup(line);
}

static void again(void *ctx, const char *line)
{
	(void)ctx;
	check_line(line);
}

/* What is told is told once, as long as nothing changes. */
static void scan(struct names *n)
{
	struct lines l = {0};
	size_t i;

	names_scan(n, take, &l);
	names_scan(n, take, &l);
	names_repeat(n, 65536, again, NULL);
	for (i = 0; i < l.nr; i++)
		free(l.lines[i]);
	free(l.lines);
}

static void play(const uint8_t *at, const uint8_t *end)
{
	struct names *n = names_new_at(world_path());
	struct record *r;
	int scans = 1;

	while ((r = record_next(&at, end)) && scans < SCANS_MAX) {
		if (!strcmp(r->name, "@")) {
			scan(n);
			scans++;
		} else if (!strncmp(r->name, "docker ", 7) || !strncmp(r->name, "late ", 5) ||
			   !strcmp(r->name, "podman")) {
			fake_answer(r);
		} else {
			world_put(r);
		}
		record_free(r);
	}
	if (r)
		record_free(r);
	scan(n);
	names_free(n);
	fake_reset();
	world_reset();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *real = stderr;
	char *said = NULL;
	size_t len = 0;

	world_path();
	stderr = open_memstream(&said, &len);
	if (!stderr)
		broken("out of memory");
	play(data, data + size);
	fclose(stderr);
	stderr = real;
	check_text("standard error", said, len);
	free(said);
	return 0;
}
