/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <byteswap.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf.h"
#include "base/util.h"

/* The metadata file: plain text, or packets of text (CTF 1.8, section 7.1; CTF2-PMETA-1.0). */

#define MAGIC	    0x75d11d57u
#define HEADER_SIZE 37
/* Those of all events that a kernel has are 3 MB. */
#define FILE_MAX    (64 << 20)

/* Where a packet's header has what, bytes. */
enum {
	UUID_AT = 4,
	CHECKSUM_AT = 20,
	CONTENT_AT = 24,
	PACKET_AT = 28,
	COMPRESSION_AT = 32,
	ENCRYPTION_AT = 33,
	CHECKSUM_SCHEME_AT = 34,
	VERSION_AT = 35
};

static uint32_t number_at(const char *header, size_t at, bool swapped)
{
	uint32_t n;

	memcpy(&n, header + at, sizeof(n));
	return swapped ? bswap_32(n) : n;
}

/*
 * Why the text of such a packet is not taken, NULL if it is. libbabeltrace2 reads the numbers of
 * all packets as those of the first one, checks no checksum, and so refuses what has one.
 */
static const char *strange(const char *header, const char *first)
{
	static const char none[sizeof(uint32_t)];

	if (memcmp(header, first, UUID_AT))
		return "a packet of the metadata has no magic number, or another byte order";
	if (memcmp(header + UUID_AT, first + UUID_AT, CHECKSUM_AT - UUID_AT))
		return "the packets of the metadata have several uuids";
	if (memcmp(header + VERSION_AT, first + VERSION_AT, HEADER_SIZE - VERSION_AT))
		return "the packets of the metadata have several versions";
	if (header[COMPRESSION_AT] || header[ENCRYPTION_AT])
		return "the metadata are compressed or encrypted";
	if (memcmp(header + CHECKSUM_AT, none, sizeof(none)) || header[CHECKSUM_SCHEME_AT])
		return "the metadata have a checksum";
	return NULL;
}

/* JSON tells its version itself. */
static bool is_version(const char *header, const char *text)
{
	return !memcmp(header + VERSION_AT, "\1\10", 2) ||
	       (*text == CTF2_SEPARATOR && !memcmp(header + VERSION_AT, "\2\0", 2));
}

/* Moves the text of all packets together. */
static int unpack(struct ctf_trace *t, char *file, size_t *total)
{
	size_t at = 0, used = 0, size = *total;
	char first[HEADER_SIZE] = {0};

	while (at < size) {
		const char *header = file + at, *why;
		uint32_t content, packet;
		bool swapped;

		if (size - at < HEADER_SIZE)
			return ctf_refuse(t, "the last packet of the metadata is cut off");
		if (!at)
			memcpy(first, file, HEADER_SIZE);
		why = strange(header, first);
		if (why)
			return ctf_refuse(t, "%s", why);
		swapped = number_at(header, 0, true) == MAGIC;
		content = number_at(header, CONTENT_AT, swapped);
		packet = number_at(header, PACKET_AT, swapped);
		/* Bits, but the text has whole bytes. */
		if (content % 8 || packet % 8)
			return ctf_refuse(t, "a packet of the metadata ends within a byte");
		content /= 8;
		packet /= 8;
		if (content < HEADER_SIZE || packet < content || packet > size - at)
			return ctf_refuse(t, "the sizes of a packet of the metadata are wrong");
		memmove(file + used, header + HEADER_SIZE, content - HEADER_SIZE);
		used += content - HEADER_SIZE;
		at += packet;
	}
	file[used] = '\0';
	*total = used;
	if (!is_version(first, file))
		return ctf_refuse(t, "the packets of the metadata are of another version");
	return 0;
}

/* Of a file, or of what was in its packets. */
static int parse(struct ctf_trace *t, const char *text, size_t size)
{
	return *text == CTF2_SEPARATOR ? ctf_parse_json(t, text, size)
				       : ctf_parse_tsdl(t, text, size);
}

static char *read_whole(struct ctf_trace *t, int fd, size_t *size)
{
	struct stat st;
	ssize_t got;
	char *file;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > FILE_MAX) {
		ctf_refuse(t, "the metadata are no file, or too big a one");
		return NULL;
	}
	file = xcalloc(1, (size_t)st.st_size + 1);
	for (*size = 0; *size < (size_t)st.st_size; *size += (size_t)got) {
		got = pread(fd, file + *size, (size_t)st.st_size - *size, (off_t)*size);
		if (got <= 0)
			break;
	}
	file[*size] = '\0';
	return file;
}

int ctf_read_metadata(struct ctf_trace *t, const char *directory)
{
	char *path = xasprintf("%s/metadata", directory), *file = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW), ret = -1;
	uint32_t magic = 0;
	size_t size;

	t->last_stream = &t->streams;
	if (fd >= 0)
		file = read_whole(t, fd, &size);
	else
		ctf_refuse(t, "the metadata cannot be read");
	if (file) {
		memcpy(&magic, file, size < sizeof(magic) ? size : sizeof(magic));
		if (magic == MAGIC || magic == bswap_32(MAGIC))
			ret = unpack(t, file, &size) ? -1 : parse(t, file, size);
		else if (*file == CTF2_SEPARATOR || !strncmp(file, "/* CTF 1.8", 10))
			ret = parse(t, file, size);
		else
			ctf_refuse(t, "the metadata are neither of CTF 1.8 nor of CTF 2");
	}
	if (fd >= 0)
		close(fd);
	free(path);
	free(file);
	return ret;
}
