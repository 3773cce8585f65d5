/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SYMBOLS_FILE_H
#define LC_SYMBOLS_FILE_H

#include <stdbool.h>

/*
 * What the kernel's functions are called, as `record --stacks` keeps it beside the trace, for its
 * owner alone: of which boot, and then the lines of /proc/kallsyms that are functions'.
 */
#define SYMBOLS_FILE	"kallsyms"
#define SYMBOLS_HEAD	"# boot_id "
#define SYMBOLS_BOOT_ID 37
/* Bytes; a distribution's kernel with its modules has some 5 MB of functions. */
#define SYMBOLS_MAX	(64u << 20)

/*
 * What programs had mapped to run, and what the functions of those files are called: kept beside
 * the trace in the same way. Behind the head it has these lines, in which numbers of ns, processes,
 * files and tables are decimal, the rest hexadecimal; ns are those of CLOCK_MONOTONIC, as the
 * trace's are:
 *
 * - "t TABLE": a table of functions begins, the first one is 0
 * - " OFFSET SIZE NAME": one of them; offsets are in the file, in order
 * - "f FILE PATH": a file, the first one is 0, by the name that one process has for it
 * - "s FILE TABLE": its functions
 * - "u FILE WHY": they are not here, as one of UNREAD_... says
 * - "m NS PID BEGIN END OFFSET FILE": mapped from then on
 * - "p NS PID PARENT": begins with what its parent has
 * - "x NS PID": has another program from then on, and nothing mapped; or may have, as changes were
 *   lost; or had no room for more
 * - "e NS PID": has ended
 * - "j NS PID": the functions that follow, as those of a table, are at addresses of this process:
 *   it has made them itself, and told of them. They may have come at any time from NS on; of two at
 *   one address the later one holds, as soon as it may have come
 * - "l COUNT": lines of such kinds that are missing here
 * - "! NS": the file had no room for more, and what was so before is not known to be so from then
 *   on; recordings of before have no time there
 * - ".": the end; without it, whoever wrote it was stopped, and the rest is missing
 */
#define PROGRAMS_FILE	  "programs"
#define PROGRAMS_MAX	  (192u << 20)
/* Of one file; what a table is made of is as long. */
#define FUNCTIONS_MAX	  (16u << 20)
/* Longer names are cut; those of C++ are long. */
#define FUNCTION_NAME_MAX 4096
/* Of those that processes have made themselves. */
#define JITS_MAX	  (128u << 20)

#define UNREAD_LATE  "late"  /* there was no time to read it */
#define UNREAD_GONE  "gone"  /* processes that had it mapped ended before it could be read */
#define UNREAD_LARGE "large" /* it has more than is kept */
#define UNREAD_BAD   "bad"   /* it is no such file, or one that cannot be read */

/* What a mapping without a file is called. */
#define SYMBOLS_ANON "//anon"

/* Whether what is called so is memory that a program may have written itself, and then runs. */
bool symbols_is_memory(const char *path);

#endif
