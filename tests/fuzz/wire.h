/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_WIRE_H
#define FUZZ_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/event.h"

/*
 * Traces as a few bytes, each of which means something, so that whatever the fuzzer makes of
 * them is a trace. Records follow each other up to the end; the first byte of one has what
 * it is in its lower six bits: an event by its place in wire_kinds (modulo their number), or
 * WIRE_OTHER_RECORD, and then one of the others is in a byte behind it (modulo WIRE_NR). The upper
 * two bits have of which trace.
 *
 *   an event         int cpu, int ns since the record before, the fields as in event_descs
 *   WIRE_TRACE       byte shape, byte flags (WIRE_*), what these announce, texts hostname, boot id,
 *                    session, int begin; a trace without one is as the default
 *   WIRE_LOSS        int cpu, byte flags, int ns that it lasts, int count
 *   WIRE_CPU         int cpu, int ns ago
 *   WIRE_USER_EVENT  int ns since, text name, ints vpid, vtid, pid_ns
 *   WIRE_OTHER       int ns since: an event that the program does not use
 *   WIRE_PACKET_END  int ns from now
 *   WIRE_AGAIN       byte records, byte power: so many of the last records, 2 to that power times
 *                    once more, each time of other tasks, PID namespaces, control groups and
 *                    sectors: such numbers are higher by one, and a # in a text is that one's
 *                    number; between them is less than a millisecond. A power is small (modulo
 *                    WIRE_AGAIN_SMALL), or it is up to 15, and 0xf0.
 *
 * An int is a byte below 0xe0; or 0xe0 and above, one of wire_ints; or 0xf0 and above, that many
 * bytes and one, the lowest first; or 0xf8 and an inode's distance from the first, two bytes.
 * A text is its length, below 0xe0, and its bytes; or 0xe0 and above, one of wire_texts; or
 * 0xf0 and above, a byte that is repeated; or 0xff, none at all.
 */
enum {
	WIRE_TRACE,
	WIRE_LOSS,
	WIRE_CPU,
	WIRE_USER_EVENT,
	WIRE_OTHER,
	WIRE_PACKET_END,
	WIRE_AGAIN,
	WIRE_NR
};

#define WIRE_OTHER_RECORD 0x3f

/* What is told of kinds by their numbers in inputs, which stay what they are. */
extern const uint8_t wire_kinds[EV_NR];

/*
 * Of a trace: it is a user-space one; an event is not offered, whose place follows; one has a
 * problem, whose place follows; which are not offered follows in eight bytes, a bit for each, the
 * lowest first.
 */
enum { WIRE_IS_USER = 1, WIRE_WITHOUT = 2, WIRE_HAS_PROBLEM = 4, WIRE_OFFERS = 8 };
/* Of a loss: sched_switch may be among it; packets were lost; its time is not told. */
enum { WIRE_MAY_SWITCH = 1, WIRE_PACKETS = 2, WIRE_NO_TIME = 4 };

#define WIRE_TRACES	   4
#define WIRE_AGAIN_RECORDS 16
#define WIRE_AGAIN_SMALL   6

struct wire {
	const uint8_t *at, *end;
};

/* What is missing at the end is 0. */
uint8_t wire_byte(struct wire *w);
int64_t wire_int(struct wire *w);
uint64_t wire_number(struct wire *w, unsigned int bytes);
/* The caller frees it; NULL: none. */
char *wire_text(struct wire *w);

void wire_put_int(FILE *out, int64_t value);
void wire_put_text(FILE *out, const char *text);

#endif
