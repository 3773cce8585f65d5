/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "check-output.h"
#include "../ctf/print.h"
#include "trace-input.h"
#include "trace/ctf/native.h"

static char path[] = "/dev/shm/lttng-containers-fuzz-XXXXXX";
static char trace[sizeof(path) + sizeof("/trace")];
static pid_t owner;

static int remove_one(const char *file, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(file);
}

static void remove_directory(void)
{
	if (getpid() == owner)
		nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *own_directory(void)
{
	if (owner)
		return path;
	if (!mkdtemp(path))
		broken("No directory can be made. path=%s", path);
	owner = getpid();
	atexit(remove_directory);
	snprintf(trace, sizeof(trace), "%s/trace", path);
	mkdir(trace, 0755);
	return path;
}

static void put_part(int dir, const char *name, const uint8_t **at, const uint8_t *end)
{
	size_t len = (size_t)(end - *at), told;
	int fd;

	if (len < 2) {
		unlinkat(dir, name, 0);
		*at = end;
		return;
	}
	told = (size_t)((*at)[0] | (*at)[1] << 8);
	*at += 2;
	len = len - 2 < told ? len - 2 : told;
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, *at, len) != (ssize_t)len)
		broken("A file of the trace cannot be written. name=%s", name);
	close(fd);
	*at += len;
}

const char *trace_input(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"metadata", "channel0_0", "channel0_1", "channel0_2",
					    "channel0_3"};
	const uint8_t *end = data + size;
	size_t i;
	int dir;

	own_directory();
	dir = open(trace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		put_part(dir, names[i], &data, end);
	close(dir);
	return trace;
}

char *read_native(const char *directory, enum outcome *outcome, char **said)
{
	FILE *real = stderr, *out;
	size_t size, said_size;
	struct reader r = {0};
	char *text = NULL, *copy = xstrdup(directory);
	struct reader_callbacks cb;
	int ret;

	*said = NULL;
	out = open_memstream(&text, &size);
	stderr = open_memstream(said, &said_size);
	if (!out || !stderr)
		broken("out of memory");
	cb = print_to(out);
	reader_choose(READER_NATIVE);
	ret = reader_run(&r, &copy, 1, &cb);
	print_ends(out, &r);
	reader_free(&r);
	free(copy);
	fclose(out);
	fclose(stderr);
	stderr = real;
	*outcome = !ret ? GOOD : native_has_refused() ? REFUSED : FAILED;
	check_text("standard error", *said, said_size);
	if (ret ? !said_size : said_size)
		broken("There is a message without an error, or none with one. said=%s", *said);
	return text;
}
