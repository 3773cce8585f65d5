/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_READER_DAMAGE_H
#define LC_READER_DAMAGE_H

#include <stdbool.h>

/*
 * Looks for a file of the trace in @path whose packets do not fill it: cut off
 * when the disk was full or the machine died, or still being written. If there is
 * one, prints an error that names it and says how to read the rest.
 */
bool damage_explained(const char *path);

#endif
