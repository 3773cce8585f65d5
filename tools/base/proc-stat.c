/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proc-stat.h"

bool proc_stat_parse(struct proc_stat *st, const char *text)
{
	/* The name may have any character in it, parentheses and newlines too. */
	const char *behind = strrchr(text, ')');
	uint64_t user, system, children_user, children_system;

	if (!behind || sscanf(behind,
			      ") %c %d %d %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64
			      " %" SCNu64 " %" SCNu64 " %*s %*s %*s %*s %" SCNu64,
			      &st->state, &st->parent, &st->group, &user, &system, &children_user,
			      &children_system, &st->start) != 8)
		return false;
	st->ticks = user + system + children_user + children_system;
	return true;
}
