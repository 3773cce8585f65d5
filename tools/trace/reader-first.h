/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_READER_FIRST_H
#define LC_READER_FIRST_H

#include <stdbool.h>
#include <stdint.h>

/* What LTTng wrote into the header of a stream's first packet, and the library does not tell. */
struct first_packet {
	uint64_t number; /* of the packet; those before it are missing */
	uint64_t begin;	 /* in cycles of the trace's clock */
	uint64_t cpu;
};

/*
 * Returns false if the file is not a stream that LTTng wrote. It knows no metadata: ask only where
 * these have a number and a CPU in the context of packets, where LTTng has them.
 */
bool reader_first_packet(const char *file, struct first_packet *first);

#endif
