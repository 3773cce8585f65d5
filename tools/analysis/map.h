/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_MAP_H
#define LC_MAP_H

#include "trace/load.h"
#include "selection.h"

/* The lives of threads, found by the ids that they have at some level. */

struct lives {
	struct task **life; /* by birth */
	size_t nr, cap;
};

struct map_question {
	int64_t tid;		       /* of the host, -1: any */
	const struct selection *where; /* else @vtid in the PID namespace of those containers */
	int64_t vtid;
	uint64_t at; /* 0: at any time */
};

/* Wants a model with keep_dead. Free life. */
struct lives map_lives(struct model *m, const struct map_question *q);

/*
 * Threads of user-space traces: the contexts vtid and pid_ns of an event say which
 * thread of the kernel's trace it is of, for at one time an inode is one namespace.
 */
struct user_thread {
	int64_t pid_ns, vtid, vpid;
	struct task *task; /* NULL: not known */
	struct container *container;
	uint64_t count, first, last;
	struct user_thread *next; /* an earlier one of these ids */
};

struct user_record {
	uint64_t ns;
	struct user_thread *thread;
	const char *name;
};

struct user_map {
	struct model *model;
	bool keep_events;
	struct hash threads; /* pid_ns and vtid -> chain, the last first */
	size_t nr_threads;
	uint64_t nr_events, nr_bare; /* bare: without the contexts that tell */
	struct hash names;	     /* address -> copy */
	struct user_record *events;
	size_t nr_kept, cap_kept;
};

struct user_map *user_map_new(struct model *m, bool keep_events);
void user_map_event(struct user_map *u, const struct user_event *ev);
/* When all is read: asks again for threads that were not known yet. */
void user_map_finish(struct user_map *u);
void user_map_free(struct user_map *u);

#endif
