/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_ELF_H
#define LC_RECORD_ELF_H

#include <stdio.h>
#include <sys/types.h>

/*
 * The functions of programs and libraries. These are strangers' files, so that a process of its own
 * reads each, which is nobody, and can do nothing but read it and tell.
 */

/* Lines " OFFSET SIZE NAME", as base/symbols.h has them. Returns -1 if it is no such file. */
int elf_functions(int fd, FILE *out);

/* What such a process says last, as a line: how it went. */
enum {
	READER_DONE = '.',
	READER_GONE = '-', /* that regular file is not there, or no longer */
	READER_SAME = '=', /* it is as it was */
};

struct mapping;

/*
 * Starts a process that writes the functions of the file that @pid has mapped so into *@from, whose
 * other end is closed when that is all; before them a line with what perf calls the file,
 * if @m does not have that. Returns its id, or -1.
 */
pid_t elf_start(unsigned int pid, const struct mapping *m, int *from);

#endif
