/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <byteswap.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader-first.h"

#define MAGIC	    0xc1fc1fc1u
#define HEADER_SIZE 88

/* Where a packet's header has what: times in cycles, sizes in bits. */
struct layout {
	size_t begin, end, content, packet, number, cpu;
};

/* What another writer has there does not pass for sizes and times. */
static const struct layout layouts[] = {
	{32, 40, 48, 56, 64, 80}, /* lttng-modules and lttng-ust */
	{52, 60, 44, 36, 76, 84}, /* libbabeltrace2's sink.ctf.fs, so what enrich writes */
};

static uint64_t number_at(const unsigned char *header, size_t at, bool swapped)
{
	uint64_t n;

	memcpy(&n, header + at, sizeof(n));
	return swapped ? bswap_64(n) : n;
}

static bool take(const unsigned char *header, const struct layout *l, bool swapped, off_t size,
		 struct first_packet *first)
{
	uint64_t content = number_at(header, l->content, swapped);
	uint64_t packet = number_at(header, l->packet, swapped);
	uint32_t cpu;

	if (packet % 8 || packet < content || content < HEADER_SIZE * 8 ||
	    packet / 8 > (uint64_t)size ||
	    number_at(header, l->begin, swapped) > number_at(header, l->end, swapped))
		return false;
	memcpy(&cpu, header + l->cpu, sizeof(cpu));
	first->number = number_at(header, l->number, swapped);
	first->begin = number_at(header, l->begin, swapped);
	first->cpu = swapped ? bswap_32(cpu) : cpu;
	return true;
}

bool reader_first_packet(const char *file, struct first_packet *first)
{
	unsigned char header[HEADER_SIZE];
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	uint32_t magic;
	bool whole;
	size_t i;

	if (fd < 0)
		return false;
	whole = !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		pread(fd, header, sizeof(header), 0) == sizeof(header);
	close(fd);
	if (!whole)
		return false;
	memcpy(&magic, header, sizeof(magic));
	if (magic != MAGIC && magic != bswap_32(MAGIC))
		return false;
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (take(header, &layouts[i], magic != MAGIC, st.st_size, first))
			return true;
	return false;
}
