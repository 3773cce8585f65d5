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
 * it is in its lower six bits (modulo WIRE_NR), and of which trace in the others.
 *
 *   enum event_kind  int cpu, int ns since the record before, the fields as in event_descs
 *   WIRE_TRACE       byte shape, byte flags (WIRE_*), texts hostname, boot id, session, int begin;
 *                    a trace without one is as the default
 *   WIRE_LOSS        int cpu, byte flags, int ns that it lasts, int count
 *   WIRE_CPU         int cpu, int ns ago
 *   WIRE_USER_EVENT  int ns since, text name, ints vpid, vtid, pid_ns
 *   WIRE_OTHER       int ns since: an event that the program does not use
 *   WIRE_PACKET_END  int ns from now
 *
 * An int is a byte below 0xe0; or 0xe0 and above, one of wire_ints; or 0xf0 and above, that many
 * bytes and one, the lowest first; or 0xf8 and an inode's distance from the first, two bytes.
 * A text is its length, below 0xe0, and its bytes; or 0xe0 and above, one of wire_texts; or
 * 0xf0 and above, a byte that is repeated; or 0xff, none at all.
 */
enum {
	WIRE_TRACE = EV_NR,
	WIRE_LOSS,
	WIRE_CPU,
	WIRE_USER_EVENT,
	WIRE_OTHER,
	WIRE_PACKET_END,
	WIRE_NR
};

/* Of a trace: it is a user-space one; an event is not offered, whose kind follows; ... */
enum { WIRE_IS_USER = 1, WIRE_WITHOUT = 2, WIRE_HAS_PROBLEM = 4 };
/* Of a loss: sched_switch may be among it; packets were lost; its time is not told. */
enum { WIRE_MAY_SWITCH = 1, WIRE_PACKETS = 2, WIRE_NO_TIME = 4 };

#define WIRE_TRACES 4

struct wire {
	const uint8_t *at, *end;
};

/* What is missing at the end is 0. */
uint8_t wire_byte(struct wire *w);
int64_t wire_int(struct wire *w);
/* The caller frees it; NULL: none. */
char *wire_text(struct wire *w);

void wire_put_int(FILE *out, int64_t value);
void wire_put_text(FILE *out, const char *text);

#endif
