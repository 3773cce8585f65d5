/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_PERF_H
#define LC_RECORD_PERF_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file's numbers, with its generation, as text. */
#define MAPPED_FILE "%x:%x:%" PRIu64 ":%" PRIx64

/* What the kernel's perf tells of all processes: what they map to run it, and when they come. */

enum program_change {
	CHANGE_MAP,
	CHANGE_EXEC,
	CHANGE_FORK,
	CHANGE_EXIT,
	CHANGE_LOST, /* so many records were, as the kernel tells later, or never */
	CHANGE_FULL, /* from @since to @ns some may have been lost */
};

struct mapping {
	uint64_t begin, end, offset; /* the latter: in the file */
	uint32_t major, minor;
	uint64_t inode;
	/* What a file has not that had its number before; only perf tells it. */
	uint64_t generation;
	bool has_generation;
	const char *path; /* "//anon": none */
};

struct change {
	enum program_change kind;
	uint64_t ns; /* of CLOCK_MONOTONIC */
	uint32_t pid, parent;
	uint64_t lost, since;
	struct mapping map;
};

struct perf {
	struct perf_ring {
		void *page; /* shared with the kernel; the ring follows it */
		uint64_t head, tail;
		uint64_t ns; /* of what is next; UINT64_MAX: nothing */
		bool was_full;
	} * rings;
	struct pollfd *fds; /* of each, as many */
	size_t nr;
	uint64_t taken; /* what came before */
};

/* Returns 0, or -errno: then nothing is open. */
int perf_open(struct perf *p);
/* The same of this process alone, with what it maps only to read it. */
int perf_open_own(struct perf *p);
void perf_close(struct perf *p);
/*
 * What came before @until, in its order. If that is not later than the call, nothing is missing
 * that another CPU is yet to tell, and what is told first is whether something may have been lost
 * by then. Returns whether that is all that there is.
 */
bool perf_take(struct perf *p, uint64_t until, void (*take)(void *ctx, const struct change *c),
	       void *ctx);

#endif
