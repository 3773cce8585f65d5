/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/util.h"
#include "record-map-file.h"

const struct map_place no_map_place = {.dir = -1, .file = -1};

static void take_status(const char *line, struct map_place *p)
{
	const char *last = strrchr(line, '\t');

	/* Real, effective, saved, of the file system. */
	(void)sscanf(line, "Uid: %u %u %u %u", &p->user[0], &p->user[1], &p->user[2], &p->user[3]);
	/* Before 4.1 only the first is told; there the process must be of this namespace. */
	if (last && (!strncmp(line, "Tgid:", 5) || !strncmp(line, "NStgid:", 7)))
		p->pid = (uint32_t)strtoul(last, NULL, 10);
}

static bool find_out_whose(int process, struct map_place *p)
{
	int fd = openat(process, "status", O_RDONLY | O_CLOEXEC);
	FILE *status = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t cap = 0;

	while (status && getline(&line, &cap, status) > 0)
		take_status(line, p);
	free(line);
	if (status)
		fclose(status);
	else if (fd >= 0)
		close(fd);
	return p->pid;
}

static bool is_owner(const struct map_place *p, uid_t user)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(p->user); i++)
		if (p->user[i] == user)
			return true;
	return false;
}

/* The next name of a path, which is no link. Closes @dir. */
static int step(int dir, const char *name, int flags)
{
	int at = dir < 0 ? -1 : openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC | flags);

	if (dir >= 0)
		close(dir);
	return at;
}

/* It is opened only when it is known to be a regular file, as opening others does something. */
static int open_regular(int at, const struct map_place *p, struct map_stamp *stamp)
{
	char path[64];
	struct stat st;

	if (fstat(at, &st) || !S_ISREG(st.st_mode) || !is_owner(p, st.st_uid))
		return -1;
	*stamp = (struct map_stamp){
		.device = st.st_dev,
		.inode = st.st_ino,
		.size = (uint64_t)st.st_size,
		.ns = (uint64_t)st.st_mtim.tv_sec * NS_PER_SEC + (uint64_t)st.st_mtim.tv_nsec,
	};
	snprintf(path, sizeof(path), "/proc/self/fd/%d", at);
	return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int map_place_open(unsigned int pid, struct map_place *place)
{
	char path[64];
	int process, root = -1;

	*place = no_map_place;
	snprintf(path, sizeof(path), "/proc/%u", pid);
	/* All that follows is of this process, whoever has its id by then. */
	process = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (process < 0)
		return -1;
	/* The kernel's own link, and the only one: what is behind it is the process's root. */
	if (find_out_whose(process, place))
		root = openat(process, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	close(process);
	place->dir = step(root, "tmp", O_DIRECTORY);
	return place->dir < 0 ? -1 : 0;
}

void map_place_close(struct map_place *place)
{
	if (place->dir >= 0)
		close(place->dir);
	if (place->file >= 0)
		close(place->file);
	*place = no_map_place;
}

int map_file_open(struct map_place *place, struct map_stamp *stamp)
{
	char name[64];
	int at;

	snprintf(name, sizeof(name), "perf-%" PRIu32 ".map", place->pid);
	at = openat(place->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (at >= 0) {
		if (place->file >= 0)
			close(place->file);
		place->file = at;
	}
	return place->file < 0 ? -1 : open_regular(place->file, place, stamp);
}

/* As much as it has now, and not more than anybody keeps; it may grow meanwhile. */
static char *read_all(int fd, size_t *len)
{
	struct stat st;
	size_t size, used = 0;
	ssize_t got = 1;
	char *text;

	if (fstat(fd, &st) || st.st_size < 0)
		return NULL;
	size = st.st_size < (off_t)MAP_FILE_MAX ? (size_t)st.st_size : MAP_FILE_MAX;
	text = malloc(size + 1);
	while (text && used < size && (got = read(fd, text + used, size - used)) > 0)
		used += (size_t)got;
	*len = used;
	return text;
}

/* Takes a number off, and the blank behind it; some write 0x before it. */
static bool take_hex(const char **at, const char *end, uint64_t *value)
{
	int nr = 0, digit;

	*value = 0;
	if (end - *at > 2 && (*at)[0] == '0' && (*at)[1] == 'x')
		*at += 2;
	for (; *at < end && (digit = hex_digit(**at)) >= 0 && nr < 16; nr++, (*at)++)
		*value = *value << 4 | (uint64_t)digit;
	return nr && *at < end && *(*at)++ == ' ';
}

static void put_line(FILE *out, const char *line, const char *end)
{
	uint64_t address, size;

	if (!take_hex(&line, end, &address) || !take_hex(&line, end, &size) || line == end ||
	    !size || size > UINT64_MAX - address)
		return;
	fprintf(out, " %" PRIx64 " %" PRIx64 " ", address, size);
	if (end - line > FUNCTION_NAME_MAX)
		end = line + FUNCTION_NAME_MAX;
	for (; line < end; line++)
		fputc(iscntrl((unsigned char)*line) ? '?' : *line, out);
	fputc('\n', out);
}

int map_file_functions(int fd, FILE *out)
{
	size_t len = 0;
	char *text = read_all(fd, &len);
	const char *line = text, *newline;

	if (!text)
		return -1;
	/* Of what has no end of line yet the rest will come. */
	while ((newline = memchr(line, '\n', len - (size_t)(line - text)))) {
		put_line(out, line, newline);
		line = newline + 1;
	}
	free(text);
	return 0;
}

#define STAMP "%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n"

void map_stamp_write(int fd, const struct map_stamp *s)
{
	dprintf(fd, STAMP, s->device, s->inode, s->size, s->ns);
}

size_t map_stamp_parse(const char *text, struct map_stamp *s)
{
	size_t len = strcspn(text, "\n");
	int end = 0;

	if (sscanf(text, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 "%n", &s->device, &s->inode,
		   &s->size, &s->ns, &end) != 4 ||
	    (size_t)end != len || !text[len])
		return 0;
	return len + 1;
}
