/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_FAKE_READER_H
#define FUZZ_FAKE_READER_H

#include <stdbool.h>

#include "wire.h"

/*
 * Stands in for the reader of traces: what reader.h declares, without libbabeltrace2.
 * What the next reader_run() reads, whatever its paths.
 */
extern struct wire fake_input;

/* Whether standard output is a terminal, of 24 lines of 80 columns. */
extern bool fake_terminal;

/* Stand in for what they are called. */
struct sigaction;
int fake_sigaction(int sig, const struct sigaction *new, struct sigaction *old);
int fake_isatty(int fd);
int fake_ioctl(int fd, unsigned long request, ...);

#endif
