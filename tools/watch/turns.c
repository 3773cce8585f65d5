/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "turns.h"

/* As store.c has it of names: user-UID:NAME, claimed:ID, pid-ns-INODE. */
#define NAMESPACE "pid-ns-"

/* The caller frees it. */
static char *whose(const char *label)
{
	const char *colon = strchr(label, ':');

	if (colon)
		return xasprintf("%.*s", (int)(colon + 1 - label), label);
	return xstrdup(strncmp(label, NAMESPACE, strlen(NAMESPACE)) ? label : NAMESPACE);
}

/* Its place, or how many there are. */
static size_t find(const struct turns *t, const char *who)
{
	size_t i;

	for (i = 0; i < t->nr && strcmp(t->of[i], who); i++)
		;
	return i;
}

void turns_take(struct turns *t, const char *label)
{
	char *who = whose(label);
	size_t i = find(t, who);

	if (i == TURNS_MAX)
		i--;
	else if (i == t->nr)
		t->nr++;
	free(t->of[i]);
	memmove(&t->of[1], &t->of[0], i * sizeof(t->of[0]));
	t->of[0] = who;
}

uint64_t turns_wait(const struct turns *t, const char *label, uint64_t most)
{
	char *who = whose(label);
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
