/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_READER_CHANGED_H
#define LC_READER_CHANGED_H

#include "reader.h"

/*
 * libbabeltrace2 opens files by name, and some of them late. Who may change a trace's directory
 * could put a symbolic link there after its files were looked at (reader-find.c), and have a file
 * told or copied that only the reader may read.
 */

/*
 * Before the files of a directory are looked at: notes it if others may change it, or one above.
 * Waits, a second at most, while it is being changed.
 */
void changed_note(struct reader *r, const char *path);

/* After the library has read. Returns 0, or -1 after it printed an error: what was read may be no
 * trace. */
int changed_check(const struct reader *r);

void changed_free(struct reader *r);

#endif
