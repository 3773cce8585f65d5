/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_NATIVE_H
#define LC_CTF_NATIVE_H

#include "trace/reader.h"

/* The program's own reader of CTF. It knows what LTTng writes, and some more. */

enum native_result {
	NATIVE_DONE,
	NATIVE_FAILED,	/* an error was printed, or a callback ended the reading */
	NATIVE_REFUSED, /* nothing was called: another reader may know more */
};

/* Reads the traces of @r. @reason, to be freed: why they are refused, and which one is. */
enum native_result native_run(struct reader *r, const struct reader_callbacks *cb, char **reason);
/*
 * The name, to be freed, of a file of the trace in @path of which libbabeltrace2 2.1 would find no
 * end: a packet says that it has no size, as where a machine died there are zeros. NULL: there is
 * none, or the metadata are not known.
 */
char *native_endless_file(const char *path);
/* Whether that was its last answer: for tests. */
bool native_has_refused(void);

#endif
