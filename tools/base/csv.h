/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CSV_H
#define LC_CSV_H

#include <stdio.h>

/*
 * A cell of text, quoted. It is escaped already: no control character is in it. Where it begins
 * like a formula, or what is behind a semicolon does, it has a ' there, for spreadsheets.
 */
void csv_put_text(FILE *out, const char *safe);

#endif
