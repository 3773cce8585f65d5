/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_QUERY_H
#define LC_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The arguments of the commands that ask a question of traces. */
struct query {
	bool json, help, all, ust, events;
	const char *at, *by, *container, *name; /* NULL: not given */
	int64_t tid, vtid;			/* -1: not given */
	char **traces;
	size_t nr_traces;
};

/*
 * @allowed: the options that the command takes, without dashes, a blank between;
 * --help is always one. Returns 0, or -1 after an error was printed.
 */
int query_parse(struct query *q, const char *allowed, int argc, char **argv);

#endif
