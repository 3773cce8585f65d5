/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/util.h"
#include "check-output.h"
#include "child.h"
#include "../ctf/print.h"
#include "trace-input.h"

/*
 * The native reader beside libbabeltrace2, which is the judge: the same events and fields, and what
 * one refuses, so does the other.
 */

static const char *const outcomes[] = {"good", "failed", "refused", "died"};

static _Noreturn void be_library(const char *path, int told)
{
	FILE *out = fdopen(told, "w");
	char *copy = xstrdup(path);
	struct reader r = {0};
	struct reader_callbacks cb;
	int ret;

	if (!out || !freopen("/dev/null", "w", stderr))
		_exit(DIED);
	/* That the library dies is no find. */
	signal(SIGSEGV, SIG_DFL);
	child_bound();
	cb = print_to(out);
	reader_choose(READER_BABELTRACE);
	ret = reader_run(&r, &copy, 1, &cb);
	print_ends(out, &r);
	fflush(out);
	_exit(ret ? FAILED : GOOD);
}

/* In a process of its own: it ends it where it gives up. */
static char *read_library(const char *path, enum outcome *outcome)
{
	int fd = memfd_create("told", MFD_CLOEXEC), status;
	pid_t pid = fork();
	char *text;
	off_t size;

	if (fd < 0 || pid < 0)
		broken("No process can be started.");
	if (!pid)
		be_library(path, fd);
	status = wait_for(pid);
	*outcome = WIFEXITED(status) && WEXITSTATUS(status) < DIED
			   ? (enum outcome)WEXITSTATUS(status)
			   : DIED;
	size = lseek(fd, 0, SEEK_END);
	text = xcalloc((size_t)size + 1, 1);
	if (pread(fd, text, (size_t)size, 0) != (ssize_t)size)
		broken("What was told cannot be read.");
	close(fd);
	return text;
}

/*
 * libbabeltrace2 takes the low bits of a big id, and a file that ends within an event for one that
 * ends: what it tells of such a trace is not the truth.
 */
static bool is_stricter(const char *said)
{
	return strstr(said, "an event's id has more than 32 bits") ||
	       strstr(said, "a packet's contents do not fit into it");
}

static void compare(const char *path)
{
	enum outcome native, library;
	char *said, *a = read_native(path, &native, &said), *b;

	/* What it does not know the library decides. */
	if (native != REFUSED) {
		b = read_library(path, &library);
		if (native == GOOD ? library != GOOD : library == GOOD && !is_stricter(said))
			broken("One reader refuses what the other reads. native=%s "
			       "babeltrace=%s\n%s",
			       outcomes[native], outcomes[library], said);
		print_sort(a);
		print_sort(b);
		print_forget(a, b);
		if (native == GOOD)
			check_same("The readers tell different things.", "native", a, "babeltrace",
				   b);
		free(b);
	}
	free(a);
	free(said);
}

/* The library of Debian 12 does not know CTF 2: the first byte of its metadata, or of their packet.
 */
static bool is_ctf2(const uint8_t *data, size_t size)
{
	const size_t at = 2, header = 37;

	return (size > at && data[at] == 0x1e) || (size > at + header && data[at + header] == 0x1e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!is_ctf2(data, size))
		compare(trace_input(data, size));
	return 0;
}
