/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
#include <byteswap.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader-first.h"

#define MAGIC	    0xc1fc1fc1u
#define HEADER_SIZE 84

/*
 * As lttng-modules and lttng-ust lay it out: magic, uuid, stream id and instance id, then times, sizes in
 * bits, number, lost events and CPU. What another writer has there does not pass for sizes.
 */
enum { AT_BEGIN = 32, AT_END = 40, AT_CONTENT = 48, AT_PACKET = 56, AT_NUMBER = 64, AT_CPU = 80 };

static uint64_t number_at(const unsigned char *header, size_t at, bool swapped)
{
	uint64_t n;

	memcpy(&n, header + at, sizeof(n));
	return swapped ? bswap_64(n) : n;
}

bool reader_first_packet(const char *file, struct first_packet *first)
{
	unsigned char header[HEADER_SIZE];
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint64_t content, packet;
	uint32_t magic, cpu;
	struct stat st;
	bool swapped, whole;

	if (fd < 0)
		return false;
	whole = !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		pread(fd, header, sizeof(header), 0) == sizeof(header);
	close(fd);
	if (!whole)
		return false;
	memcpy(&magic, header, sizeof(magic));
	swapped = magic == bswap_32(MAGIC);
	content = number_at(header, AT_CONTENT, swapped);
	packet = number_at(header, AT_PACKET, swapped);
	if ((magic != MAGIC && !swapped) || packet % 8 || packet < content ||
	    content < HEADER_SIZE * 8 || packet / 8 > (uint64_t)st.st_size ||
	    number_at(header, AT_BEGIN, swapped) > number_at(header, AT_END, swapped))
		return false;
	memcpy(&cpu, header + AT_CPU, sizeof(cpu));
	first->number = number_at(header, AT_NUMBER, swapped);
	first->begin = number_at(header, AT_BEGIN, swapped);
	first->cpu = swapped ? bswap_32(cpu) : cpu;
	return true;
}
