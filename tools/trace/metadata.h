/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_METADATA_H
#define LC_METADATA_H

#include <stdbool.h>

/*
 * Looks whether a CTF metadata file in packets is whole: libbabeltrace2 reads
 * on for ever if it is not. Returns NULL if it is (or is plain text), else what
 * is wrong, and the offset in bytes at which.
 */
const char *metadata_damage(const char *path, long long *offset);

/* Whether the file is the metadata of a CTF 2 trace: JSON texts, each after a record separator. */
bool metadata_is_ctf2(const char *path);

#endif
