/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */

/* alone TRACE TIMES: reads a trace so often with the program's own reader, decodes all that any
 * report wants, and makes nothing of it. */
#include <stdio.h>
#include <stdlib.h>

#include "trace/reader.h"

static int on_trace(void *ctx, struct trace_info *trace)
{
	(void)ctx;
	(void)trace;
	return 0;
}

static int on_event(void *ctx, struct trace_info *trace, const struct event *ev)
{
	(void)trace;
	(void)ev;
	++*(unsigned long *)ctx;
	return 0;
}

static int on_loss(void *ctx, struct trace_info *trace, const struct loss *loss)
{
	(void)ctx;
	(void)trace;
	(void)loss;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long decoded = 0;
	const struct reader_callbacks cb = {
		.on_trace = on_trace,
		.on_event = on_event,
		.on_loss = on_loss,
		.wants = UINT64_MAX,
		.ctx = &decoded,
	};
	int i;

	if (argc != 3)
		return 2;
	reader_choose(READER_NATIVE);
	for (i = 0; i < atoi(argv[2]); i++) {
		struct reader r = {0};

		if (reader_run(&r, &argv[1], 1, &cb))
			return 2;
		reader_free(&r);
	}
	printf("decoded=%lu\n", decoded);
	return 0;
}
