/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_DUMP_INT_H
#define LC_DUMP_INT_H

#include "model-int.h"

/* Shared by the parts that take in a state dump. */

/*
 * The records of one task come one after another, deepest level first; they
 * are gathered here and taken in when level 0, or another task's record, comes.
 */
struct level_record {
	int64_t level, inum, vtid, vpid, vppid;
};

struct task_record {
	bool open;
	struct event ev; /* of the first record; its texts are not valid */
	uint64_t prev;	 /* see struct dump */
	int tid, pid, ppid;
	char name[COMM_MAX + 1];
	bool is_kthread, is_dead;
	int nr; /* levels told; the first LEVELS_MAX are kept */
	struct level_record levels[LEVELS_MAX];
	struct chain chain; /* root first; n is 0 if the levels do not make one */
};

/* A statement about another task that may be dumped later. */
struct reference {
	struct event ev;
	int tid, other; /* other: the process that is meant */
	enum rule rule;
	int n;
	int32_t *ids; /* the other's, root first */
	struct reference *next;
};

struct dump {
	struct task_record cur, last;
	struct reference *references;
	/* A namespace's record, until its init's comes right behind it. */
	bool has_namespace;
	struct event namespace;
	/*
	 * A record is read before it is written. It was read after the record
	 * before it was written, at prev; what happened since may not be in it.
	 */
	uint64_t prev;
	uint64_t now;
};

/*
 * Judges what a task's records say of its leader and its parent, now or, if
 * they are yet to be dumped, at the end of the dump.
 */
void references_judge(struct model *m, const struct task_record *r);
/* The dump has ended: judges those that had to wait. */
void references_settle(struct model *m);
/* Forgets them, unjudged. */
void references_drop(struct dump *d);

#endif
