/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_OUTFILE_H
#define LC_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "access.h"

/* A file that is there as a whole or not at all: written under another name next to it, then
 * renamed. */
struct outfile {
	const char *path; /* borrowed */
	bool replace;	  /* a file of that name may be there */
	char *temporary;
	FILE *out;
};

/* Whether it may be written, to be asked before long work. Returns 0, or -1 after an error. */
int outfile_check(const char *path, bool replace);
/* Nobody can read it who cannot read what it is made of. */
int outfile_open(struct outfile *f, const char *path, bool replace, const struct access *readers);
/* Puts it in place. Returns 0, or -1 after an error was printed and nothing is left. */
int outfile_finish(struct outfile *f);
void outfile_drop(struct outfile *f);

#endif
