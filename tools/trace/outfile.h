/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_OUTFILE_H
#define LC_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "access.h"

/*
 * A file that is there as a whole or not at all. It has no name until it is finished, or another
 * one next to its own where a file system makes no such files. Who may rename there cannot have it
 * put elsewhere, nor another passed for it.
 */
struct outfile {
	const char *path; /* borrowed */
	const char *name; /* in @dir, part of @path */
	bool replace;	  /* a file of that name may be there */
	int dir;
	char *temporary; /* a name in @dir; NULL: it has none yet */
	FILE *out;
};

/* Whether it may be written, to be asked before long work. Returns 0, or -1 after an error. */
int outfile_check(const char *path, bool replace);
/* Nobody can read it who cannot read what it is made of. */
int outfile_open(struct outfile *f, const char *path, bool replace, const struct access *readers);
/* The directory of a file that is written again and again: -1 after an error was printed. */
int outfile_place(const char *path);
/* As outfile_open(), in that directory, wherever it is by now and whatever the path means. */
int outfile_open_in(struct outfile *f, int place, const char *path, bool replace,
		    const struct access *readers);
/* Puts it in place. Returns 0, or -1 after an error was printed and nothing is left. */
int outfile_finish(struct outfile *f);
void outfile_drop(struct outfile *f);

#endif
