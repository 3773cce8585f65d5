/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include <stddef.h>
#include <stdint.h>

/*
 * A directory that stands for the root of a host. It has some processes; the input has the rest,
 * as text:
 *
 *   @PATH        a line; what follows, up to the next line that begins with an @, is the file
 *   @>PATH       a link, to what is in the line behind it
 *   @docker URL  what Docker answers, with the head of HTTP or without (@late URL: too late)
 *   @podman      what podman ps prints
 *   @@           a scan; there is one more at the end
 */

/* A name, with what belongs to it. */
struct record {
	char *name;
	uint8_t *data;
	size_t size;
};

/* The path of the directory, in memory; made with the first call, and removed when the program
 * ends. */
const char *world_path(void);
/* Reads the next record, from *@at to @end. Returns NULL behind the last. Free with record_free().
 */
struct record *record_next(const uint8_t **at, const uint8_t *end);
void record_free(struct record *r);
/* Makes the file or link of a record; what cannot be made is left out. */
void world_put(const struct record *r);
/* Removes what the input had. */
void world_reset(void);

#endif
