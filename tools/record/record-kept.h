/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_KEPT_H
#define LC_RECORD_KEPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "record-owner.h"

/* The file in which is kept what is known of programs: base/symbols.h says what is in it. */
struct kept {
	int fd;
	FILE *out;
	uint64_t written; /* bytes */
	uint64_t lost;	  /* lines that are not there */
	bool is_full;
	struct shares shares; /* of what PROGRAMS_MAX leaves for what some owner has */
};

/* Begins it; @fd is its. Returns -1 if it cannot be written. */
int kept_open(struct kept *k, int fd);
void kept_put(struct kept *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Takes so much room for what is @o's; false: there is none for him, or for nobody. */
bool kept_take(struct kept *k, const struct owner *o, uint64_t bytes);
/* That, and @nr of @max in @s, or none of both. */
bool kept_take_with(struct kept *k, const struct owner *o, uint64_t bytes, struct shares *s,
		    uint64_t nr, uint64_t max);
/* So much that was taken is not needed. */
void kept_give(struct kept *k, const struct owner *o, uint64_t bytes);
/* Where the next line will be. */
off_t kept_place(struct kept *k);
/* Whether that text is there, byte for byte. */
bool kept_is(const struct kept *k, off_t place, const char *text, size_t len);
/* Whoever ends this process has what was told by then, line by line. */
void kept_flush(struct kept *k);
/* Returns -1 if it could not be written. */
int kept_close(struct kept *k);

#endif
