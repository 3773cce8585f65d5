/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_MAPPED_H
#define LC_RECORD_MAPPED_H

#include <stdbool.h>

#include "record-perf.h"

/*
 * Understands a line of /proc/PID/maps, which it takes apart: *@m has its path there. Returns false
 * if it is none. @may_run: whether what is mapped may be executed.
 */
bool mapped_parse(char *line, struct mapping *m, bool *may_run);

/*
 * Opens the regular file that @pid has mapped there, if it is the one that was told of: what is
 * there may be another by now. Returns -1 if it is not.
 */
int mapped_open(unsigned int pid, const struct mapping *m);

/*
 * What perf tells of the file, which /proc does not tell, or tells otherwise: its numbers, and its
 * generation. Returns false if it tells nothing.
 */
bool mapped_ask(int fd, struct mapping *m);

#endif
