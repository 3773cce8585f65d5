/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_OWNER_H
#define LC_OWNER_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Who may change what this process, perhaps root's, is about to use. */

/* Root, this process's user, and for root also whoever ran sudo. */
bool owner_is_trusted(uid_t uid);

/*
 * Whether users may write there who are not trusted. A group that is but its
 * user's own, as many distributions make one for each user, is not others.
 */
bool owner_others_write(const struct stat *st);

#endif
