/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "protobuf.h"
#include "base/util.h"

enum { OF_NUMBER = 0, OF_BYTES = 2 };

static void put_byte(struct message *m, unsigned char byte)
{
	m->bytes = grow(m->bytes, m->nr, &m->cap, 1);
	m->bytes[m->nr++] = byte;
}

void put_varint(struct message *m, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		put_byte(m, (unsigned char)(n | 0x80));
	put_byte(m, (unsigned char)n);
}

void put_number(struct message *m, unsigned int field, uint64_t n)
{
	put_varint(m, field << 3 | OF_NUMBER);
	put_varint(m, n);
}

static void put_bytes(struct message *m, unsigned int field, const void *bytes, size_t nr)
{
	size_t i;

	put_varint(m, field << 3 | OF_BYTES);
	put_varint(m, nr);
	for (i = 0; i < nr; i++)
		put_byte(m, ((const unsigned char *)bytes)[i]);
}

void put_string(struct message *m, unsigned int field, const char *text)
{
	put_bytes(m, field, text, strlen(text));
}

void put_message(struct message *m, unsigned int field, struct message *inner)
{
	put_bytes(m, field, inner->bytes, inner->nr);
	free(inner->bytes);
	*inner = (struct message){0};
}

void protobuf_write(FILE *out, struct message *m)
{
	fwrite(m->bytes, 1, m->nr, out);
	m->nr = 0;
}
