/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_METADATA_FIELDS_H
#define LC_METADATA_FIELDS_H

#include <stddef.h>

/*
 * In the language of CTF's metadata a structure of two fields that are structures of two fields,
 * and so on, is written in a few bytes, and libbabeltrace2 makes all of them: 860 bytes take it
 * minutes and gigabytes.
 *
 * Estimates, from the text alone, how many fields the types have with all that they consist of,
 * and how deep they nest. Returns what is wrong with that, or NULL.
 */
const char *metadata_fields_damage(const char *text, size_t len);

#endif
