/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_KNOWN_H
#define LC_KNOWN_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "condition.h"
#include "model/container-line.h"

/* The containers of this host as their runtimes told of them, and in which of them a task is. */
struct known {
	pthread_mutex_t lock;	/* who hears of them is a thread of its own */
	struct hash containers; /* struct heard, which are owned, by who told of which process */
	size_t tidy_at;		/* with so many, those that are gone are looked for */
};

#define KNOWN_NONE                                                                                 \
	{                                                                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER                                                  \
	}

/* Takes a line as names/names.h has it. */
void known_hear(void *known, const char *line);
void known_free(struct known *k);

/* Where a task is. */
struct where {
	uint64_t ns_inum; /* its PID namespace */
	uint64_t host_inum;
	const char *cgroup; /* the path of its control group; NULL: it is not known */
};

/*
 * The path of the control group in which a task was, which had that tid and PID namespace then, by
 * the group's id in the unified hierarchy (0: it has none): the tid may be another's by now, and
 * the task elsewhere. Of a group that is too deep to have a path it is that of the innermost one
 * around it that has one; where it is gone, it is where the task is now, if that is in a namespace
 * other than this process's. NULL: it cannot be known any more. The caller frees it.
 */
char *where_cgroup(int64_t tid, uint64_t ns_inum, uint64_t cgroup_id);
/* Whether the condition means that place. */
bool known_means(struct known *k, const struct condition *c, const struct where *w);
/*
 * What the innermost container there is called: its name, the begin of its id, or the inode of its
 * PID namespace; or host. Before a name stands the namespace of Kubernetes that it is in, if one is
 * told: others choose the same. The caller frees it. @id, if not NULL: is set to that one's id,
 * which no other has and the caller frees, too; or to NULL, if no runtime of root's told of one.
 */
char *known_label(struct known *k, const struct where *w, char **id);
/* Whether several containers have a PID namespace, so that its inode does not say which. */
bool known_is_shared(struct known *k, uint64_t ns_inum);

/* A control group whose quota is that of a container. */
struct known_group {
	char *path;    /* owned, as the next two */
	char *label;   /* as known_label() has it */
	char *id;      /* as known_label() sets it */
	uint64_t inum; /* the container's PID namespace, 0: it has the host's or is not known */
};

/*
 * The groups of what the condition means, as far as runtimes told of them; each that is above a
 * container's, but not the root, stands there as well, once. Of each user only so many are looked
 * for. Returns how many; the caller frees them with known_groups_free().
 */
size_t known_groups(struct known *k, const struct condition *c, uint64_t host_inum,
		    struct known_group **groups);
/* Of one what it owns. */
void known_group_clear(struct known_group *group);
void known_groups_free(struct known_group *groups, size_t nr);

#endif
