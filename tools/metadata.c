/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "metadata.h"

/*
 * The header of a metadata packet in CTF 1.8: magic number, uuid (16 bytes),
 * checksum, then two sizes in bits, each of the fields 4 bytes; 5 more bytes.
 */
#define HEADER_SIZE	37
#define CONTENT_SIZE_AT 24
#define PACKET_SIZE_AT	28
#define MAGIC		0x75d11d57u
#define MAGIC_SWAPPED	0x571dd175u

static uint32_t little_endian(const unsigned char *b)
{
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint32_t big_endian(const unsigned char *b)
{
	return (uint32_t)b[3] | (uint32_t)b[2] << 8 | (uint32_t)b[1] << 16 | (uint32_t)b[0] << 24;
}

/* Checks the packets from the begin on; @left is the size of the file. */
static const char *check_packets(FILE *f, long long left, long long *offset)
{
	unsigned char header[HEADER_SIZE];
	uint32_t (*number)(const unsigned char *b);

	for (*offset = 0; left;) {
		long long content, packet;
		uint32_t magic;

		if (left < HEADER_SIZE || fread(header, 1, HEADER_SIZE, f) != HEADER_SIZE)
			return *offset ? "the last packet is cut off" : NULL;
		magic = little_endian(header);
		if (magic != MAGIC && magic != MAGIC_SWAPPED)
			return *offset ? "a packet does not begin with its magic number" : NULL;
		number = magic == MAGIC ? little_endian : big_endian;
		content = number(header + CONTENT_SIZE_AT) / 8;
		packet = number(header + PACKET_SIZE_AT) / 8;
		if (content < HEADER_SIZE || packet < content)
			return "the sizes of a packet contradict each other";
		if (packet > left)
			return "the last packet is cut off";
		if (fseek(f, (long)(packet - HEADER_SIZE), SEEK_CUR))
			return "it cannot be read";
		left -= packet;
		*offset += packet;
	}
	return NULL;
}

const char *metadata_damage(const char *path, long long *offset)
{
	FILE *f = fopen(path, "re");
	const char *damage;
	struct stat st;

	*offset = 0;
	if (!f)
		return "it cannot be read";
	damage = fstat(fileno(f), &st) ? "it cannot be read"
				       : check_packets(f, (long long)st.st_size, offset);
	fclose(f);
	return damage;
}

bool metadata_is_ctf2(const char *path)
{
	FILE *f = fopen(path, "re");
	bool is_ctf2;

	if (!f)
		return false;
	is_ctf2 = fgetc(f) == 0x1e;
	fclose(f);
	return is_ctf2;
}
