/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <byteswap.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader-damage.h"
#include "base/text.h"
#include "base/util.h"

#define MAGIC	    0xc1fc1fc1u
#define HEADER_SIZE 64
/* More than any buffer has: such a number is something else. */
#define BITS_MAX    (UINT64_C(1) << 38)

/* Where a packet's header has its two sizes, in bits, each of 8 bytes. */
struct layout {
	size_t content, packet;
};

static const struct layout layouts[] = {
	{48, 56}, /* lttng-modules and lttng-ust */
	{44, 36}, /* libbabeltrace2's sink.ctf.fs, so what enrich writes */
};

static uint64_t number_at(const unsigned char *header, size_t at, bool swapped)
{
	uint64_t n;

	memcpy(&n, header + at, sizeof(n));
	return swapped ? bswap_64(n) : n;
}

/* The size of the packet in bytes; 0: these are no sizes. */
static uint64_t packet_size(const unsigned char *header, const struct layout *l)
{
	uint64_t content, packet;
	uint32_t magic;

	memcpy(&magic, header, sizeof(magic));
	if (magic != MAGIC && magic != bswap_32(MAGIC))
		return 0;
	content = number_at(header, l->content, magic != MAGIC);
	packet = number_at(header, l->packet, magic != MAGIC);
	if (packet % 8 || packet > BITS_MAX || packet < content || content < HEADER_SIZE * 8)
		return 0;
	return packet / 8;
}

static uint64_t whole_packets(int fd, uint64_t size, const struct layout *l)
{
	unsigned char header[HEADER_SIZE];
	uint64_t at = 0, bytes;

	while (at < size) {
		if (pread(fd, header, HEADER_SIZE, (off_t)at) != HEADER_SIZE)
			break;
		bytes = packet_size(header, l);
		if (!bytes || bytes > size - at)
			break;
		at += bytes;
	}
	return at;
}

/* A file that does not even begin like a stream's is let be: it may be of another kind. */
static const struct layout *layout_of(int fd)
{
	unsigned char header[HEADER_SIZE];
	size_t i;

	if (pread(fd, header, HEADER_SIZE, 0) != HEADER_SIZE)
		return NULL;
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (packet_size(header, &layouts[i]))
			return &layouts[i];
	return NULL;
}

static bool explain(const char *file, int fd)
{
	const struct layout *l = layout_of(fd);
	uint64_t size, whole;
	struct stat st;
	char *shown;

	if (!l || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	size = (uint64_t)st.st_size;
	whole = whole_packets(fd, size, l);
	if (whole == size)
		return false;
	shown = text_escape(file);
	error("A file of the trace ends in the middle of a packet: it was cut off, or is still"
	      " being recorded; if recording is over, cut a copy to its whole packets to read"
	      " the rest. path=%s size=%llu whole_packets=%llu remedy=\"truncate -s %llu\"",
	      shown, (unsigned long long)size, (unsigned long long)whole,
	      (unsigned long long)whole);
	free(shown);
	return true;
}

bool damage_explained(const char *path)
{
	struct dirent **names;
	int nr = scandir(path, &names, NULL, alphasort), i, fd;
	bool found = false;

	for (i = 0; i < nr; i++) {
		char *file = xasprintf("%s/%s", path, names[i]->d_name);

		fd = found || names[i]->d_name[0] == '.' || !strcmp(names[i]->d_name, "metadata")
			     ? -1
			     : open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
		if (fd >= 0) {
			found = explain(file, fd);
			close(fd);
		}
		free(file);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	return found;
}
