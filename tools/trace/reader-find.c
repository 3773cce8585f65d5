/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "metadata.h"
#include "reader-changed.h"
#include "reader-find.h"
#include "base/text.h"
#include "base/util.h"
#include "tell.h"

/* Deeper than any session directory; a bound for the stack. */
#define DEPTH_MAX    16
/* All events of a kernel are described in 2 MB. */
#define METADATA_MAX (64 << 20)
/* A packet's header and context, and some of its events; of metadata, what says whose they are. */
#define BEGINNING    8192

struct place {
	dev_t dev;
	ino_t ino;
};

struct finder {
	struct reader *reader;
	size_t cap;
	struct hash known; /* device and inode -> struct place */
	struct hash begun; /* how a file of a trace begins -> its path */
	uint64_t bytes;	   /* of the files */
};

static int path_error(const char *path, const char *what, const char *hint)
{
	char *shown = text_escape(path);

	error("%s path=%s%s%s", what, shown, *hint ? " " : "", hint);
	free(shown);
	return -1;
}

static int os_error(const char *path, const char *what)
{
	return path_error(path, what, strerror(errno));
}

/* Whether the directory is met for the first time. */
static bool is_new(struct finder *f, const struct stat *st)
{
	uint64_t key = hash_numbers(st->st_dev, st->st_ino);
	struct place *p;

	/* Two may have one key. */
	for (; (p = hash_get(&f->known, key)); key++)
		if (p->dev == st->st_dev && p->ino == st->st_ino)
			return false;
	p = xcalloc(1, sizeof(*p));
	*p = (struct place){st->st_dev, st->st_ino};
	hash_put(&f->known, key, p);
	return true;
}

static void forget_places(struct finder *f)
{
	struct place *p;
	size_t pos = 0;
	char *path;

	while ((p = hash_next(&f->known, &pos)))
		free(p);
	hash_free(&f->known);
	for (pos = 0; (path = hash_next(&f->begun, &pos));)
		free(path);
	hash_free(&f->begun);
}

static int not_dots(const struct dirent *d)
{
	return strcmp(d->d_name, ".") && strcmp(d->d_name, "..");
}

static void free_names(struct dirent **names, int nr)
{
	while (nr-- > 0)
		free(names[nr]);
	free(names);
}

/* Return: how many bytes of it there are in @buf, of BEGINNING; 0 also if it is no file. */
static size_t read_beginning(const char *file, char *buf)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	ssize_t got = 0;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		got = pread(fd, buf, BEGINNING, 0);
	close(fd);
	return got > 0 ? (size_t)got : 0;
}

/*
 * No two packets of a recording are equal: they tell their CPU and time. What begins with the same
 * one, and has the same metadata, is a copy, or a snapshot that overlaps: all would count twice.
 */
static int check_beginning(struct finder *f, const char *file, uint64_t metadata)
{
	char buf[BEGINNING], other_buf[BEGINNING], *shown, *other;
	size_t len = read_beginning(file, buf);
	uint64_t key;

	if (!len)
		return 0;
	key = hash_numbers(metadata, hash_text(buf, len));
	other = hash_get(&f->begun, key);
	if (!other) {
		hash_put(&f->begun, key, xstrdup(file));
		return 0;
	}
	if (read_beginning(other, other_buf) != len || memcmp(buf, other_buf, len))
		return 0;
	shown = text_escape(file);
	other = text_escape(other);
	error("Two files begin with the same packet, so what is in it would count twice: give only "
	      "one of"
	      " their traces. path=%s other=%s",
	      shown, other);
	free(shown);
	free(other);
	return -1;
}

static int check_copies(struct finder *f, const char *path, struct dirent **names, int nr)
{
	char *file = xasprintf("%s/metadata", path), buf[BEGINNING];
	size_t len = read_beginning(file, buf);
	uint64_t metadata = hash_text(buf, len);
	int i, ret = 0;

	free(file);
	for (i = 0; i < nr && !ret; i++) {
		if (names[i]->d_name[0] == '.' || !strcmp(names[i]->d_name, "metadata"))
			continue;
		file = xasprintf("%s/%s", path, names[i]->d_name);
		ret = check_beginning(f, file, metadata);
		free(file);
	}
	return ret;
}

static int add_trace(struct finder *f, const char *path, const struct stat *st,
		     struct dirent **names, int nr)
{
	struct reader *r = f->reader;

	if (!is_new(f, st))
		return 0;
	r->traces = grow(r->traces, r->nr_traces, &f->cap, sizeof(*r->traces));
	r->traces[r->nr_traces++] = (struct trace_info){.path = xstrdup(path)};
	return check_copies(f, path, names, nr);
}

static int check_metadata(const char *file, off_t size)
{
	const char *damage;
	long long offset;
	char *shown;

	if (!size)
		return path_error(file,
				  "The trace's metadata file is empty: recording did not"
				  " finish.",
				  "");
	if (size > METADATA_MAX)
		return path_error(file,
				  "The trace's metadata file is larger than any that a tracer"
				  " writes: it is not read.",
				  "");
	damage = metadata_damage(file, &offset);
	if (!damage)
		return 0;
	shown = text_escape(file);
	error("The trace's metadata file is damaged, or was copied before recording ended: %s."
	      " path=%s offset=%lld",
	      damage, shown, offset);
	free(shown);
	return -1;
}

