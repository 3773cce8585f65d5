/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/symbols.h"
#include "kept-file.h"
#include "base/util.h"

/* Somebody else, who can write above a trace, tells no names. */
static bool is_owner_trusted(uid_t owner, const char *trace)
{
	struct stat st;

	return !owner || owner == geteuid() || (!stat(trace, &st) && owner == st.st_uid);
}

/* Reads a regular file that is not larger than what is written; NULL: it is none. Free it. */
static char *read_whole(int fd, const char *trace, size_t max)
{
	struct stat st;
	char *text;
	size_t size, used = 0;
	ssize_t got = 1;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    st.st_size > (off_t)max + 4096 || !is_owner_trusted(st.st_uid, trace))
		return NULL;
	size = (size_t)st.st_size;
	text = xcalloc(size + 1, 1);
	while (used < size && (got = read(fd, text + used, size - used)) > 0)
		used += (size_t)got;
	return text;
}

static char *read_at(const char *dir, const char *above, const char *name, size_t max)
{
	char *path = xasprintf("%s%s/%s", dir, above, name), *text = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	free(path);
	if (fd < 0)
		return NULL;
	text = read_whole(fd, dir, max);
	close(fd);
	return text;
}

/* What is behind the head, if it is of that boot. */
static char *behind_head(char *text, const char *boot_id)
{
	size_t head = strlen(SYMBOLS_HEAD), len = strlen(boot_id);

	return len && !strncmp(text, SYMBOLS_HEAD, head) && !strncmp(text + head, boot_id, len) &&
			       text[head + len] == '\n'
		       ? text + head + len + 1
		       : NULL;
}

char *kept_text(const struct trace_info *t, const char *name, size_t max, char **whole)
{
	/* The trace is in `kernel`; that of a snapshot one level below. */
	static const char *const places[] = {"/..", "/../.."};
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		*whole = read_at(t->path, places[i], name, max);
		text = *whole ? behind_head(*whole, t->boot_id) : NULL;
		if (text)
			return text;
		free(*whole);
		*whole = NULL;
	}
	return NULL;
}
