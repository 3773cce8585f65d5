/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_COLUMN_H
#define LC_COLUMN_H

#include "model/label.h"
#include <stdio.h>

/* The cells of the reports' tables. */

#define DURATION_MAX 16

/* At most eight columns: 999ns, 12.3us, 999.9ms, 12.34s. */
const char *duration(char buf[DURATION_MAX], uint64_t ns);
/* Escaped, padded to the width (0: as long as it is), cut with a ~ where it is longer. */
void column_text(FILE *out, const char *text, int width);
/* The container's label, that of the host for NULL: see container_label_fit(). */
void column_container(FILE *out, const struct container *c, int width);
/* The ids at the levels below the root, the own one last: 57/1; "-" on the host, "?" if not known.
 */
const char *column_vtids(char *buf, size_t size, const struct task *t);
#endif