/*
 * libbabeltrace2 opens by name whatever is there: a FIFO would wait for ever, a device do what it
 * does, and a link lead out of what was given, as into /proc. What it cannot open shows up late
 * and without a name. So each file is tried here.
 */
static int check_file(struct finder *f, const char *file, bool is_metadata)
{
	struct stat st;
	int fd;

	if (lstat(file, &st))
		return os_error(file, "A file of the trace cannot be read.");
	if (S_ISLNK(st.st_mode))
		return path_error(file,
				  "A file of the trace is a symbolic link, which is not followed;"
				  " if you trust it, read a copy made by cp -rL.",
				  "");
	if (S_ISDIR(st.st_mode) && !is_metadata)
		return 0;
	if (!S_ISREG(st.st_mode))
		return path_error(file, "A file of the trace is not a regular file.", "");
	fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return os_error(file, "A file of the trace cannot be read.");
	close(fd);
	f->bytes += (uint64_t)st.st_size;
	return is_metadata ? check_metadata(file, st.st_size) : 0;
}

/* What the library looks at: hidden files are not. */
static int check_files(struct finder *f, const char *path, struct dirent **names, int nr,
		       bool is_trace)
{
	int i, ret = 0;

	for (i = 0; i < nr && !ret; i++) {
		char *file = xasprintf("%s/%s", path, names[i]->d_name);
		bool is_metadata = is_trace && !strcmp(names[i]->d_name, "metadata");

		if (names[i]->d_name[0] != '.')
			ret = check_file(f, file, is_metadata);
		free(file);
	}
	return ret;
}

static int check_index(struct finder *f, const char *path)
{
	char *index = xasprintf("%s/index", path);
	struct dirent **names;
	int nr, ret = 0;

	changed_note(f->reader, index);
	nr = scandir(index, &names, not_dots, alphasort);
	if (nr >= 0) {
		ret = check_files(f, index, names, nr, false);
		free_names(names, nr);
	}
	free(index);
	return ret;
}

static int find_below(struct finder *f, const char *path, int depth);

static int find_in_subdirs(struct finder *f, const char *path, struct dirent **names, int nr,
			   int depth)
{
	int i, ret = 0;

	for (i = 0; i < nr && !ret; i++) {
		char *sub = xasprintf("%s/%s", path, names[i]->d_name);
		struct stat st;

		/* Not through symbolic links: they could lead in a circle. */
		if (!lstat(sub, &st) && S_ISDIR(st.st_mode))
			ret = find_below(f, sub, depth + 1);
		free(sub);
	}
	return ret;
}

static int cannot_read(const char *path)
{
	return os_error(path, "The directory cannot be read.");
}

static int find_trace(struct finder *f, const char *path)
{
	struct dirent **names;
	struct stat st;
	int nr, ret;

	/* What is there is asked again behind it. */
	changed_note(f->reader, path);
	nr = scandir(path, &names, not_dots, alphasort);
	if (nr < 0 || stat(path, &st))
		return cannot_read(path);
	ret = check_files(f, path, names, nr, true);
	if (!ret)
		ret = check_index(f, path);
	if (!ret)
		ret = add_trace(f, path, &st, names, nr);
	free_names(names, nr);
	return ret;
}

static int find_below(struct finder *f, const char *path, int depth)
{
	struct dirent **names;
	bool is_trace = false;
	int nr, i, ret;

	if (depth > DEPTH_MAX)
		return 0;
	nr = scandir(path, &names, not_dots, alphasort);
	if (nr < 0)
		return cannot_read(path);
	for (i = 0; i < nr; i++)
		is_trace |= !strcmp(names[i]->d_name, "metadata");
	ret = is_trace ? find_trace(f, path) : find_in_subdirs(f, path, names, nr, depth);
	free_names(names, nr);
	return ret;
}

static int find_one(struct finder *f, const char *arg)
{
	size_t before = f->reader->nr_traces, len = strlen(arg);
	struct stat st;
	char *path;
	int ret;

	if (stat(arg, &st))
		return os_error(arg, "There is no such trace.");
	if (!S_ISDIR(st.st_mode))
		return path_error(arg,
				  "A trace is a directory, not a file; give the directory"
				  " that holds the file named metadata.",
				  "");
	while (len > 1 && arg[len - 1] == '/')
		len--;
	path = xasprintf("%.*s", (int)len, arg);
	ret = find_below(f, path, 0);
	if (!ret && f->reader->nr_traces == before) {
		/* Given twice is not wrong; holding none is. */
		struct reader probe = {0};
		struct finder g = {.reader = &probe};

		ret = find_below(&g, path, 0);
		if (!ret && !probe.nr_traces)
			ret = path_error(path,
					 "There is no trace below the directory: no file"
					 " named metadata.",
					 "");
		reader_free(&probe);
		forget_places(&g);
	}
	free(path);
	return ret;
}

int reader_find(struct reader *r, char *const *paths, size_t nr_paths)
{
	struct finder f = {.reader = r};
	size_t i;
	int ret = 0;

	for (i = 0; i < nr_paths && !ret; i++)
		ret = find_one(&f, paths[i]);
	forget_places(&f);
	if (!ret) {
		memory_limit(f.bytes);
		tell_expect(f.bytes);
	}
	return ret;
}

void reader_free(struct reader *r)
{
	size_t i;

	for (i = 0; i < r->nr_traces; i++)
		trace_info_free(&r->traces[i]);
	free(r->traces);
	changed_free(r);
	*r = (struct reader){0};
}
