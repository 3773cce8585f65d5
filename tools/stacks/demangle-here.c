/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/* Without base/util.h: libiberty has functions that are called as some of that are. */
#include "demangle-here.h"

#ifdef NO_LIBIBERTY
const bool demangle_is_there;

size_t demangle_here(const char *name, char *text, size_t max)
{
	(void)name;
	(void)text;
	(void)max;
	return 0;
}
#else
#include <demangle.h>
#include <setjmp.h>
#include <string.h>

const bool demangle_is_there = true;

struct answer {
	char *text;
	size_t len, max;
	jmp_buf too_long;
};

/* A short name may stand for one that doubles with each of its letters, so it is left at once. */
static void take_part(const char *part, size_t len, void *answer)
{
	struct answer *a = answer;

	if (len > a->max - a->len)
		longjmp(a->too_long, 1);
	if (len)
		memcpy(a->text + a->len, part, len);
	a->len += len;
}

/* Without parameters, as perf has them. */
size_t demangle_here(const char *name, char *text, size_t max)
{
	struct answer a = {.text = text, .max = max};

	if (setjmp(a.too_long))
		return 0;
	if (rust_demangle_callback(name, DMGL_NO_OPTS, take_part, &a))
		return a.len;
	a.len = 0;
	return cplus_demangle_v3_callback(name, DMGL_NO_OPTS, take_part, &a) ? a.len : 0;
}
#endif
