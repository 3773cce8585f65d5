/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names-int.h"
#include "base/text.h"
#include "base/util.h"

#define ELLIPSIS  "%E2%80%A6"
/* Less than this of a value says nothing. */
#define VALUE_MIN 24

enum {
	RUNTIME,
	ID,
	NAME,
	INIT_TID,
	PID_NS,
	CGROUP,
	TOLD_BY,
	POD,
	POD_NAMESPACE,
	CONTAINER,
	IMAGE,
	VALUES
};

static const char *const keys[VALUES] = {
	[RUNTIME] = "runtime",	   [ID] = "id",		[NAME] = "name",
	[INIT_TID] = "init_tid",   [PID_NS] = "pid_ns", [CGROUP] = "cgroup",
	[TOLD_BY] = "told_by",	   [POD] = "pod",	[POD_NAMESPACE] = "pod_namespace",
	[CONTAINER] = "container", [IMAGE] = "image",
};

/* Shortens to at most @len bytes, of VALUE_MIN and more, between two characters, also of UTF-8. */
static void cut(char *text, size_t len)
{
	size_t at = len - strlen(ELLIPSIS), i;

	for (i = 1; i <= 2 && i <= at; i++)
		if (text[at - i] == '%')
			at -= i;
	for (i = 0; i < 3 && at >= 3 && text[at] == '%' && strchr("89AB", text[at + 1]); i++)
		if (text[at - 3] == '%')
			at -= 3;
	strcpy(text + at, ELLIPSIS);
}

static size_t line_length(char *const values[VALUES])
{
	size_t len = strlen("container v1"), i;

	for (i = 0; i < VALUES; i++)
		if (values[i])
			len += 1 + strlen(keys[i]) + 1 + strlen(values[i]);
	return len;
}

/* The one of these that is longest and can be shortened; VALUES if there is none. */
static size_t longest(char *const values[VALUES], size_t from, size_t to)
{
	size_t best = VALUES, i;

	for (i = from; i < to; i++)
		if (values[i] && i != INIT_TID && i != PID_NS && i != TOLD_BY &&
		    (best == VALUES || strlen(values[i]) > strlen(values[best])))
			best = i;
	return best;
}

/* Makes the line fit: what is optional first, the longest first. */
static void fit(char *values[VALUES])
{
	size_t len, over, i;

	while ((len = line_length(values)) > NAMES_LINE_MAX) {
		over = len - NAMES_LINE_MAX;
		i = longest(values, POD, VALUES);
		if (i == VALUES)
			i = longest(values, RUNTIME, POD);
		len = strlen(values[i]);
		if (len >= over + VALUE_MIN) {
			cut(values[i], len - over);
		} else if (i < POD) {
			cut(values[i], VALUE_MIN);
		} else {
			free(values[i]);
			values[i] = NULL;
		}
	}
}

void names_line(char *line, const struct found *f, const struct process *p)
{
	const char *const texts[VALUES] = {
		[RUNTIME] = f->runtime,	    [ID] = f->id,	[NAME] = f->name,
		[CGROUP] = p->cgroup,	    [POD] = f->pod,	[POD_NAMESPACE] = f->pod_namespace,
		[CONTAINER] = f->container, [IMAGE] = f->image,
	};
	char *values[VALUES] = {0};
	size_t i;

	for (i = 0; i < VALUES; i++)
		if (texts[i] && (*texts[i] || i < POD))
			/* Of what no line has room for, the end is not even encoded. */
			values[i] = percent_encode(texts[i], NAMES_LINE_MAX);
	values[INIT_TID] = xasprintf("%d", (int)p->tid);
	values[PID_NS] = xasprintf("%" PRIu64, p->pid_ns);
	values[TOLD_BY] = f->user ? xasprintf("user:%u", (unsigned int)f->user) : xstrdup("root");
	fit(values);
	line += sprintf(line, "container v1");
	for (i = 0; i < VALUES; i++) {
		if (values[i])
			line += sprintf(line, " %s=%s", keys[i], values[i]);
		free(values[i]);
	}
}
