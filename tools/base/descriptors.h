/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_DESCRIPTORS_H
#define LC_DESCRIPTORS_H

/* What any command has open at once: its tables, directories in one another, a library's files. */
#define DESCRIPTORS_OF_COMMAND	 32
/*
 * Of a recording: its own files, those of a scan for names, a connection, and the directories of a
 * trace one in another.
 */
#define DESCRIPTORS_OF_RECORDING 48

/*
 * Whether this process could open @nr more files now; raises the limit (RLIMIT_NOFILE) if that is
 * needed and allowed. Returns 0, or -1 after an error was printed.
 */
int descriptors_need(unsigned int nr);

#endif
