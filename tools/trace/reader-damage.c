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

/* A file that is cut off. */
struct cut {
	char *file;
	uint64_t size, whole;
};

/* A word of a shell, without a backslash: messages double it, which would end the quotes. */
static void put_word(FILE *out, const char *word, const char *more)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+,:@%";
	bool quoted = strspn(word, plain) != strlen(word) || strspn(more, plain) != strlen(more);
	const char *at;

	if (quoted)
		putc('\'', out);
	for (at = word; at; at = at == more ? NULL : more) {
		const char *c;

		for (c = at; *c; c++)
			if (*c == '\'')
				fputs("'\"'\"'", out);
			else
				putc(*c, out);
	}
	if (quoted)
		putc('\'', out);
}

/* The commands that make a copy with whole packets alone. The caller frees it. */
static char *remedy(const char *path, const struct cut *cuts, size_t nr)
{
	size_t len = strlen(path), size, i;
	char *text = NULL, *dir;
	FILE *out = text_stream(&text, &size);

	while (len > 1 && path[len - 1] == '/')
		len--;
	dir = xasprintf("%.*s", (int)len, path);
	fputs("cp -r ", out);
	put_word(out, dir, "");
	putc(' ', out);
	put_word(out, dir, ".whole");
	for (i = 0; i < nr; i++) {
		char *in_copy = xasprintf(".whole/%s", cuts[i].file);

		fprintf(out, " && truncate -s %llu ", (unsigned long long)cuts[i].whole);
		put_word(out, dir, in_copy);
		free(in_copy);
	}
	fclose(out);
	free(dir);
	return text;
}

static void explain(const char *path, const struct cut *cuts, size_t nr)
{
	char *file = xasprintf("%s/%s", path, cuts[0].file), *shown = text_escape(file);
	char *commands = remedy(path, cuts, nr), *safe = text_escape(commands);

	error("A file of the trace ends in the middle of a packet: it was cut off, or is still"
	      " being recorded; if recording is over, cut a copy to its whole packets to read"
	      " the rest. path=%s size=%llu whole_packets=%llu remedy=\"%s\"",
	      shown, (unsigned long long)cuts[0].size, (unsigned long long)cuts[0].whole, safe);
	free(file);
	free(shown);
	free(commands);
	free(safe);
}

static bool is_cut(int fd, struct cut *cut)
{
	const struct layout *l = layout_of(fd);
	struct stat st;

	if (!l || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	cut->size = (uint64_t)st.st_size;
	cut->whole = whole_packets(fd, cut->size, l);
	return cut->whole != cut->size;
}

static int open_stream(const char *path, const char *name)
{
	char *file;
	int fd;

	if (name[0] == '.' || !strcmp(name, "metadata"))
		return -1;
	file = xasprintf("%s/%s", path, name);
	fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	free(file);
	return fd;
}

bool damage_explained(const char *path)
{
	struct cut *cuts = NULL, cut;
	struct dirent **names;
	int nr = scandir(path, &names, NULL, alphasort), i, fd;
	size_t nr_cuts = 0, cap = 0, k;

	for (i = 0; i < nr; i++) {
		fd = open_stream(path, names[i]->d_name);
		if (fd >= 0 && is_cut(fd, &cut)) {
			cuts = grow(cuts, nr_cuts, &cap, sizeof(*cuts));
			cut.file = xstrdup(names[i]->d_name);
			cuts[nr_cuts++] = cut;
		}
		if (fd >= 0)
			close(fd);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	if (nr_cuts)
		explain(path, cuts, nr_cuts);
	for (k = 0; k < nr_cuts; k++)
		free(cuts[k].file);
	free(cuts);
	return nr_cuts;
}
