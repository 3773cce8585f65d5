/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record.h"
#include "base/util.h"

#define PARAMETER "/sys/module/lttng_watch/parameters/delay_ns"

static int read_it(uint64_t *ns)
{
	FILE *file = fopen(PARAMETER, "re");
	bool known = file && fscanf(file, "%" SCNu64, ns) == 1;

	if (file)
		fclose(file);
	return known ? 0 : -1;
}

/* Returns 0, or -1 with errno set. */
static int write_it(uint64_t ns)
{
	FILE *file = fopen(PARAMETER, "we");

	if (!file)
		return -1;
	fprintf(file, "%" PRIu64, ns);
	return fclose(file) ? -1 : 0;
}

static uint64_t wanted(const struct threshold *t)
{
	return t->before && t->before < t->ns ? t->before : t->ns;
}

int threshold_set(struct threshold *t, uint64_t ns)
{
	uint64_t now;

	if (!read_it(&now)) {
		if (!t->ns)
			t->before = now;
		t->ns = ns;
		if (now == wanted(t) || !write_it(wanted(t)))
			return 0;
		t->ns = 0;
	}
	return error("The kernel cannot be told how long is too long. file=" PARAMETER " reason=%s",
		     strerror(errno));
}

bool threshold_keep(struct threshold *t)
{
	uint64_t now;

	return t->ns && !read_it(&now) && (!now || now > wanted(t)) && !write_it(wanted(t));
}

void threshold_restore(struct threshold *t)
{
	uint64_t now;

	/* Who has changed it since may have it as it is. */
	if (t->ns && !read_it(&now) && now == wanted(t))
		write_it(t->before);
	t->ns = 0;
}
