/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_ACCESS_H
#define LC_ACCESS_H

#include <sys/types.h>

#include "reader.h"

/* Who may read traces: what is made of them is for nobody else. */
struct access {
	mode_t mode; /* of 0666 */
	gid_t gid;   /* whose group the mode's group is */
};

/* What all traces that were found grant. */
struct access access_of(const struct reader *r);

/* The mode for a file of a group, less this process's umask. */
mode_t access_mode(const struct access *a, gid_t gid);

#endif
