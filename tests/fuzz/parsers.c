/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "model/cgroup-path.h"
#include "check-output.h"
#include "model/container-line.h"
#include "base/text.h"
#include "stacks/demangle-here.h"
#include "stacks/demangler.h"
#include "base/util.h"

/* Lengths of parts of a path end where one of its names does. */
static void check_part(const char *what, const char *path, size_t len)
{
	if (len > strlen(path) || (len && path[len] && path[len] != '/'))
		broken("%s: that is no path of a group above. length=%zu", what, len);
}

static void parse_path(const char *text)
{
	struct cgroup_name name;
	uint32_t user;

	check_part("cgroup_user_slice", text, cgroup_user_slice(text, &user));
	check_part("cgroup_maker", text, cgroup_maker(text));
	check_part("cgroup_service", text, cgroup_service(text));
	(void)(cgroup_is_nested(text) + cgroup_is_of_service(text) + cgroup_is_shared(text));

	cgroup_name_parse(&name, text);
	if (strlen(name.id) >= sizeof(name.id) || (name.holds == HOLDS_NOTHING) != !*name.id)
		broken("cgroup path: an id without a container, or the other way round");
}

static void parse_line(const char *text)
{
	struct container_line line;

	if (container_line_parse(&line, text) == LINE_GOOD &&
	    (line.init_tid <= 0 || !line.pid_ns || !*line.runtime || (!*line.id && !*line.name)))
		broken("container line: a good one lacks something");
	container_line_free(&line);
}

static void show(const char *text)
{
	char *safe = text_escape(text), *valid = text_valid(text);
	const char *s = valid;
	size_t len = strlen(valid);

	check_text("text_escape", safe, strlen(safe));
	if (strchr(safe, '\n'))
		broken("text_escape: a line ends");
	if (text_width(safe) > strlen(safe))
		broken("text_width: more columns than bytes");
	while (len) {
		uint32_t c;
		size_t n = utf8_decode(s, len, &c);

		if (!n)
			broken("text_valid: a byte that is not UTF-8");
		s += n;
		len -= n;
	}
	free(safe);
	free(valid);
}

static void parse_time(const char *text)
{
	static const uint64_t begins[] = {0, 1700000000123456789, INT64_MAX};
	char buf[TIME_TEXT_MAX];
	uint64_t ns;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(begins); i++)
		if (!time_parse(text, begins[i], &ns))
			check_text("time_full", time_full(buf, ns), strlen(buf));
}

static void decode(const char *text)
{
	char *copy = xstrdup(text);

	if (!percent_decode(copy) && strlen(copy) > strlen(text))
		broken("percent_decode: it grows");
	free(copy);
}

/*
 * What a process of its own answers is what is answered here, whatever it was asked before; a name
 * that breaks libiberty, or takes it too long, is none of ours.
 */
static void demangle(const char *name)
{
	static struct demangler d;
	char *told = demangler_ask(&d, 1, name), text[DEMANGLED_MAX];
	size_t len = told ? demangle_here(name, text, sizeof(text)) : 0;

	if (d.failures) {
		demangler_free(&d);
		d.failures = 0;
	}
	if (told && (!*told || strlen(told) != len || memcmp(told, text, len)))
		broken("demangler: two answers. answer=%s other=%.*s", told, (int)len, text);
	free(told);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All that reads text of others: paths, lines, times, names of functions. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* As long as the text, so that the byte behind it is out of bounds. */
	char *text = xcalloc(size + 1, 1);

	if (size)
		memcpy(text, data, size);
	parse_path(text);
	parse_line(text);
	parse_time(text);
	decode(text);
	demangle(text);
	show(text);
	free(text);
	return 0;
}
