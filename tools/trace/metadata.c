/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "metadata.h"
#include "metadata-fields.h"
#include "base/util.h"

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
	uint32_t (*number)(const unsigned char *b) = NULL;

	for (*offset = 0; left;) {
		uint32_t (*before)(const unsigned char *b) = number;
		long long content, packet;
		uint32_t magic;

		if (left < HEADER_SIZE || fread(header, 1, HEADER_SIZE, f) != HEADER_SIZE)
			return *offset ? "the last packet is cut off" : NULL;
		magic = little_endian(header);
		if (magic != MAGIC && magic != MAGIC_SWAPPED)
			return *offset ? "a packet does not begin with its magic number" : NULL;
		number = magic == MAGIC ? little_endian : big_endian;
		/* libbabeltrace2 2.0.4 reads such a one without end. */
		if (before && before != number)
			return "a packet has another byte order than the one before";
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

/* Opening anything else may wait for ever, or do what a device does. */
static FILE *open_regular(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	FILE *f = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, st) && S_ISREG(st->st_mode))
		f = fdopen(fd, "r");
	if (!f)
		close(fd);
	return f;
}

/* Puts the contents of the packets together, in place: a name may be cut by them. */
static size_t join_packets(unsigned char *text, size_t len)
{
	uint32_t (*number)(const unsigned char *b);
	size_t content, packet, at, joined = 0;

	for (at = 0; len - at >= HEADER_SIZE; at += packet) {
		uint32_t magic = little_endian(text + at);

		if (magic != MAGIC && magic != MAGIC_SWAPPED)
			break;
		number = magic == MAGIC ? little_endian : big_endian;
		content = number(text + at + CONTENT_SIZE_AT) / 8;
		packet = number(text + at + PACKET_SIZE_AT) / 8;
		if (content < HEADER_SIZE || packet < content || packet > len - at)
			break;
		memmove(text + joined, text + at + HEADER_SIZE, content - HEADER_SIZE);
		joined += content - HEADER_SIZE;
	}
	/* Text without packets. */
	return at ? joined : len;
}

static const char *check_fields(FILE *f, size_t size)
{
	unsigned char *text = xcalloc(size, 1);
	const char *damage;

	rewind(f);
	size = fread(text, 1, size, f);
	if (metadata_is_json((const char *)text, size))
		damage = metadata_json_damage((const char *)text, size);
	else
		damage = metadata_fields_damage((const char *)text, join_packets(text, size));
	free(text);
	return damage;
}

const char *metadata_damage(const char *path, long long *offset)
{
	struct stat st;
	FILE *f = open_regular(path, &st);
	const char *damage;

	*offset = 0;
	if (!f)
		return "it cannot be read";
	damage = check_packets(f, (long long)st.st_size, offset);
	if (!damage) {
		*offset = 0;
		damage = check_fields(f, (size_t)st.st_size);
	}
	fclose(f);
	return damage;
}

bool metadata_is_ctf2(const char *path)
{
	struct stat st;
	FILE *f = open_regular(path, &st);
	bool is_ctf2;

	if (!f)
		return false;
	is_ctf2 = fgetc(f) == 0x1e;
	fclose(f);
	return is_ctf2;
}
