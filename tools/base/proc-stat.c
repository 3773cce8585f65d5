/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proc-stat.h"

bool proc_stat_parse(struct proc_stat *st, const char *text)
{
	/* The name may have any character in it, parentheses and newlines too. */
	const char *behind = strrchr(text, ')');
	uint64_t user, system, children_user, children_system;

	*st = (struct proc_stat){0};
	if (!behind ||
	    sscanf(behind,
		   ") %c %d %d %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %*s %*s %*s %*s %" SCNu64 " %*s %*s %*s %" SCNu64 " %*s %" SCNu64,
		   &st->state, &st->parent, &st->group, &user, &system, &children_user,
		   &children_system, &st->start, &st->code, &st->stack) < 8)
		return false;
	st->ticks = user + system + children_user + children_system;
	return true;
}

bool proc_stat_read(struct proc_stat *st, int64_t tid)
{
	char path[64], *text = NULL;
	size_t size = 0;
	bool is_read;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%" PRId64 "/stat", tid);
	f = fopen(path, "re");
	is_read = f && getdelim(&text, &size, '\0', f) > 0 && proc_stat_parse(st, text);
	if (f)
		fclose(f);
	free(text);
	return is_read;
}
