/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CONTAINER_LINE_H
#define LC_CONTAINER_LINE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The line that names a container in a trace:
 *
 *   container v1 runtime=R id=I name=N init_tid=T pid_ns=P cgroup=C [told_by=B] [pod=N]
 *	[pod_namespace=N] [container=N] [image=N]
 *
 * with values percent-encoded as in RFC 3986. Keys in any order; unknown ones are
 * passed over.
 */

/* By whom a name is told, those that are to be trusted least first. */
enum teller {
	TELLER_NONE,	/* it has no name */
	TELLER_CGROUP,	/* the path of its control group, which whoever made that has chosen */
	TELLER_USER,	/* the state of a user's runtime, of a process of that user */
	TELLER_UNKNOWN, /* a line that does not say it, as older versions wrote them */
	TELLER_ROOT,	/* the state of root's runtime, or what root alone can make */
};

struct container_line {
	char *text; /* owned; the others point into it, "" where a key is missing */
	const char *runtime, *id, *name, *cgroup;
	const char *pod, *pod_namespace, *container, *image;
	int64_t init_tid; /* in the root PID namespace; 0 if missing */
	uint32_t pid_ns;  /* inode; 0 if missing */
	enum teller teller;
	uint32_t user; /* whose runtime it is, of TELLER_USER */
};

enum line_kind {
	LINE_OTHER,  /* not of this kind at all: /proc/lttng-logger is for everybody */
	LINE_BROKEN, /* it begins like one, and is none */
	LINE_GOOD,
};

/* Free with container_line_free(), whatever is returned. */
enum line_kind container_line_parse(struct container_line *line, const char *text);
/* The word for it in a line and in JSON; "" for TELLER_NONE. */
const char *teller_text(enum teller teller);
void container_line_free(struct container_line *line);

/*
 * What lines are made of: words KEY=VALUE, here decoded in place and given to @take, until that or
 * a word is false. Return: whether all were right.
 */
bool line_pairs(char *s, bool (*take)(void *ctx, const char *key, char *value), void *ctx);
/* A decimal number of at most @max. Return: whether it is one. */
bool line_number(const char *s, int64_t max, int64_t *n);

#endif
