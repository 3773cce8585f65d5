/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_READING_H
#define LC_RECORD_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record-owner.h"

struct mapping;
struct map_place;
struct map_stamp;

/*
 * A stranger's file that is being read: by a process of its own, which is nobody, and can do
 * nothing but read it and tell. What it says has an end of its own, by which it is known that this
 * is all.
 */
struct reading {
	struct owner owner;
	pid_t pid;
	int from; /* -1: nothing is being read */
	char *text;
	size_t len;	/* a 0 is behind it */
	uint64_t began; /* ns of CLOCK_MONOTONIC */
};

enum reading_state {
	READING_GOES_ON,
	READING_READ, /* the text is all there is */
	READING_SAME, /* the file is as it was */
	READING_GONE, /* that file is not there, or no longer */
	READING_LARGE,
	READING_BAD,
};

/*
 * Starts to read the functions of the file that @pid has mapped so: behind a line with what
 * perf calls it, if that was not told, lines " OFFSET SIZE NAME", as base/symbols.h has them.
 * Returns -1 if it cannot, or is not to: @owner, whose it is, has one that does not die, as a file
 * system does not answer.
 */
int reading_begin_elf(struct reading *r, const struct owner *owner, uint32_t pid,
		      const struct mapping *m);
/*
 * Starts to read the map that @pid has made; at @place, if it has ended. First it says where that
 * is, for reading_place(); the text is a line with its stamp, and then its functions. It is the
 * same where the stamp is @last's.
 */
int reading_begin_map(struct reading *r, const struct owner *owner, uint32_t pid,
		      const struct map_place *place, const struct map_stamp *last);
/* Takes that, when there is something to be taken: -1: there is none, or it cannot be had. */
int reading_place(struct reading *r, struct map_place *place);
/* Takes what is there. */
enum reading_state reading_listen(struct reading *r);
/* Whether the text, from there on, is lines of functions. */
bool reading_is_table(const struct reading *r, size_t from);
/* Ends it, whatever it does. */
void reading_end(struct reading *r);
/* Those that have been ended meanwhile: one that waits for a disk may take its time. */
void readings_reap(void);

#endif
