/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "trace-input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The native reader alone, metadata and packets. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum outcome outcome;
	char *said;

	free(read_native(trace_input(data, size), &outcome, &said));
	free(said);
	return 0;
}
