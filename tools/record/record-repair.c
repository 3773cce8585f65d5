/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"
#include "base/util.h"

/*
 * How a packet of LTTng's kernel traces in CTF 1.8 begins, in this machine's
 * byte order. Sizes are in bits.
 */
struct packet {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream_id;
	uint64_t stream_instance_id;
	uint64_t timestamp_begin, timestamp_end;
	uint64_t content_size, packet_size;
};

#define MAGIC 0xc1fc1fc1u

_Static_assert(sizeof(struct packet) == 64, "no padding");

/* Where the last whole packet ends. */
static uint64_t whole_packets(int fd, uint64_t size)
{
	struct packet p;
	uint64_t at = 0, bytes;

	while (at < size) {
		if (pread(fd, &p, sizeof(p), (off_t)at) != (ssize_t)sizeof(p))
			break;
		bytes = p.packet_size / 8;
		if (p.magic != MAGIC || p.packet_size % 8 || p.content_size > p.packet_size ||
		    bytes < sizeof(p) || bytes > size - at)
			break;
		at += bytes;
	}
	return at;
}

/* Returns the bytes that were cut off a stream's file. */
static uint64_t repair_stream(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	uint32_t magic = 0;
	struct stat st;
	uint64_t whole, size = 0;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size)
		size = (uint64_t)st.st_size;
	/* What is no stream's file, such as the metadata, is let be. */
	if (!size ||
	    (pread(fd, &magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) && magic != MAGIC))
		whole = size;
	else
		whole = whole_packets(fd, size);
	if (whole != size && ftruncate(fd, (off_t)whole))
		whole = size;
	close(fd);
	return size - whole;
}

/* The index names the packets that are gone; readers do without it. */
static void remove_index(int dir)
{
	int fd = openat(dir, "index", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			unlinkat(fd, e->d_name, 0);
	closedir(d);
	unlinkat(dir, "index", AT_REMOVEDIR);
}

static uint64_t repair_streams(DIR *d)
{
	struct dirent *e;
	uint64_t bytes = 0;

	while ((e = readdir(d)))
		if (e->d_name[0] != '.' && strcmp(e->d_name, "metadata") &&
		    strcmp(e->d_name, "index"))
			bytes += repair_stream(dirfd(d), e->d_name);
	if (bytes)
		remove_index(dirfd(d));
	return bytes;
}

/* A trace is in `kernel`; that of a snapshot one level below. Adds up what @call answers of each.
 */
static uint64_t each_trace(int parent, const char *name, unsigned int levels,
			   uint64_t (*call)(DIR *d))
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	uint64_t sum = 0;

	if (!d)
		return 0;
	if (!strcmp(name, "kernel"))
		sum = call(d);
	else if (levels)
		while ((e = readdir(d)))
			if (e->d_name[0] != '.')
				sum += each_trace(fd, e->d_name, levels - 1, call);
	closedir(d);
	return sum;
}

uint64_t repair_trace(int dir)
{
	return each_trace(dir, ".", 2, repair_streams);
}

static uint64_t count_metadata(DIR *d)
{
	struct stat st;

	return !fstatat(dirfd(d), "metadata", &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) &&
	       st.st_size;
}

bool trace_has_metadata(int dir)
{
	return each_trace(dir, ".", 2, count_metadata);
}

/* Of a packet that has no event at all there are its header and its context. */
#define EMPTY_MAX 512

static bool has_content(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct packet p;
	off_t at = 0;
	bool has = false;

	while (!has && fd >= 0 && pread(fd, &p, sizeof(p), at) == (ssize_t)sizeof(p) &&
	       p.magic == MAGIC && p.packet_size / 8 >= sizeof(p)) {
		has = p.content_size / 8 > EMPTY_MAX;
		at += (off_t)(p.packet_size / 8);
	}
	if (fd >= 0)
		close(fd);
	return has;
}

static uint64_t count_content(DIR *d)
{
	struct dirent *e;
	uint64_t nr = 0;

	while (!nr && (e = readdir(d)))
		if (e->d_name[0] != '.' && strcmp(e->d_name, "metadata"))
			nr += has_content(dirfd(d), e->d_name);
	return nr;
}

bool trace_has_events(int dir)
{
	return each_trace(dir, ".", 2, count_content);
}
