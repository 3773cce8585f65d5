/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdbool.h>
#include <string.h>

#include "csv.h"
#include "util.h"

/*
 * A spreadsheet would take such a text for a formula, and a container may be called anything. Some
 * take the characters as they are in East Asian texts (U+FF1D, U+FF0B, U+FF0D, U+FF20) for them.
 */
static bool looks_like_formula(const char *value)
{
	static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
					   "\xef\xbc\xa0"};
	size_t i;

	value += strspn(value, " \"'");
	for (i = 0; i < ARRAY_SIZE(wide); i++)
		if (!strncmp(value, wide[i], strlen(wide[i])))
			return true;
	return *value && strchr("=+-@", *value);
}

void csv_put_text(FILE *out, const char *safe)
{
	putc('"', out);
	if (looks_like_formula(safe))
		putc('\'', out);
	for (; *safe; safe++) {
		if (*safe == '"')
			putc('"', out);
		putc(*safe, out);
		/* Where commas are decimal points, a cell begins behind it. */
		if (*safe == ';' && looks_like_formula(safe + 1))
			putc('\'', out);
	}
	putc('"', out);
}
