/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_STORE_H
#define LC_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The directory where snapshots are kept, each in a directory of its own that is called
 * DATETTIME-CONDITION-CONTAINER: the date and time in UTC, so that their order is that of age.
 * What is called otherwise is never touched.
 */

#define STORE_NAME_MAX 160

/*
 * @ns: since the epoch. @container: as it is called, which whoever is in it may have chosen: what
 * is not a letter, a digit, a dot, an underscore or a hyphen becomes %HH, and what is too long is
 * cut.
 */
void store_name(char name[STORE_NAME_MAX], uint64_t ns, const char *condition,
		const char *container);
bool store_is_name(const char *name);

/*
 * Removes some until there are at most @keep of them, and they have at most @max_bytes; 0 is no
 * limit: of the container that has most of them the oldest one, again and again. The newest of all
 * stays. One that cannot be removed stays, too, with a note, and counts. Returns how many were
 * removed.
 */
size_t store_tidy(int dir, uint64_t keep, uint64_t max_bytes);

#endif
