/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/owner.h"
#include "base/text.h"
#include "base/util.h"
#include "reader-changed.h"

/* Longer than a tick of the kernel's clock, by which a second change may go unseen. */
#define SETTLED_MS 50
#define TRIES	   20

/* A name in it, or its own, was changed if any of these was. */
struct noted {
	char *path;
	dev_t dev;
	ino_t ino;
	struct timespec changed;
};

/* Where the sticky bit is, names of files stay, but there may be more of them. */
static bool others_may_change(const struct stat *st, bool is_above)
{
	return !owner_is_trusted(st->st_uid) ||
	       (owner_others_write(st) && !(is_above && st->st_mode & S_ISVTX));
}

/* Whether others may change the directory, or one above, up to the root. */
static bool others_may_change_any(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), up;
	struct stat at = {0}, st;
	bool may = fd < 0 || fstat(fd, &at) || others_may_change(&at, false), is_root = false;

	while (!may && !is_root) {
		up = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = up;
		may = fd < 0 || fstat(fd, &st) || others_may_change(&st, true);
		is_root = !may && st.st_dev == at.st_dev && st.st_ino == at.st_ino;
		at = st;
	}
	if (fd >= 0)
		close(fd);
	return may;
}

static int64_t ms_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000;
}

static int is_being_changed(const char *path)
{
	char *shown = text_escape(path);

	error("The trace's directory is changed by somebody else while it is read: read a copy."
	      " path=%s",
	      shown);
	free(shown);
	return -1;
}

int changed_note(struct reader *r, const char *path)
{
	const struct timespec wait = {.tv_nsec = SETTLED_MS * 1000000};
	struct stat st;
	int64_t age;
	int tries;

	if (!others_may_change_any(path))
		return 0;
	for (tries = 0; tries < TRIES; tries++) {
		/* What is not there is not read. */
		if (stat(path, &st))
			return errno == ENOENT ? 0 : is_being_changed(path);
		age = ms_since(&st.st_ctim);
		/* A clock that is ahead of this one tells nothing. */
		if (age < 0 || age >= SETTLED_MS)
			break;
		nanosleep(&wait, NULL);
	}
	if (tries == TRIES)
		return is_being_changed(path);
	r->noted = grow(r->noted, r->nr_noted, &r->cap_noted, sizeof(*r->noted));
	r->noted[r->nr_noted++] = (struct noted){xstrdup(path), st.st_dev, st.st_ino, st.st_ctim};
	return 0;
}

int changed_check(const struct reader *r)
{
	struct stat st;
	size_t i;

	for (i = 0; i < r->nr_noted; i++) {
		const struct noted *n = &r->noted[i];

		if (stat(n->path, &st) || st.st_dev != n->dev || st.st_ino != n->ino ||
		    st.st_ctim.tv_sec != n->changed.tv_sec ||
		    st.st_ctim.tv_nsec != n->changed.tv_nsec)
			return is_being_changed(n->path);
	}
	return 0;
}

void changed_free(struct reader *r)
{
	size_t i;

	for (i = 0; i < r->nr_noted; i++)
		free(r->noted[i].path);
	free(r->noted);
}
