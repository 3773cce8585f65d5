// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* Up to 5.9: a tracepoint is defined without its prototype. */
#include <linux/tracepoint.h>

DEFINE_TRACE_FN(fact, NULL, NULL);
