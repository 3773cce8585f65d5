/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_METADATA_FIELDS_H
#define LC_METADATA_FIELDS_H

#include <stdbool.h>
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

/*
 * A variant of N options takes libbabeltrace2 2.0 the third power of N: of 2,000 some seconds, and
 * of 10,000 minutes. All together may take no more than one of so many.
 */
#define METADATA_OPTIONS_MAX	  2000
#define METADATA_TOO_MANY_OPTIONS "its variants have more options than any tracer's"

/*
 * Of the names in one pair of braces it compares each with those before, 32 bytes in a step of some
 * nanoseconds. The kernel's events take thousands of steps.
 */
#define METADATA_STEPS_MAX	500000000
#define METADATA_TOO_MANY_NAMES "its types and labels have more names than any tracer's"

/* metadata-json.c: the same of the metadata of CTF 2, where a class of fields may be given a name.
 */
const char *metadata_json_damage(const char *text, size_t len);
bool metadata_is_json(const char *text, size_t len);

/* So many are in each, and so many more for each name: see there. */
#define METADATA_FIELDS_FREE	 100000
#define METADATA_FIELDS_PER_NAME 16
/* A structure in a structure is three brackets deeper. */
#define METADATA_JSON_DEPTH_MAX	 256
#define METADATA_TOO_MANY	 "its types have more fields than any tracer's"
#define METADATA_TOO_DEEP	 "its types nest deeper than any tracer's"

#endif
