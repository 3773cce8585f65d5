/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "copy-trace.h"
#include "enrich-first.h"
#include "enrich-unused.h"
#include "trace/decode.h"
#include "trace/reader-find.h"
#include "trace/reader-first.h"
#include "base/text.h"
#include "base/util.h"

struct first_of {
	char origin[UUID_TEXT_MAX]; /* the trace's uuid; "": it has none */
	uint64_t stream_class, stream, begin;
	uint64_t number;
	struct first_of *next; /* with the same key */
};

/* A packet's header and context, as sink.ctf.fs writes them in the byte order of this machine. */
struct packet {
	uint32_t magic;
	unsigned char uuid[16];
	uint64_t stream_class, stream;
	uint64_t size, content, begin, end, lost_events, number;
} __attribute__((packed));

static uint64_t key_of(const struct first_of *s)
{
	return hash_numbers(hash_text(s->origin, strlen(s->origin)),
			    hash_numbers(hash_numbers(s->stream_class, s->stream), s->begin));
}

static void note_stream(struct firsts *f, const bt_stream *s, bt_uuid uuid)
{
	const bt_stream_class *sc = bt_stream_borrow_class_const(s);
	const char *file = bt_stream_get_name(s);
	struct first_packet first;
	struct first_of *new;

	if (!stream_class_is_numbered(sc) || !file || !reader_first_packet(file, &first) ||
	    !first.number)
		return;
	new = xcalloc(1, sizeof(*new));
	if (uuid)
		uuid_text(new->origin, uuid);
	new->stream_class = bt_stream_class_get_id(sc);
	new->stream = bt_stream_get_id(s);
	new->begin = first.begin;
	new->number = first.number;
	new->next = hash_get(&f->streams, key_of(new));
	hash_put(&f->streams, key_of(new), new);
}

void firsts_note(struct firsts *f, const bt_trace *trace)
{
	uint64_t i, nr = bt_trace_get_stream_count(trace);

	for (i = 0; i < nr; i++)
		note_stream(f, bt_trace_borrow_stream_by_index_const(trace, i),
			    bt_trace_get_uuid(trace));
}

static uint64_t number_of(const struct firsts *f, const char *origin, const struct packet *p)
{
	struct first_of like = {
		.stream_class = p->stream_class, .stream = p->stream, .begin = p->begin};
	const struct first_of *s;

	snprintf(like.origin, sizeof(like.origin), "%s", origin);
	s = hash_get(&f->streams, key_of(&like));
	while (s && (strcmp(s->origin, like.origin) != 0 || s->stream_class != like.stream_class ||
		     s->stream != like.stream || s->begin != like.begin))
		s = s->next;
	return s ? s->number : 0;
}

static bool get_packet(int fd, off_t at, struct packet *p)
{
	return pread(fd, p, sizeof(*p), at) == (ssize_t)sizeof(*p) && p->magic == 0xc1fc1fc1u &&
	       p->size / 8 >= sizeof(*p);
}

static int restore_numbers(const struct firsts *f, const char *origin, int fd)
{
	struct packet p;
	uint64_t first;
	off_t at = 0;

	first = get_packet(fd, 0, &p) ? number_of(f, origin, &p) : 0;
	for (; first && get_packet(fd, at, &p); at += (off_t)(p.size / 8)) {
		p.number += first;
		if (pwrite(fd, &p, sizeof(p), at) != (ssize_t)sizeof(p))
			return -1;
	}
	return 0;
}

static int restore_stream(const struct firsts *f, const char *origin, const char *dir,
			  const char *name)
{
	char *file = xasprintf("%s/%s", dir, name), *shown;
	int fd = open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW), ret = -1;

	if (fd >= 0)
		ret = restore_numbers(f, origin, fd);
	if (fd >= 0 && close(fd))
		ret = -1;
	if (ret) {
		shown = text_escape(file);
		error("The copy's packets cannot be numbered. path=%s reason=%s", shown,
		      strerror(errno));
		free(shown);
	}
	free(file);
	return ret;
}

/* Of the trace of which this is a copy; the caller frees it. */
static char *read_origin(const char *path)
{
	char *file = xasprintf("%s/metadata", path);
	FILE *in = fopen(file, "re");
	char *metadata = in ? unused_read(in) : NULL;
	const char *at = metadata ? copy_origin(metadata) : NULL;
	char *origin = xasprintf("%.*s", UUID_TEXT_MAX - 1, at ? at : "");

	if (in)
		fclose(in);
	free(metadata);
	free(file);
	return origin;
}

static int restore_trace(const struct firsts *f, const char *path)
{
	char *origin = read_origin(path);
	DIR *dir = opendir(path);
	struct dirent *d;
	struct stat st;
	int ret = 0;

	while (dir && !ret && (d = readdir(dir)))
		if (strcmp(d->d_name, "metadata") != 0 &&
		    !fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    S_ISREG(st.st_mode))
			ret = restore_stream(f, origin, path, d->d_name);
	if (dir)
		closedir(dir);
	free(origin);
	return ret;
}

int firsts_restore(const struct firsts *f, const char *dir)
{
	char *const dirs[] = {(char *)dir};
	struct reader copies = {0};
	size_t i;
	int ret;

	if (!f->streams.nr)
		return 0;
	ret = reader_find(&copies, dirs, 1);
	for (i = 0; i < copies.nr_traces && !ret; i++)
		ret = restore_trace(f, copies.traces[i].path);
	reader_free(&copies);
	return ret;
}

void firsts_free(struct firsts *f)
{
	struct first_of *s, *next;
	size_t pos = 0;

	while ((s = hash_next(&f->streams, &pos)))
		for (; s; s = next) {
			next = s->next;
			free(s);
		}
	hash_free(&f->streams);
}
