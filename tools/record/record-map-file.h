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
 * Whose map it is, and where: what is still known of a process when it has ended. Both descriptors
 * are O_PATH, by which nothing is asked of a file system.
 */
struct map_place {
	int dir;  /* its tmp; -1: not known */
	int file; /* what was the map, whether or not it still has its name; -1: none */
	uint32_t user[4];
	uint32_t pid; /* in its own PID namespace */
};

extern const struct map_place no_map_place;

/* Without the file. Returns -1 if there is none. */
int map_place_open(unsigned int pid, struct map_place *place);
void map_place_close(struct map_place *place);
/*
 * Opens the map, if it is a regular file of the user that the process is, or was; no link is
 * followed. Where nothing has its name it is the one that is known. Returns -1 if there is none.
 */
int map_file_open(struct map_place *place, struct map_stamp *stamp);
/* Lines " ADDRESS SIZE NAME", as base/symbols.h has them, in the file's order. */
int map_file_functions(int fd, FILE *out);

/*
 * Starts a process that reads it, at @place if that is known. On *@from it says first, as one
 * message, its own place, and has the descriptors with it if the map is there; then, as text, a
 * line with its stamp, and its functions. It is the same where the stamp is @last's. Returns its
 * id, or -1.
 */
pid_t map_file_start(unsigned int pid, const struct map_place *place, const struct map_stamp *last,
		     int *from);

/* The stamp is the first line of @text; the length of that line, or 0 if it is none. */
size_t map_stamp_parse(const char *text, struct map_stamp *stamp);
void map_stamp_write(int fd, const struct map_stamp *stamp);

#endif
