/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/command.h"
#include "base/owner.h"
#include "base/tree.h"
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
static bool is_ours(void *ctx, const struct stat *st, bool is_above)
{
	bool names_stay = is_above && st->st_mode & S_ISVTX;

	(void)ctx;
	return owner_is_trusted(st->st_uid) && (names_stay || !owner_others_write(st));
}

static int64_t ms_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000;
}

/* How it is once its last change is long enough ago; nothing if that is not to be waited for. */
static struct stat settled(const char *path)
{
	const struct timespec wait = {.tv_nsec = SETTLED_MS * 1000000};
	struct stat st;
	int64_t age;
	int tries;

	for (tries = 0; tries < TRIES && !stat(path, &st); tries++) {
		age = ms_since(&st.st_ctim);
		/* A clock that is ahead of this one tells nothing. */
		if (age < 0 || age >= SETTLED_MS)
			return st;
		nanosleep(&wait, NULL);
	}
	return (struct stat){0};
}

void changed_note(struct reader *r, const char *path)
{
	struct stat st;

	/* What is not there is not read. */
	if (tree_walk_up(path, is_ours, NULL) || (stat(path, &st) && errno == ENOENT))
		return;
	st = settled(path);
	r->noted = grow(r->noted, r->nr_noted, &r->cap_noted, sizeof(*r->noted));
	r->noted[r->nr_noted++] = (struct noted){xstrdup(path), st.st_dev, st.st_ino, st.st_ctim};
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
			return argument_error("The trace's directory is changed by somebody else"
					      " while it is read: read a copy.",
					      "path", n->path);
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
