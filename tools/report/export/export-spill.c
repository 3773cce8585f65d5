/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "export-spill.h"

static const size_t sizes[EXPORT_NR] = {
	[EXPORT_TASK] = sizeof(struct spilled_task),
	[EXPORT_RUN] = sizeof(struct spilled_run),
	[EXPORT_WAIT] = sizeof(struct spilled_wait),
	[EXPORT_BLAME] = sizeof(struct spilled_blame),
	[EXPORT_BLOCK] = sizeof(struct spilled_block),
	[EXPORT_WAKEUP] = sizeof(struct spilled_wakeup),
	[EXPORT_SYSCALL] = sizeof(struct spilled_call),
	[EXPORT_SAMPLE] = sizeof(struct spilled_sample),
};

#define HEAD offsetof(struct spilled, task)

static int trouble(int why)
{
	return error("What is read cannot be kept until the end of the trace; is the disk full?"
		     " reason=\"%s\"",
		     strerror(why));
}

/* Not every file system makes files without a name. */
static int open_unnamed(int dir)
{
	static const char name[] = "rows";
	int fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		unlinkat(dir, name, 0);
	return fd;
}

int spill_open(struct spill *s, int dir)
{
	int fd = open_unnamed(dir);

	*s = (struct spill){.file = fd < 0 ? NULL : fdopen(fd, "w+")};
	if (s->file)
		return 0;
	if (fd >= 0)
		close(fd);
	return trouble(errno);
}

/* Of what cannot be written the first says why. */
static void put(struct spill *s, const void *what, size_t size)
{
	if (!s->why && fwrite(what, size, 1, s->file) != 1)
		s->why = errno ? errno : EIO;
}

void spill_add(struct spill *s, const struct spilled *item)
{
	put(s, item, HEAD + sizes[item->table]);
	s->nr++;
}

void spill_add_text(struct spill *s, const struct spilled *item, const char *text)
{
	const size_t size = strlen(text) + 1;

	spill_add(s, item);
	put(s, &size, sizeof(size));
	put(s, text, size);
}

static bool next_text(struct spill *s)
{
	size_t size;

	if (fread(&size, sizeof(size), 1, s->file) != 1)
		return false;
	if (size > s->text_cap) {
		s->text = xrealloc(s->text, size, 1);
		s->text_cap = size;
	}
	return fread(s->text, size, 1, s->file) == 1;
}

int spill_rewind(struct spill *s)
{
	if (!s->why && (fflush(s->file) || fseek(s->file, 0, SEEK_SET)))
		s->why = errno;
	return s->why ? trouble(s->why) : 0;
}

bool spill_next(struct spill *s, struct spilled *item)
{
	return fread(item, HEAD, 1, s->file) == 1 && item->table < EXPORT_NR &&
	       fread((char *)item + HEAD, sizes[item->table], 1, s->file) == 1 &&
	       (item->table != EXPORT_SAMPLE || next_text(s));
}

void spill_close(struct spill *s)
{
	if (s->file)
		fclose(s->file);
	free(s->text);
	*s = (struct spill){0};
}
