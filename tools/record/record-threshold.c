/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record.h"
#include "base/util.h"

#define PARAMETERS "/sys/module/lttng_watch/parameters/"

static const char *const parameters[] = {
	[WATCHED_DELAY] = PARAMETERS "delay_ns",
	[WATCHED_BLOCKED] = PARAMETERS "blocked_ns",
};

static int read_it(const struct threshold *t, uint64_t *ns)
{
	FILE *file = fopen(parameters[t->what], "re");
	bool known = file && fscanf(file, "%" SCNu64, ns) == 1;

	if (file)
		fclose(file);
	return known ? 0 : -1;
}

/* Returns 0, or -1 with errno set. */
static int write_it(const struct threshold *t, uint64_t ns)
{
	FILE *file = fopen(parameters[t->what], "we");

	if (!file)
		return -1;
	fprintf(file, "%" PRIu64, ns);
	return fclose(file) ? -1 : 0;
}

static uint64_t wanted(const struct threshold *t)
{
	return t->before && t->before < t->ns ? t->before : t->ns;
}

int threshold_set(struct threshold *t, enum watched what, uint64_t ns)
{
	uint64_t now;

	if (!ns) {
		threshold_restore(t);
		return 0;
	}
	t->what = what;
	if (!read_it(t, &now)) {
		if (!t->ns)
			t->before = now;
		t->ns = ns;
		if (now == wanted(t) || !write_it(t, wanted(t)))
			return 0;
		t->ns = 0;
	}
	return error("The kernel cannot be told how long is too long. file=%s reason=%s",
		     parameters[what], strerror(errno));
}

bool threshold_keep(struct threshold *t)
{
	uint64_t now;

	return t->ns && !read_it(t, &now) && (!now || now > wanted(t)) && !write_it(t, wanted(t));
}

void threshold_restore(struct threshold *t)
{
	uint64_t now;

	/* Who has changed it since may have it as it is. */
	if (t->ns && !read_it(t, &now) && now == wanted(t))
		write_it(t, t->before);
	t->ns = 0;
}
