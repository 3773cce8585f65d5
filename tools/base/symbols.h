/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SYMBOLS_FILE_H
#define LC_SYMBOLS_FILE_H

/*
 * What the kernel's functions are called, as `record --stacks` keeps it beside the trace, for its
 * owner alone: of which boot, and then the lines of /proc/kallsyms that are functions'.
 */
#define SYMBOLS_FILE	"kallsyms"
#define SYMBOLS_HEAD	"# boot_id "
#define SYMBOLS_BOOT_ID 37
/* Bytes; a distribution's kernel with its modules has some 5 MB of functions. */
#define SYMBOLS_MAX	(64u << 20)

#endif
