/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access.h"
#include "base/tree.h"

#define OTHERS (S_IROTH | S_IWOTH)
#define GROUP  (S_IRGRP | S_IWGRP)

static void take(struct access *a, const struct stat *st)
{
	mode_t mode = st->st_mode;

	/* A directory must also be passed through. */
	if (S_ISDIR(mode) && !(mode & S_IXGRP))
		mode &= ~(mode_t)GROUP;
	if (S_ISDIR(mode) && !(mode & S_IXOTH))
		mode &= ~(mode_t)OTHERS;
	/* Who may not write may read all the same. */
	if (mode & S_IRGRP)
		mode |= S_IWGRP;
	if (mode & S_IROTH)
		mode |= S_IWOTH;
	if (a->gid == (gid_t)-1)
		a->gid = st->st_gid;
	/* Whoever is in both groups is not known. */
	if (a->gid != st->st_gid && !(mode & S_IROTH))
		mode &= ~(mode_t)GROUP;
	a->mode &= mode | S_IRUSR | S_IWUSR;
}

/* Who may not pass through one that is above reads nothing that is below it. */
static bool take_above(void *ctx, const struct stat *st, bool is_above)
{
	bool others = st->st_mode & S_IXOTH;
	struct access *a = ctx;

	if (!is_above)
		return true;
	if (!others)
		a->mode &= ~(mode_t)OTHERS;
	if (st->st_gid == a->gid ? !(st->st_mode & S_IXGRP) : !others)
		a->mode &= ~(mode_t)GROUP;
	return true;
}

struct access access_of(const struct reader *r)
{
	struct access a = {.mode = 0666, .gid = (gid_t)-1};
	struct dirent *e;
	struct stat st;
	size_t i;
	DIR *d;

	for (i = 0; i < r->nr_traces; i++) {
		if (!stat(r->traces[i].path, &st))
			take(&a, &st);
		if (!tree_walk_up(r->traces[i].path, take_above, &a))
			a.mode &= S_IRUSR | S_IWUSR;
		d = opendir(r->traces[i].path);
		while (d && (e = readdir(d)))
			if (!fstatat(dirfd(d), e->d_name, &st, 0) && S_ISREG(st.st_mode))
				take(&a, &st);
		if (d)
			closedir(d);
	}
	return a;
}

mode_t access_mode(const struct access *a, gid_t gid)
{
	mode_t mask = umask(0), mode = a->mode;

	umask(mask);
	if (gid != a->gid && !(mode & S_IROTH))
		mode &= ~(mode_t)GROUP;
	return mode & ~mask;
}
