/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SELECTION_H
#define LC_SELECTION_H

#include "model/label.h"
#include "base/hash.h"
#include "trace/load.h"

/*
 * The containers that a user means by a label (model/label.h), a name, an id or its beginning, the
 * inode of a PID namespace, or the path of a cgroup; "host" is the host, and in front of any of
 * them HOST: may say which. One that was started again, or took over the inode, is meant, too. Who
 * is told by root is meant before whom users tell of or who is claimed, which costs a note.
 */
struct selection {
	struct hash set;
	struct hash hosts; /* models whose hosts are meant themselves */
};

/*
 * Call it when the traces are read. @at: only those that lived at that moment; 0:
 * any. Returns 0, or -1 after it printed that there is none, or which ones there are.
 */
int selection_containers(struct selection *p, const struct loaded *l, const char *what,
			 uint64_t at);
/* The same where there may be none: 1 if there are any, 0 without a word if not. */
int selection_find(struct selection *p, const struct loaded *l, const char *what, uint64_t at);
bool selection_has(const struct selection *p, struct container *c);
/* Whether it is one of them, or inside of one; of NULL, the host: whether that is meant. */
bool selection_holds(const struct selection *p, struct model *m, struct container *c);
bool selection_has_host(const struct selection *p, struct model *m);
void selection_free(struct selection *p);

#endif
