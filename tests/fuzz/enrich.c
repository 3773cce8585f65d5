/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/util.h"
#include "check-output.h"
#include "child.h"
#include "child-library.h"
#include "enrich/enrich-graph.h"
#include "../ctf/print.h"
#include "trace-input.h"

/*
 * A trace is copied by `enrich`, and the copy read by libbabeltrace2: it tells the same events,
 * with the same fields. What the library gives up on ends a process of its own.
 */

/* Another status than any of the program's. */
#define IS_READ 9

static int remove_one(const char *file, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(file);
}

/* Whether there is a copy. */
static bool copy(const char *from, const char *to)
{
	struct child c;
	int status;

	mkdir(to, 0755);
	if (!child_start(&c)) {
		char *path = xstrdup(from);

		if (!freopen("/dev/null", "w", stderr))
			_exit(2);
		library_may_die();
		child_bound();
		status = enrich_graph(to, &path, 1) ? 2 : 0;
		child_tell(&c);
		_exit(status);
	}
	status = child_wait(&c);
	/* Where the library gives up on the trace, graph_guard() says so. */
	if (WIFSIGNALED(status) ||
	    (WEXITSTATUS(status) && WEXITSTATUS(status) != 2 && WEXITSTATUS(status) != CHILD_OOM))
		broken("enrich ends as it must not. status=%d", status);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static _Noreturn void be_reader(const char *path, int told)
{
	FILE *out = fdopen(told, "w");
	char *traces = xstrdup(path);
	struct reader r = {0};
	struct reader_callbacks cb;
	int ret;

	if (!out || !freopen("/dev/null", "w", stderr))
		_exit(2);
	/* That the library dies is no find. */
	signal(SIGSEGV, SIG_DFL);
	child_bound();
	cb = print_to(out);
	reader_choose(READER_BABELTRACE);
	ret = reader_run(&r, &traces, 1, &cb);
	fflush(out);
	_exit(ret ? 2 : IS_READ);
}

/* What is in the trace, without its path and what its metadata tell; NULL if it cannot be read. */
static char *read_trace(const char *path)
{
	int fd = memfd_create("told", MFD_CLOEXEC), status;
	pid_t pid = fork();
	size_t len = strlen(own_directory());
	char *text, *s, *to;
	off_t size;

	if (fd < 0 || pid < 0)
		broken("No process can be started.");
	if (!pid)
		be_reader(path, fd);
	status = wait_for(pid);
	size = lseek(fd, 0, SEEK_END);
	text = xcalloc((size_t)size + 1, 1);
	if (pread(fd, text, (size_t)size, 0) != (ssize_t)size)
		broken("What was told cannot be read.");
	close(fd);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != IS_READ) {
		free(text);
		return NULL;
	}
	/* A trace's own line is of the metadata, which are others. */
	for (s = to = text; *s;) {
		if ((s == text || s[-1] == '\n') && !strncmp(s, "trace ", 6))
			s += strcspn(s, "\n") + (strchr(s, '\n') != NULL);
		else if (!strncmp(s, own_directory(), len))
			s += strcspn(s, " ");
		else
			*to++ = *s++;
	}
	*to = '\0';
	print_sort(text);
	return text;
}

/* Where the last word of a line begins, with the space before it. */
static size_t last_word(const char *line, size_t len)
{
	while (len && line[len] != ' ')
		len--;
	return len;
}

/*
 * A copy's events all have a context pid_ns, the last of a line's fields. Where the trace did not
 * tell it, the original says absent and the copy what is known, or 0: both are forgotten.
 */
static void forget_added(char *before, char *after)
{
	char *absent = xasprintf(" pid_ns=%" PRId64, ABSENT), *to_b = before, *to_a = after;

	while (strchr(before, '\n') && strchr(after, '\n')) {
		size_t b = strcspn(before, "\n"), a = strcspn(after, "\n");
		size_t at = last_word(before, b);
		bool is_added = b - at == strlen(absent) && !strncmp(before + at, absent, b - at);
		size_t kept_b = is_added ? at : b, kept_a = is_added ? last_word(after, a) : a;

		memmove(to_b, before, kept_b);
		memmove(to_a, after, kept_a);
		to_b += kept_b;
		to_a += kept_a;
		*to_b++ = *to_a++ = '\n';
		before += b + 1;
		after += a + 1;
	}
	memmove(to_b, before, strlen(before) + 1);
	memmove(to_a, after, strlen(after) + 1);
	free(absent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *trace = trace_input(data, size);
	char *copied = xasprintf("%s/copy", own_directory()), *before, *after;

	if (copy(trace, copied)) {
		before = read_trace(trace);
		after = read_trace(copied);
		if (!before || !after)
			broken("There is a copy that cannot be read, or one of what cannot.");
		forget_added(before, after);
		check_same("The copy tells another thing.", "trace", before, "copy", after);
		free(before);
		free(after);
	}
	nftw(copied, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(copied);
	return 0;
}
