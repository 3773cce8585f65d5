/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "outfile.h"
#include "base/text.h"
#include "base/util.h"

static int path_error(const char *what, const char *path, int why)
{
	char *safe = text_escape(path);

	error("%s file=%s%s%s", what, safe, why ? " reason=" : "", why ? strerror(why) : "");
	free(safe);
	return -1;
}

static int refuse(const char *path)
{
	return path_error("The file is there already; name another, or give --force to replace it.",
			  path, 0);
}

int outfile_check(const char *path, bool replace)
{
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT ? 0
				       : path_error("The output cannot be written.", path, errno);
	if (!replace)
		return refuse(path);
	if (!S_ISREG(st.st_mode))
		return path_error("Only a regular file can be replaced; name another.", path, 0);
	return 0;
}

/* mkstemp() lets nobody else read it. */
static void make_readable(int fd, const struct access *readers)
{
	struct stat st;

	if (!fstat(fd, &st))
		fchmod(fd, access_mode(readers, st.st_gid));
}

int outfile_open(struct outfile *f, const char *path, bool replace, const struct access *readers)
{
	int fd;

	*f = (struct outfile){.path = path, .replace = replace};
	if (outfile_check(path, replace))
		return -1;
	f->temporary = xasprintf("%s.XXXXXX", path);
	fd = mkstemp(f->temporary);
	if (fd >= 0) {
		make_readable(fd, readers);
		f->out = fdopen(fd, "w");
		if (f->out)
			return 0;
		close(fd);
		unlink(f->temporary);
	}
	path_error("The output cannot be made.", path, errno);
	free(f->temporary);
	*f = (struct outfile){0};
	return -1;
}

/* Somebody may have made the file meanwhile. Not every file system can refuse by itself. */
static int put_in_place(const struct outfile *f)
{
	if (!f->replace) {
		if (!renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->path, RENAME_NOREPLACE))
			return 0;
		if (errno == EEXIST)
			return refuse(f->path);
		if (errno != EINVAL && errno != ENOSYS)
			return path_error("The output cannot be put in place.", f->path, errno);
		if (outfile_check(f->path, false))
			return -1;
	}
	if (rename(f->temporary, f->path))
		return path_error("The output cannot be put in place.", f->path, errno);
	return 0;
}

int outfile_finish(struct outfile *f)
{
	bool failed = fflush(f->out) || ferror(f->out);
	int ret = 0;

	if (failed)
		ret = path_error("The output cannot be written.", f->path, errno);
	if (fclose(f->out) && !failed)
		ret = path_error("The output cannot be written.", f->path, errno);
	f->out = NULL;
	if (!ret)
		ret = put_in_place(f);
	if (ret)
		unlink(f->temporary);
	free(f->temporary);
	*f = (struct outfile){0};
	return ret;
}

void outfile_drop(struct outfile *f)
{
	if (!f->out)
		return;
	fclose(f->out);
	unlink(f->temporary);
	free(f->temporary);
	*f = (struct outfile){0};
}
