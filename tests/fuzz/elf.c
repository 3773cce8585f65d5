/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/symbols.h"
#include "check-output.h"
#include "record/record-elf.h"
#include "record/record-map-file.h"

/*
 * A file of a container that `record --stacks` reads: once as a program or library, once as the map
 * that a program has written of functions which it made. What is told has a form.
 */

static const char *take_hex(const char *s, uint64_t *value)
{
	char *end;

	if (*s != ' ' || !isxdigit((unsigned char)s[1]))
		broken("elf: there is no number. line=%.80s", s);
	*value = strtoull(s + 1, &end, 16);
	return end;
}

/* One line; returns what is behind it. */
static const char *check_line(const char *line, uint64_t *offset)
{
	const char *end = strchr(line, '\n'), *s;
	uint64_t size;

	if (!end)
		broken("elf: the last line has no end");
	s = take_hex(take_hex(line, offset), &size);
	if (*s != ' ' || ++s == end || end - s > FUNCTION_NAME_MAX)
		broken("elf: a name is missing, or too long. line=%.80s", line);
	for (; s < end; s++)
		if (iscntrl((unsigned char)*s))
			broken("elf: a name has what it must not. byte=%02x", (unsigned char)*s);
	return end + 1;
}

static void check(int fd, int (*functions)(int fd, FILE *out), bool is_sorted)
{
	uint64_t last = 0, offset = 0;
	char *text = NULL;
	const char *line;
	size_t len, nr = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out || lseek(fd, 0, SEEK_SET))
		broken("out of memory");
	(void)functions(fd, out);
	fclose(out);
	if (strlen(text) != len)
		broken("elf: what is told has a byte of 0");
	for (line = text; *line; nr++, last = offset) {
		line = check_line(line, &offset);
		if (is_sorted && nr && offset <= last)
			broken("elf: functions are not in order, or twice");
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		broken("out of memory");
	check(fd, elf_functions, true);
	check(fd, map_file_functions, false);
	close(fd);
	return 0;
}
