/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_FAKE_READER_H
#define FUZZ_FAKE_READER_H

#include "wire.h"

/*
 * Stands in for the reader of traces: what reader.h declares, without libbabeltrace2.
 * What the next reader_run() reads, whatever its paths.
 */
extern struct wire fake_input;

/* Stands in for sigaction(). */
struct sigaction;
int fake_sigaction(int sig, const struct sigaction *new, struct sigaction *old);

#endif
