/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "label/label.h"
#include "base/text.h"
#include "base/util.h"

const char *duration(char buf[DURATION_MAX], uint64_t ns)
{
	if (ns < 1000)
		snprintf(buf, DURATION_MAX, "%uns", (unsigned int)ns);
	else if (ns < 1000000)
		snprintf(buf, DURATION_MAX, "%u.%uus", (unsigned int)(ns / 1000),
			 (unsigned int)(ns / 100 % 10));
	else if (ns < NS_PER_SEC)
		snprintf(buf, DURATION_MAX, "%u.%ums", (unsigned int)(ns / 1000000),
			 (unsigned int)(ns / 100000 % 10));
	else
		snprintf(buf, DURATION_MAX, "%u.%02us", (unsigned int)(ns / NS_PER_SEC),
			 (unsigned int)(ns / 10000000 % 100));
	return buf;
}

/* The bytes of the first @width characters. */
static int bytes_of(const char *s, int width)
{
	const char *at = s;

	for (; *at && width >= 0; at++)
		if (((unsigned char)*at & 0xc0) != 0x80 && width-- == 0)
			break;
	return (int)(at - s);
}

static void put_cell(FILE *out, const char *safe, int width)
{
	int has = (int)text_width(safe);

	if (!width || has <= width)
		fprintf(out, "%s%*s", safe, width > has ? width - has : 0, "");
	else
		fprintf(out, "%.*s~", bytes_of(safe, width - 1), safe);
}

void column_text(FILE *out, const char *text, int width)
{
	char *safe = text_escape(text);

	put_cell(out, safe, width);
	free(safe);
}

void column_container(FILE *out, const struct container *c, int width)
{
	char *label = width ? container_label_fit(c, (size_t)width) : container_label_safe(c);
	int has = (int)text_width(label);

	fprintf(out, "%s%*s", label, width > has ? width - has : 0, "");
	free(label);
}

const char *column_vtids(char *buf, size_t size, const struct task *t)
{
	size_t len = 0;
	int i;

	snprintf(buf, size, "%s", t->nr_levels ? "-" : "?");
	for (i = 1; i < t->nr_levels && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%d", i > 1 ? "/" : "",
					t->vtids[i]);
	/* The levels between are in --json. */
	if (len >= size)
		snprintf(buf, size, "%d/../%d", t->vtids[1], t->vtids[t->nr_levels - 1]);
	return buf;
}
