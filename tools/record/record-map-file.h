/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_MAP_FILE_H
#define LC_RECORD_MAP_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/symbols.h"

/*
 * What a program that makes functions while it runs tells of them, for perf and whoever else wants
 * to know: /tmp/perf-PID.map, in its own root, by its id in its own PID namespace. Lines are
 * "ADDRESS SIZE NAME".
 */

/* So much of one is read; what is made of it is longer, by one byte for each line. */
#define MAP_FILE_MAX (FUNCTIONS_MAX / 4 * 3)

/* By which another one, or one that has more by now, is known. All 0: none. */
struct map_stamp {
	uint64_t device, inode, size, ns;
};

/*
 * Opens it, if it is a regular file of the user that the process is, or was; no link is followed.
 * Returns -1 if there is none.
 */
int map_file_open(unsigned int pid, struct map_stamp *stamp);
/* Lines " ADDRESS SIZE NAME", as base/symbols.h has them, in the file's order. */
int map_file_functions(int fd, FILE *out);

/*
 * Starts a process that reads it: what is written into *@from, whose other end is closed when that
 * is all, is a line with its stamp and then its functions. Returns its id, or -1. It ends with
 * ELF_SAME where the stamp is @last's.
 */
pid_t map_file_start(unsigned int pid, const struct map_stamp *last, int *from);

/* The stamp is the first line of @text; the length of that line, or 0 if it is none. */
size_t map_stamp_parse(const char *text, struct map_stamp *stamp);
void map_stamp_write(int fd, const struct map_stamp *stamp);

#endif
