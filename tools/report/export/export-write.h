/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EXPORT_WRITE_H
#define LC_EXPORT_WRITE_H

#include "export-feed.h"
#include "export-sink.h"

/*
 * When all is read: writes the rows of all tables. Hosts' users are their feedings. @stopped: asked
 * now and then whether to end. Returns 0, or -1 if so, or after an error was printed.
 */
int export_write(struct sink *out, const struct loaded *l, struct spill *spill,
		 bool (*stopped)(void));

#endif
