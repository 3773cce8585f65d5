/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_OUTDIR_H
#define LC_OUTDIR_H

#include "access.h"

/*
 * A new directory that is there as a whole or not at all: made under another name beside it. Who
 * may rename there can put another in its place, or a link: what is written goes where @fd is.
 */
struct outdir {
	char *path, *temporary; /* owned; the latter is a name in @parent */
	const char *name;	/* there, part of @path */
	int fd, parent;
};

#define OUTDIR_NONE                                                                                \
	{                                                                                          \
		.fd = -1, .parent = -1                                                             \
	}

/* Nobody else can read it until it is finished. Returns 0, or -1 after an error was printed. */
int outdir_open(struct outdir *d, const char *path);
/* What leads to @fd for who writes by path, in this process and those that it forks; owned. */
char *outdir_way(const struct outdir *d);
/* For its files, before it is finished. */
int outdir_mode(const struct outdir *d, const struct access *readers);
/* Who may read the files may look into it. */
int outdir_share(const struct outdir *d, const struct access *readers);
/* Gives it its name. */
int outdir_finish(struct outdir *d);
/* Removes it, with what is in it, if it was not finished. */
void outdir_drop(struct outdir *d);

#endif
