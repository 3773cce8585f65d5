/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/symbols.h"
#include "record.h"
#include "base/util.h"

/* What the file begins with, so that it is not taken for another boot's. */
static bool write_boot_id(FILE *to)
{
	char id[SYMBOLS_BOOT_ID] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	bool known = file && fgets(id, sizeof(id), file);

	if (file)
		fclose(file);
	if (known)
		fprintf(to, SYMBOLS_HEAD "%.36s\n", id);
	return known;
}

/* Whose addresses are hidden, are all 0. Returns how many were copied. */
static size_t copy_functions(FILE *from, FILE *to)
{
	char line[1024];
	size_t nr = 0, size = 0;

	while (fgets(line, sizeof(line), from) && size < SYMBOLS_MAX) {
		uint64_t address;
		char type;

		if (sscanf(line, "%" SCNx64 " %c", &address, &type) != 2 || !address ||
		    !strchr("tTwW", type))
			continue;
		fputs(line, to);
		size += strlen(line);
		nr++;
	}
	return nr;
}

static int failed(struct output *o, const char *why)
{
	unlinkat(o->fd, SYMBOLS_FILE, 0);
	o->has_symbols = false;
	note("Functions of the kernel will have no names: %s", why);
	return 0;
}

int symbols_save(struct output *o)
{
	FILE *from, *to;
	bool is_written;
	size_t nr = 0;
	int fd;

	if (o->fd < 0) {
		note("Functions will have no names: these do not go to an"
		     " lttng-relayd.");
		return 0;
	}
	fd = openat(o->fd, SYMBOLS_FILE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return error("What the kernel's functions are called cannot be written. reason=%s",
			     strerror(errno));
	o->has_symbols = true;
	to = fdopen(fd, "w");
	from = fopen("/proc/kallsyms", "re");
	if (to && from && write_boot_id(to))
		nr = copy_functions(from, to);
	if (from)
		fclose(from);
	/* What failed before the last of it is not told by fclose(). */
	is_written = to && !ferror(to);
	if (to && fclose(to))
		is_written = false;
	if (!to)
		close(fd);
	if (!is_written)
		return failed(o, "they cannot be written.");
	return nr ? 0
		  : failed(o, "the kernel hides where they are (sysctl kernel.kptr_restrict; root"
			      " is told unless it is 2).");
}
