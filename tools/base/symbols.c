/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stddef.h>
#include <string.h>

#include "symbols.h"
#include "util.h"

bool symbols_is_memory(const char *path)
{
	/* As the kernel calls it: without a file, by a name that was given, shared, in huge pages.
	 */
	static const char *const begins[] = {
		SYMBOLS_ANON, "[anon", "[heap]", "/memfd:", "/dev/zero", "/anon_hugepage", "/SYSV",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(begins); i++)
		if (!strncmp(path, begins[i], strlen(begins[i])))
			return true;
	return false;
}
