/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "quota.h"
#include "base/util.h"

#define WORD	 "quota "
#define VERSION	 "v1 "
#define NO_QUOTA (-1)

static bool take(void *ctx, const char *key, char *value)
{
	struct quota *q = ctx;

	if (!strcmp(key, "cgroup"))
		q->path = value;
	else if (!strcmp(key, "cpu_period_us"))
		return line_number(value, INT64_MAX, &q->period_us);
	else if (!strcmp(key, "cpu_quota_us") && !strcmp(value, "max"))
		q->us = NO_QUOTA;
	else if (!strcmp(key, "cpu_quota_us"))
		return line_number(value, INT64_MAX, &q->us);
	return true;
}

static void put(struct quotas *quotas, const struct quota *told)
{
	uint64_t key = hash_text(told->path, strlen(told->path));
	struct quota *q = hash_get(&quotas->by_path, key);

	if (!q) {
		q = xcalloc(1, sizeof(*q));
		q->path = xstrdup(told->path);
		hash_put(&quotas->by_path, key, q);
	}
	q->us = told->us;
	q->period_us = told->period_us;
}

enum line_kind quotas_line(struct quotas *q, const char *text)
{
	struct quota told = {0};
	bool good;
	char *s;

	if (strncmp(text, WORD, strlen(WORD)))
		return LINE_OTHER;
	text += strlen(WORD);
	/* A later version is for later programs. */
	if (strncmp(text, VERSION, strlen(VERSION)))
		return *text == 'v' ? LINE_OTHER : LINE_BROKEN;
	s = xstrdup(text + strlen(VERSION));
	good = line_pairs(s, take, &told) && told.path && *told.path == '/' && told.us &&
	       told.period_us > 0;
	if (good && q && told.us != NO_QUOTA)
		put(q, &told);
	free(s);
	return good ? LINE_GOOD : LINE_BROKEN;
}

const struct quota *quotas_get(const struct quotas *q, const char *path)
{
	const struct quota *found = hash_get(&q->by_path, hash_text(path, strlen(path)));

	return found && !strcmp(found->path, path) ? found : NULL;
}

void quotas_free(struct quotas *q)
{
	struct quota *one;
	size_t pos = 0;

	while ((one = hash_next(&q->by_path, &pos))) {
		free(one->path);
		free(one);
	}
	hash_free(&q->by_path);
}
