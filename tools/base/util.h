/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_UTIL_H
#define LC_UTIL_H

#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/*
 * Allocation that cannot fail: without memory the program says so and ends
 * with exit status 2. The caller owns the memory and frees it with free().
 */
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* getdelim(), for which it is as if a file had ended where there is no memory for what comes. */
ssize_t xgetdelim(char **text, size_t *size, int delimiter, FILE *f);

void *grow_more(void *array, size_t *cap, size_t size);

/*
 * Makes room for one more element in a growing array.
 * @nr: elements in use, @cap: elements allocated (updated), @size: bytes of one.
 */
static inline void *grow(void *array, size_t nr, size_t *cap, size_t size)
{
	return nr < *cap ? array : grow_more(array, cap, size);
}

/* Prints one line to standard error and returns -1. */
int error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The power of two that is not more; of 0 that of 1. */
static inline unsigned int log2_of(uint64_t n)
{
	return 63 - (unsigned int)__builtin_clzll(n | 1);
}

/* Adds up times, ns, as far as JSON's integers go: only damaged clocks make sums of 292 years. */
static inline void time_add(uint64_t *sum, uint64_t ns)
{
	*sum = ns > INT64_MAX - *sum ? INT64_MAX : *sum + ns;
}

static inline bool time_is_too_long(uint64_t sum)
{
	return sum >= INT64_MAX;
}

/* Says so, and returns -1. */
int error_too_long(void);

/*
 * Whoever started us may have closed standard input, output or error. No file that is opened later
 * shall be one of these, as messages and reports would be written to it: /dev/null takes their
 * places, to be read only, so that whoever writes there still fails. Returns 0, or -1 after an
 * error was printed.
 */
int standard_files_open(void);

/*
 * A limit of files' sizes (ulimit -f) is an error of who writes, as a full disk is: to die of it
 * would leave what is unfinished, without a word.
 */
void size_limit_ignore(void);
/* In a child, before exec: as it was before. */
void size_limit_restore(void);
/*
 * For posix_spawn() of a helper: Ctrl-C is ours to heed, and what we block or ignore is no matter
 * of its. The caller destroys it.
 */
void helper_attributes(posix_spawnattr_t *attr);

#endif
