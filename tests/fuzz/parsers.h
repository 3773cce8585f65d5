/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_PARSERS_H
#define FUZZ_PARSERS_H

#include <stddef.h>
#include <stdint.h>

/* Gives the text to all that reads text of others: paths, lines, snapshots, times. */
void parse_all(const uint8_t *data, size_t size);

#endif
