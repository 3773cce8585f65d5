/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "model/cgroup-path.h"
#include "model/label.h"
#include "turns.h"

/* As known.c has labels: host, user-UID:NAME, claimed:ID, pid-ns-INODE. */
#define CLAIMED	  "claimed:"
#define NAMESPACE "pid-ns-"

static bool begins(const char *label, const char *with)
{
	return !strncmp(label, with, strlen(with));
}

/* Whose group it is in; NULL: that tells nobody. The caller frees it. */
static char *whose_group(const char *cgroup)
{
	uint32_t user;
	size_t len;

	if (cgroup_user_slice(cgroup, &user))
		return xasprintf("user-%" PRIu32 ":", user);
	len = cgroup_service(cgroup);
	return len ? xasprintf("%.*s", (int)len, cgroup) : NULL;
}

/* The caller frees it. */
static char *whose(const char *label, const char *cgroup)
{
	bool is_untold =
		!strcmp(label, HOST_LABEL) || begins(label, CLAIMED) || begins(label, NAMESPACE);
	char *who = is_untold && cgroup ? whose_group(cgroup) : NULL;
	const char *colon = strchr(label, ':');

	if (who)
		return who;
	if (colon)
		return xasprintf("%.*s", (int)(colon + 1 - label), label);
	return xstrdup(begins(label, NAMESPACE) ? NAMESPACE : label);
}

char *turns_name(const char *label, const char *cgroup)
{
	char *who = !strcmp(label, HOST_LABEL) && cgroup ? whose_group(cgroup) : NULL, *name;
	const char *last;

	if (!who)
		return xstrdup(label);
	last = strrchr(who, '/');
	name = last ? xasprintf("%s:" HOST_LABEL, last + 1) : xasprintf("%s" HOST_LABEL, who);
	free(who);
	return name;
}

/* Its place, or how many there are. */
static size_t find(const struct turns *t, const char *who)
{
	size_t i;

	for (i = 0; i < t->nr && strcmp(t->of[i], who); i++)
		;
	return i;
}

void turns_take(struct turns *t, const char *label, const char *cgroup)
{
	char *who = whose(label, cgroup);
	size_t i = find(t, who);

	if (i == TURNS_MAX)
		i--;
	else if (i == t->nr)
		t->nr++;
	free(t->of[i]);
	memmove(&t->of[1], &t->of[0], i * sizeof(t->of[0]));
	t->of[0] = who;
}

uint64_t turns_wait(const struct turns *t, const char *label, const char *cgroup, uint64_t most)
{
	char *who = whose(label, cgroup);
	size_t i = find(t, who);

	free(who);
	return i == t->nr ? 0 : most / t->nr * (t->nr - i);
}

void turns_free(struct turns *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		free(t->of[i]);
	*t = (struct turns){0};
}
