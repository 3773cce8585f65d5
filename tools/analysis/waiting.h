/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WAITING_H
#define LC_WAITING_H

#include "model/model.h"

/*
 * Who waits for which CPU, by whose control group he is in: the outermost one that is a
 * container's, a user's slice or a service's. What a quota of one of these changes, it changes for
 * those who wait there, and is looked for among them alone; so thousands that wait elsewhere are in
 * nobody's way.
 */

/* One of them; what is known of him is set before he is added. */
struct waiter {
	const struct task *task; /* NULL: not known */
	int cpu;
	bool is_throttled; /* kept off it by a quota */
	void *user;
	struct waiters *among;
	struct waiter *next, *prev; /* of the same list */
};

/* Those of one owner. */
struct waiters_owner {
	uint64_t key, looks; /* looks that are left, see delays.c */
	size_t nr;	     /* CPUs that his wait for */
};

/* ... that wait for one CPU. */
struct waiters {
	struct waiters_owner *owner;
	int cpu;
	struct waiter *first[2]; /* may run; and those whom a quota keeps off */
	uint64_t missed;	 /* one more than when not all of them were looked at; 0: never */
	struct waiters *next, **here; /* of that CPU */
	bool is_held;		      /* it stays, if nobody waits any more */
};

/* All zero: nobody waits. */
struct waiting {
	const struct model *m;
	struct hash owners, all; /* all: by owner and CPU */
	struct waiters **cpus;	 /* the first ones */
	size_t nr_cpus;
	bool is_split; /* owners are told apart, by that hierarchy */
	int hierarchy;
};

void waiting_add(struct waiting *s, struct waiter *w);
void waiting_remove(struct waiting *s, struct waiter *w);
/*
 * Whether he has become another one's since he was added, as he was moved, or more is known of his
 * group: what changed for that one's quota was not looked for here.
 */
bool waiting_is_elsewhere(const struct waiting *s, const struct waiter *w);
/* From now on owners are told apart. */
void waiting_split(struct waiting *s, int hierarchy);
/*
 * The next of those who wait for a CPU, and may be in or below that group; NULL: there is none.
 * @last: NULL at first; it is let go.
 */
struct waiters *waiting_next(struct waiting *s, int cpu, int hierarchy, uint64_t group,
			     struct waiters *last);
void waiting_free(struct waiting *s);

#endif
