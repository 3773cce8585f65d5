/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CONTAINER_LINE_H
#define LC_CONTAINER_LINE_H

#include <stdint.h>

/*
 * The line that names a container in a trace:
 *
 *   container v1 runtime=R id=I name=N init_tid=T pid_ns=P cgroup=C [pod=N] [pod_namespace=N]
 *	[container=N] [image=N]
 *
 * with values percent-encoded as in RFC 3986. Keys in any order; unknown ones are
 * passed over.
 */

struct container_line {
	char *text; /* owned; the others point into it, "" where a key is missing */
	const char *runtime, *id, *name, *cgroup;
	const char *pod, *pod_namespace, *container, *image;
	int64_t init_tid; /* in the root PID namespace; 0 if missing */
	uint32_t pid_ns;  /* inode; 0 if missing */
};

enum line_kind {
	LINE_OTHER,  /* not of this kind at all: /proc/lttng-logger is for everybody */
	LINE_BROKEN, /* it begins like one, and is none */
	LINE_GOOD,
};

/* Free with container_line_free(), whatever is returned. */
enum line_kind container_line_parse(struct container_line *line, const char *text);
void container_line_free(struct container_line *line);

#endif
