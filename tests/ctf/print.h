/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef CTF_PRINT_H
#define CTF_PRINT_H

#include <stdio.h>

#include "trace/reader.h"

/* A directory: the names of traces in it are printed without it. */
extern const char *print_below;
/* All that a reader tells, as text: a line for each call, with all of its fields. */
struct reader_callbacks print_to(FILE *out);
/* What it knows of the traces in the end. */
void print_ends(FILE *out, const struct reader *r);
/* Losses that are told of at one moment come in no order: sorts them. */
void print_sort(char *text);
/*
 * libbabeltrace2 2.0.4 does not empty a text of a fixed length that begins with 0: it tells what an
 * event before had there. Where @native has an empty text, @library's is made empty, too.
 */
void print_forget(const char *native, char *library);

#endif
