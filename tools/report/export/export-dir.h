/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EXPORT_DIR_H
#define LC_EXPORT_DIR_H

#include <stdbool.h>

#include "trace/access.h"

/* A new directory that is there as a whole or not at all: made under another name beside it. */
struct outdir {
	char *path, *temporary; /* owned */
	int fd;
};

/* Nobody else can read it until it is finished. Returns 0, or -1 after an error was printed. */
int outdir_open(struct outdir *d, const char *path);
/* Gives it its name. Nobody can read it who cannot read what it is made of. */
int outdir_finish(struct outdir *d, const struct access *readers);
/* Removes it, with what is in it, if it was not finished. */
void outdir_drop(struct outdir *d);
/* For its files, before it is finished. */
int outdir_mode(const struct outdir *d, const struct access *readers);

#endif
