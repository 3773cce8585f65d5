/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check-output.h"
#include "base/hash.h"
#include "base/util.h"

/* A line that was seen: what it is of, its number, and in which of the texts that was. */
struct sample {
	char *of;
	double value;
	unsigned int text;
};

struct samples {
	struct hash by_of;
	struct sample *all;
	size_t nr, cap;
};

static bool ends_with(const char *name, size_t len, const char *end)
{
	return len >= strlen(end) && !memcmp(name + len - strlen(end), end, strlen(end));
}

static bool only_grows(const char *of)
{
	size_t len = strcspn(of, "{ ");

	return ends_with(of, len, "_total") || ends_with(of, len, "_bucket") ||
	       ends_with(of, len, "_sum") || ends_with(of, len, "_count");
}

/* The place in all[] of what has that name and labels. */
static size_t place_of(struct samples *s, const char *of, size_t len)
{
	uint64_t hash = hash_text(of, len);
	uintptr_t at;

	for (; (at = (uintptr_t)hash_get(&s->by_of, hash)); hash++)
		if (strlen(s->all[at - 1].of) == len && !memcmp(s->all[at - 1].of, of, len))
			return at - 1;
	s->all = grow(s->all, s->nr, &s->cap, sizeof(*s->all));
	s->all[s->nr] = (struct sample){.of = xasprintf("%.*s", (int)len, of)};
	hash_put(&s->by_of, hash, (void *)(uintptr_t)(s->nr + 1));
	return s->nr++;
}

static void check_sample(struct samples *s, const char *line, size_t len, unsigned int text)
{
	const char *blank = memrchr(line, ' ', len);
	struct sample *known;
	double value;
	char *end;
	size_t at;

	value = blank ? strtod(blank + 1, &end) : 0;
	if (!blank || blank == line || end != line + len)
		broken("metrics: a line without a number. line=%.*s", (int)len, line);
	at = place_of(s, line, (size_t)(blank - line));
	known = &s->all[at];
	if (known->text == text)
		broken("metrics: told twice. of=%s", known->of);
	if (value < 0 || (known->text && value < known->value && only_grows(known->of)))
		broken("metrics: it went down. of=%s from=%f to=%f", known->of, known->value,
		       value);
	known->value = value;
	known->text = text;
}

void check_metrics(const char *text)
{
	const char *first = text;
	struct samples s = {0};
	unsigned int nr = 0;
	size_t len, i;

	for (; *text; text += len + 1) {
		len = strcspn(text, "\n");
		if (!text[len])
			broken("metrics: the last line has no end");
		/* Each of several begins as the first one does. */
		nr += !strncmp(text, first, len + 1);
		if (*text != '#')
			check_sample(&s, text, len, nr);
	}
	for (i = 0; i < s.nr; i++)
		free(s.all[i].of);
	free(s.all);
	hash_free(&s.by_of);
}
