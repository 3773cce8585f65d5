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
enum { CONTENT_AT = 24, PACKET_AT = 28, COMPRESSION_AT = 32, ENCRYPTION_AT = 33 };

static uint32_t number_at(const char *header, size_t at, bool swapped)
{
	uint32_t n;

	memcpy(&n, header + at, sizeof(n));
	return swapped ? bswap_32(n) : n;
}

/* Moves the text of all packets together. */
static int unpack(struct ctf_trace *t, char *file, size_t *total)
{
	size_t at = 0, used = 0, size = *total;

	while (at < size) {
		const char *header = file + at;
		uint32_t magic, content, packet;
		bool swapped;

		if (size - at < HEADER_SIZE)
			return ctf_refuse(t, "the last packet of the metadata is cut off");
		memcpy(&magic, header, sizeof(magic));
		swapped = magic == bswap_32(MAGIC);
		if (magic != MAGIC && !swapped)
			return ctf_refuse(t, "a packet of the metadata has no magic number");
		content = number_at(header, CONTENT_AT, swapped) / 8;
		packet = number_at(header, PACKET_AT, swapped) / 8;
		if (content < HEADER_SIZE || packet < content || packet > size - at)
			return ctf_refuse(t, "the sizes of a packet of the metadata are wrong");
		if (header[COMPRESSION_AT] || header[ENCRYPTION_AT])
			return ctf_refuse(t, "the metadata are compressed or encrypted");
		memmove(file + used, header + HEADER_SIZE, content - HEADER_SIZE);
		used += content - HEADER_SIZE;
		at += packet;
	}
	file[used] = '\0';
	*total = used;
	return 0;
}

/* Of a file, or of what was in its packets. */
static int parse(struct ctf_trace *t, const char *text, size_t size)
{
	return *text == CTF2_SEPARATOR ? ctf_parse_json(t, text, size) : ctf_parse_tsdl(t, text);
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
