/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_FLAME_PERFETTO_H
#define LC_FLAME_PERFETTO_H

#include <stdio.h>

#include "flame-lines.h"

/*
 * A trace for Perfetto, of one host: each sample at its time, on its CPU and of its thread, with
 * its stack; processes are called by their containers, too. Perfetto's own protos/perfetto/trace.
 * Returns how many samples had no task to belong to, and are left out.
 */
uint64_t report_flame_perfetto(FILE *out, const struct host *h, const struct stack_options *opt);

#endif
