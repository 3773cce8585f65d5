/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_PROTOBUF_H
#define LC_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The wire format of protocol buffers: of each field a number that says which it is and how long,
 * and its value. Numbers are of 7 bits a byte, the lowest first. Zero-initialized is empty.
 */
struct message {
	unsigned char *bytes;
	size_t nr, cap;
};

/* A number alone, as in a packed list of them. */
void put_varint(struct message *m, uint64_t n);
void put_number(struct message *m, unsigned int field, uint64_t n);
void put_string(struct message *m, unsigned int field, const char *text);
/* Frees what is in @inner. */
void put_message(struct message *m, unsigned int field, struct message *inner);
/* What has been said so far is written, and no longer kept. */
void protobuf_write(FILE *out, struct message *m);

#endif
