/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What a state dump has told already: cgroups, tables of open files. lttng-statedump-known.c
 * is it.
 */
#ifndef LTTNG_STATEDUMP_KNOWN_H
#define LTTNG_STATEDUMP_KNOWN_H

#include <linux/list.h>
#include <linux/types.h>

struct files_struct;
struct pid;

/**
 * struct lttng_known - something that was told
 * @key:   its number
 * @kind:  tells apart what may have the same number
 * @owner: of whom it was told, a reference, or NULL
 * @nr_files: of a table of open files, how many were told
 * @next_fd: from which on files are still to be told; the caller keeps both
 */
struct lttng_known {
	struct hlist_node node;
	u64 key;
	int kind;
	struct pid *owner;
	unsigned int nr_files;
	unsigned int next_fd;
};

/**
 * struct lttng_known_set - a hash table that grows with what is in it
 * @bits: it has 1 << @bits buckets
 * @nr:   entries, owned
 */
struct lttng_known_set {
	struct hlist_head *buckets;
	unsigned int bits;
	unsigned int nr;
};

/* Sleeps. Return: 0 or -ENOMEM; in both cases the set may be freed. */
int lttng_known_init(struct lttng_known_set *set);

/* Frees the set with its entries and their references. */
void lttng_known_free(struct lttng_known_set *set);

/* Takes no lock: one task has the set. Return: NULL if it is not there. */
struct lttng_known *lttng_known_find(const struct lttng_known_set *set, u64 key, int kind);

/**
 * lttng_known_add() - add what is not there
 * @owner: may be NULL; gets a reference
 *
 * Sleeps. Return: what was added, which the set owns, or NULL without memory.
 */
struct lttng_known *lttng_known_add(struct lttng_known_set *set, u64 key, int kind,
				    struct pid *owner);

/* See lttng_known_want_files(). */
#define LTTNG_KNOWN_FILES_AGAIN 4096

/**
 * lttng_known_want_files() - whether a table of open files is still to be told
 * @files: a task's table, or NULL if it has none; not dereferenced
 * @pid:   that task's, which is to be told with it
 *
 * Threads share a table, mostly, but so may processes, and the leader of a thread group
 * that has exited has none. An address alone does not tell a table: it is free for another
 * one once nobody has it. So one counts as told as long as the task of which it was told
 * has it. Threads that end one after another could have a million files told each time: once
 * LTTNG_KNOWN_FILES_AGAIN files were told of an address, it goes on where it was and ends.
 *
 * Sleeps. Return: what is to be told of from @next_fd on, which the set owns; NULL, it was
 * told; or ERR_PTR(-ENOMEM).
 */
struct lttng_known *lttng_known_want_files(struct lttng_known_set *set,
					   const struct files_struct *files, struct pid *pid);

#endif /* LTTNG_STATEDUMP_KNOWN_H */
