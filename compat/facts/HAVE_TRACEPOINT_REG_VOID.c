// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* Up to 4.9: what a tracepoint calls when its first user comes cannot fail. */
#include <linux/tracepoint.h>

static void reg(void)
{
}

void fact(struct tracepoint *tp);
void fact(struct tracepoint *tp)
{
	tp->regfunc = reg;
}
