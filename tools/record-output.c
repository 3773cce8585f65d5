/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "record.h"
#include "text.h"
#include "util.h"

static char *default_name(void)
{
	char buf[64];
	time_t t = time(NULL);
	struct tm tm = {0};

	localtime_r(&t, &tm);
	strftime(buf, sizeof(buf), "lttng-containers-%Y%m%d-%H%M%S", &tm);
	return xstrdup(buf);
}

static int failed(const char *dir, int why)
{
	char *safe = text_escape(dir);

	error("The output directory cannot be made or used. reason=%s directory=%s", strerror(why),
	      safe);
	free(safe);
	return -1;
}

static int check_empty(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int left = 0;

	if (!d)
		return failed(dir, errno);
	while ((e = readdir(d)))
		left += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(d);
	if (left)
		return argument_error("The output directory is not empty; give another, or a"
				      " directory that does not exist yet.",
				      "directory", dir);
	return 0;
}

int output_prepare(struct output *o, const char *dir)
{
	char *name = dir ? xstrdup(dir) : default_name();
	int result = 0;

	if (!mkdir(name, 0755))
		o->made = true;
	else if (errno != EEXIST)
		result = failed(name, errno);
	else
		result = check_empty(name);
	if (!result) {
		o->path = realpath(name, NULL);
		if (!o->path)
			result = failed(name, errno);
	}
	if (!result && access(o->path, W_OK))
		result = failed(name, errno);
	free(name);
	return result;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	if (ftw->level)
		remove(path);
	return 0;
}

void output_remove(struct output *o)
{
	if (!o->path)
		return;
	/* It was empty, or not there, before. */
	nftw(o->path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	if (o->made)
		rmdir(o->path);
}

static uint64_t bytes_seen;

static int add_size(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)path;
	(void)ftw;
	if (type == FTW_F)
		bytes_seen += (uint64_t)st->st_size;
	return 0;
}

uint64_t output_bytes(const struct output *o)
{
	bytes_seen = 0;
	if (o->path)
		nftw(o->path, add_size, 16, FTW_PHYS | FTW_MOUNT);
	return bytes_seen;
}

uint64_t output_free(const struct output *o)
{
	struct statvfs v;

	if (!o->path || statvfs(o->path, &v))
		return UINT64_MAX;
	return (uint64_t)(geteuid() ? v.f_bavail : v.f_bfree) * v.f_frsize;
}

void output_free_path(struct output *o)
{
	free(o->path);
	o->path = NULL;
}
