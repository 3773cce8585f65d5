/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "quota.h"
#include "base/util.h"

#define WORD	 "quota "
#define TAKEN	 "throttled "
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

/* What is behind the word, if it is of the version that is known here. */
static enum line_kind begins_with(const char **text, const char *word)
{
	if (strncmp(*text, word, strlen(word)))
		return LINE_OTHER;
	*text += strlen(word);
	/* A later version is for later programs. */
	if (strncmp(*text, VERSION, strlen(VERSION)))
		return **text == 'v' ? LINE_OTHER : LINE_BROKEN;
	*text += strlen(VERSION);
	return LINE_GOOD;
}

enum line_kind quotas_line(struct quotas *q, const char *text)
{
	enum line_kind kind = begins_with(&text, WORD);
	struct quota told = {0};
	bool good;
	char *s;

	if (kind != LINE_GOOD)
		return kind;
	s = xstrdup(text);
	good = line_pairs(s, take, &told) && told.path && *told.path == '/' && told.us &&
	       told.period_us > 0;
	if (good && q && told.us != NO_QUOTA)
		put(q, &told);
	free(s);
	return good ? LINE_GOOD : LINE_BROKEN;
}

struct taken_line {
	char *path;
	int64_t us, nr, interval_us;
};

static bool take_taken(void *ctx, const char *key, char *value)
{
	struct taken_line *t = ctx;

	if (!strcmp(key, "cgroup"))
		t->path = value;
	else if (!strcmp(key, "throttled_us"))
		return line_number(value, INT64_MAX / 1000, &t->us);
	else if (!strcmp(key, "nr_throttled"))
		return line_number(value, INT64_MAX, &t->nr);
	else if (!strcmp(key, "interval_us"))
		return line_number(value, INT64_MAX / 1000, &t->interval_us);
	return true;
}

enum line_kind quota_taken_line(struct quota_taken *taken, const char *text)
{
	enum line_kind kind = begins_with(&text, TAKEN);
	struct taken_line t = {0};
	bool good;
	char *s;

	if (kind != LINE_GOOD)
		return kind;
	s = xstrdup(text);
	good = line_pairs(s, take_taken, &t) && t.path && *t.path == '/' && t.us > 0 &&
	       t.interval_us > 0;
	quota_taken_free(taken);
	if (good)
		*taken = (struct quota_taken){xstrdup(t.path), (uint64_t)t.us * 1000,
					      (uint64_t)t.interval_us * 1000};
	free(s);
	return good ? LINE_GOOD : LINE_BROKEN;
}

void quota_taken_free(struct quota_taken *taken)
{
	free(taken->path);
	*taken = (struct quota_taken){0};
}

const struct quota *quotas_find(const struct quotas *q, const char *path, uint64_t hash)
{
	const struct quota *found = hash_get(&q->by_path, hash);

	return found && !strcmp(found->path, path) ? found : NULL;
}

const struct quota *quotas_get(const struct quotas *q, const char *path)
{
	return quotas_find(q, path, hash_text(path, strlen(path)));
}

static void quota_free(struct quota *q)
{
	free(q->path);
	free(q);
}

void quotas_forget(struct quotas *q, bool (*keep)(void *ctx, const char *path), void *ctx)
{
	struct hash kept = {0};
	struct quota *one;
	size_t pos = 0;

	while ((one = hash_next(&q->by_path, &pos))) {
		if (keep(ctx, one->path))
			hash_put(&kept, hash_text(one->path, strlen(one->path)), one);
		else
			quota_free(one);
	}
	hash_free(&q->by_path);
	q->by_path = kept;
}

void quotas_free(struct quotas *q)
{
	struct quota *one;
	size_t pos = 0;

	while ((one = hash_next(&q->by_path, &pos)))
		quota_free(one);
	hash_free(&q->by_path);
}
