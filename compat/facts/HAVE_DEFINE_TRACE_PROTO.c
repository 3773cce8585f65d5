// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.10: the definition of a tracepoint names its prototype and its arguments. */
#include <linux/stringify.h>
#include <linux/tracepoint.h>

/* As a text: by itself it takes a declaration, whose name differs, too. */
extern const char fact[];
const char fact[] = __stringify(DEFINE_TRACE_FN(fact, NULL, NULL, PARAMS(int number), PARAMS(number)));
