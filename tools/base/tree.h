/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TREE_H
#define LC_TREE_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Directories and what is below them, by descriptors: no link is followed. */

#define TREE_DIR_FLAGS (O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/*
 * The directory that holds what is at a path, which need not be there; @name is what it is called
 * in it, a part of @path. It can be looked up in, not read. -1 after an error, with errno set.
 */
int tree_open_above(const char *path, const char **name);
/*
 * Calls @take with the directory of a path, and then with each above it, up to the root, until it
 * returns false. Returns whether it never did, and all could be looked at.
 */
bool tree_walk_up(const char *path, bool (*take)(void *ctx, const struct stat *st, bool is_above),
		  void *ctx);
/*
 * Makes a new file, for writing, or a new directory, which nobody else can read, and opens it: six
 * letters by chance take the place of the last six of @name. -1 after an error, with errno set.
 */
int tree_make_file(int dir, char *name);
int tree_make_dir(int dir, char *name);
/*
 * Gives a file that was opened without a name (O_TMPFILE) @name, which nothing has yet; or one made
 * as above. Return 0, or -1 with errno set.
 */
int tree_name_file(int fd, int dir, const char *name);
int tree_name_file_anyhow(int fd, int dir, char *name);
/* Whether what is open has that name there. */
bool tree_is_there(int dir, const char *name, int fd);
/* The directory of a descriptor, from its begin; NULL after an error, with errno set. */
DIR *tree_list(int dir);
/* The next entry but . and .. */
struct dirent *tree_next(DIR *d);
/*
 * Removes a file or a directory with all that is in it, but leaves what is mounted. Returns 0 if it
 * is gone or was never there; else why it is not, as errno has it.
 */
int tree_remove(int dir, const char *name);
/* The bytes of all files below a directory. */
uint64_t tree_bytes(int dir);
/*
 * Waits until the directory, and all files and directories below it, are on the disk. Returns 0, or
 * the first reason, as errno has it, why one is not; what may not be read does not count.
 */
int tree_sync(int dir);

#endif
