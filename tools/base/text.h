/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TEXT_H
#define LC_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Decodes one UTF-8 character.
 * Returns its length in bytes, or 0 if the bytes are not valid UTF-8.
 */
size_t utf8_decode(const char *s, size_t len, uint32_t *code);

/* Characters that change the look of others, or have none: controls, direction marks, blanks. */
int is_unsafe(uint32_t code);

/*
 * Escapes text of a trace so that it can neither steer a terminal nor break a
 * line: backslash, control and formatting characters and bytes that are not
 * UTF-8 become \\, \xHH or \u{HHHH}. Returns memory that the caller frees.
 */
char *text_escape(const char *s);

/*
 * As open_memstream(), which drops what it finds no memory for in the middle and goes on, without
 * an error: where there is none the program ends. What was written is @text, which the caller
 * frees, once it is closed.
 */
FILE *text_stream(char **text, size_t *size);

/*
 * Makes text valid UTF-8: each byte that is not becomes U+FFFD. Returns memory
 * that the caller frees.
 */
char *text_valid(const char *s);

/* The value of a hexadecimal digit, or -1. */
int hex_digit(char c);

/*
 * Takes the percent-encoding off, in place. Returns 0, or -1 if an escape is not two
 * hexadecimal digits, or stands for a byte of 0, which would cut the text.
 */
int percent_decode(char *s);
/*
 * The percent-encoding of at most @max bytes: of all but A-Z a-z 0-9 - . _ ~ / : @ and the comma.
 * Returns memory that the caller frees.
 */
char *percent_encode(const char *s, size_t max);

#define UUID_TEXT_MAX 37

void uuid_text(char buf[UUID_TEXT_MAX], const uint8_t uuid[16]);

/* Columns that the (valid, escaped) text takes, one for each character. */
size_t text_width(const char *s);
/* Shortens such text, in place, to so many columns; what was cut ends in "..", if those have room.
 */
char *text_fit(char *text, size_t columns);

#define NS_PER_SEC    1000000000ull
#define TIME_TEXT_MAX 48

/* Local time of day as babeltrace prints it: HH:MM:SS.nnnnnnnnn. */
const char *time_of_day(char buf[TIME_TEXT_MAX], uint64_t ns);
/* Local date and time of day. */
const char *time_full(char buf[TIME_TEXT_MAX], uint64_t ns);

/*
 * Reads a moment: HH:MM:SS[.frac] (the first such moment at or after the
 * begin of the trace, local time), seconds since the epoch, nanoseconds since
 * it (12 digits or more), or +SECONDS after the begin. Times are ns since the epoch. Returns 0, or
 * -1 if it is none.
 */
int time_parse(const char *s, uint64_t begin, uint64_t *ns);
/* Whether time_parse() would take it, for a check before the trace is read. */
int time_looks_valid(const char *s);

#endif
