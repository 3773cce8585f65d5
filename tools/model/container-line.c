/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "container-line.h"
#include "base/text.h"
#include "base/util.h"

#define WORD	"container "
#define VERSION "v1"

bool line_number(const char *s, int64_t max, int64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoll(s, &end, 10);
	return isdigit((unsigned char)*s) && !*end && !errno && *n <= max;
}

static const char *const tellers[] = {
	[TELLER_NONE] = "",	      [TELLER_CGROUP] = "cgroup", [TELLER_USER] = "user",
	[TELLER_UNKNOWN] = "unknown", [TELLER_ROOT] = "root",
};

const char *teller_text(enum teller teller)
{
	return tellers[teller];
}

/* root, cgroup or user:UID; what a later version may say is not known here. */
static bool take_teller(struct container_line *line, const char *value)
{
	int64_t user;

	if (!strcmp(value, "root"))
		line->teller = TELLER_ROOT;
	else if (!strcmp(value, "cgroup"))
		line->teller = TELLER_CGROUP;
	if (strncmp(value, "user:", 5))
		return true;
	if (!line_number(value + 5, UINT32_MAX, &user))
		return false;
	line->teller = TELLER_USER;
	line->user = (uint32_t)user;
	return true;
}

static bool take(void *ctx, const char *key, char *value)
{
	struct container_line *line = ctx;
	const struct {
		const char *key;
		const char **to;
	} texts[] = {
		{"runtime", &line->runtime},
		{"id", &line->id},
		{"name", &line->name},
		{"cgroup", &line->cgroup},
		{"pod", &line->pod},
		{"pod_namespace", &line->pod_namespace},
		{"container", &line->container},
		{"image", &line->image},
	};
	int64_t n;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (!strcmp(key, texts[i].key))
			*texts[i].to = value;
	if (!strcmp(key, "told_by"))
		return take_teller(line, value);
	if (!strcmp(key, "init_tid"))
		return line_number(value, INT32_MAX, &line->init_tid);
	if (!strcmp(key, "pid_ns")) {
		if (!line_number(value, UINT32_MAX, &n))
			return false;
		line->pid_ns = (uint32_t)n;
	}
	return true;
}

bool line_pairs(char *s, bool (*take_pair)(void *ctx, const char *key, char *value), void *ctx)
{
	char *word, *state = NULL, *equals;

	for (word = strtok_r(s, " \n", &state); word; word = strtok_r(NULL, " \n", &state)) {
		equals = strchr(word, '=');
		if (!equals)
			return false;
		*equals = '\0';
		if (percent_decode(equals + 1) || !take_pair(ctx, word, equals + 1))
			return false;
	}
	return true;
}

static bool parse(struct container_line *line, char *s)
{
	return line_pairs(s, take, line) && *line->runtime && (*line->id || *line->name) &&
	       line->init_tid > 0 && line->pid_ns;
}

enum line_kind container_line_parse(struct container_line *line, const char *text)
{
	size_t len = strlen(WORD VERSION);

	*line = (struct container_line){.runtime = "",
					.id = "",
					.name = "",
					.cgroup = "",
					.pod = "",
					.pod_namespace = "",
					.container = "",
					.image = "",
					.teller = TELLER_UNKNOWN};
	if (strncmp(text, WORD, strlen(WORD)))
		return LINE_OTHER;
	/* A later version is for later programs. */
	if (strncmp(text, WORD VERSION, len) || text[len] != ' ')
		return text[strlen(WORD)] == 'v' ? LINE_OTHER : LINE_BROKEN;
	line->text = xstrdup(text + len);
	return parse(line, line->text) ? LINE_GOOD : LINE_BROKEN;
}

void container_line_free(struct container_line *line)
{
	free(line->text);
	line->text = NULL;
}
