/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "stream.h"

/*
 * A stream's packets (CTF 1.8, sections 5 and 6): their headers and contexts, and the headers of
 * their events. Files are read into a window of memory: another who changes or cuts a file that
 * is mapped could end the program, or change what was checked before it is used.
 */

#define CHUNK	   65536
#define CHUNK_HEAD 1024
/*
 * Steps that need no bits, as a variant may have options of none; each bit of a packet allows one
 * more. What LTTng writes takes fewer steps than bits.
 */
#define STEPS_FREE 1000000
/* An event that is longer is none of LTTng's: its buffers are smaller. */
#define WINDOW_MAX (16 << 20)

static int refuse(struct ctf_stream *s, const char *why)
{
	if (!s->why)
		s->why = xasprintf("%s offset=%llu", why, (unsigned long long)s->packet_at);
	return -1;
}

/* What is known of the packet is what of it is in the window. */
static void set_known(struct ctf_stream *s)
{
	struct ctf_cursor *c = &s->cursor;
	uint64_t known = s->window_end > s->packet_at ? (s->window_end - s->packet_at) * 8 : 0;

	c->bytes = s->window;
	c->first = (int64_t)(s->window_at - s->packet_at);
	c->known = known < c->end ? known : c->end;
}

/* Has the window begin at that byte of the packet, and reads more of it. */
static int fill(struct ctf_stream *s, uint64_t from)
{
	uint64_t at = s->packet_at + from;
	size_t kept = 0;
	ssize_t got;

	if (at >= s->window_at && at < s->window_end) {
		kept = (size_t)(s->window_end - at);
		memmove(s->window, s->window + (at - s->window_at), kept);
	}
	if (kept + s->chunk > s->window_size) {
		if (kept + s->chunk > WINDOW_MAX)
			return refuse(s, "an event is too long");
		/* Twice as much each time: what is long is read again few times. */
		s->window_size = kept * 2 + s->chunk;
		s->window = xrealloc(s->window, s->window_size, 1);
	}
	got = pread(s->fd, s->window + kept, s->window_size - kept, (off_t)(at + kept));
	if (got <= 0)
		return refuse(s, "the file ended earlier than it did at first");
	s->window_at = at;
	s->window_end = at + kept + (uint64_t)got;
	set_known(s);
	return 0;
}

/* Walks over a structure, again from its begin when more of it must be in memory. */
static int walk(struct ctf_stream *s, const struct ctf_plan *plan, void *to)
{
	struct ctf_cursor *c = &s->cursor;
	uint64_t at = c->at, clock = c->clock, budget = c->budget;

	for (;;) {
		enum ctf_got got;

		c->used = 0;
		got = ctf_walk(c, plan, to);
		if (got == CTF_GOT)
			return 0;
		if (got == CTF_BAD || (got == CTF_MORE && fill(s, at / 8)))
			return refuse(s,
				      "a packet's contents do not fit into it, or make no sense");
		if (got == CTF_ROOM) {
			c->size = c->needed * 2;
			c->room = xrealloc(c->room, c->size, 1);
		}
		c->at = at;
		c->clock = clock;
		c->budget = budget;
	}
}

static int take_class(struct ctf_stream *s)
{
	uint64_t id = s->cursor.slots[CTF_STREAM_ID];
	struct ctf_stream_class *sc;

	sc = s->class && s->class->id == id ? s->class
	     : id != UINT64_MAX		    ? ctf_stream_class_of(s->trace, id)
	     : s->trace->nr_streams == 1    ? s->trace->streams
					    : NULL;
	if (!sc || (s->class && sc != s->class))
		return refuse(s, "a packet is of no stream, or of another one");
	s->class = sc;
	return 0;
}

static int take_sizes(struct ctf_stream *s)
{
	uint64_t left = s->files[s->file].size - s->packet_at;
	uint64_t content = s->cursor.slots[CTF_CONTENT_SIZE];
	uint64_t packet = s->cursor.slots[CTF_PACKET_SIZE];
	bool is_all = packet == UINT64_MAX && content == UINT64_MAX;

	if (packet == UINT64_MAX)
		packet = is_all ? left * 8 : content;
	if (content == UINT64_MAX)
		content = packet;
	s->is_endless = s->class->has_size && (!packet || is_all);
	if (!packet || packet % 8 || packet / 8 > left || content > packet ||
	    s->cursor.at > content)
		return refuse(s, "a packet is not within its file, or its sizes are wrong");
	s->packet_size = packet / 8;
	s->cursor.end = content;
	s->cursor.budget += content;
	set_known(s);
	return 0;
}

/* Reads the header and the context of the packet at that offset. */
static int read_head(struct ctf_stream *s, uint64_t at)
{
	struct ctf_cursor *c = &s->cursor;
	unsigned int i;

	s->packet_at = at;
	c->at = 0;
	c->end = (s->files[s->file].size - at) * 8;
	for (i = 0; i < CTF_MEANINGS; i++)
		c->slots[i] = UINT64_MAX;
	set_known(s);
	s->packet_size = 0;
	if (walk(s, s->trace->header_plan, NULL))
		return -1;
	/* Its sizes are of interest all the same. */
	if (c->slots[CTF_MAGIC] != UINT64_MAX && c->slots[CTF_MAGIC] != 0xc1fc1fc1)
		refuse(s, "a packet has no magic number");
	if (take_class(s) || walk(s, s->class->context_plan, NULL) || take_sizes(s) || s->why)
		return -1;
	s->now = (struct ctf_snapshot){
		.begin = c->slots[CTF_BEGIN],
		.end = c->slots[CTF_END],
		.discarded = c->slots[CTF_DISCARDED],
		.number = c->slots[CTF_NUMBER],
	};
	return 0;
}

static int open_file(struct ctf_stream *s)
{
	struct ctf_file *f = &s->files[s->file];
	struct stat st;

	if (s->fd >= 0)
		close(s->fd);
	s->window_at = s->window_end = 0;
	s->fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (s->fd < 0 || fstat(s->fd, &st) || !S_ISREG(st.st_mode))
		return refuse(s, "a file cannot be opened, or is none");
	if (!f->size)
		f->size = (uint64_t)st.st_size;
	else if (f->size > (uint64_t)st.st_size)
		return refuse(s, "a file is shorter than it was at first");
	return 0;
}

static inline int convert(struct ctf_stream *s, uint64_t cycles, int64_t *ns)
{
	if (!ctf_clock_ns(s->class->clock, cycles, ns))
		return refuse(s, "a time is out of range");
	return 0;
}

/* Sets the time, if it is told: else a message is of the time of the one before. */
static int set_time(struct ctf_stream *s, bool is_told, uint64_t cycles, int64_t last)
{
	s->ns = last;
	return is_told ? convert(s, cycles, &s->ns) : 0;
}

/* Older tracers let events be later than their packet's end; a crash leaves the end zero. */
static int packet_end(struct ctf_stream *s, int64_t last)
{
	bool is_wrong = (s->trace->ends_at_zero && s->now.begin && !s->now.end) ||
			(s->trace->ends_late && s->now.end < s->cursor.clock);

	if (s->now.end != UINT64_MAX && !is_wrong)
		s->cursor.clock = s->now.end;
	s->message = CTF_PACKET_END;
	return set_time(s, s->class->has_end, s->cursor.clock, last);
}

/* The common headers: reads one without a walk. Returns false if it is another. */
static inline bool short_header(struct ctf_stream *s, uint64_t *id)
{
	struct ctf_cursor *c = &s->cursor;
	uint64_t align = s->class->event_header->align;
	uint64_t at = (c->at + align - 1) & ~(align - 1);
	const uint8_t *b;

	if (at > c->known || c->known - at < 48)
		return false;
	b = ctf_bytes_at(c, at);
	if (s->class->header == CTF_COMPACT_HEADER) {
		uint32_t v = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
			     (uint32_t)b[3] << 24;

		*id = v & 31;
		if (*id == 31)
			return false;
		ctf_clock_move(c, v >> 5, 27);
		c->at = at + 32;
	} else {
		uint32_t v = (uint32_t)b[2] | (uint32_t)b[3] << 8 | (uint32_t)b[4] << 16 |
			     (uint32_t)b[5] << 24;

		*id = (uint32_t)b[0] | (uint32_t)b[1] << 8;
		if (*id == 65535)
			return false;
		ctf_clock_move(c, v, 32);
		c->at = at + 48;
	}
	return true;
}

static int next_event(struct ctf_stream *s, int64_t last)
{
	struct ctf_cursor *c = &s->cursor;
	uint64_t id;

	if (c->at == c->end)
		return packet_end(s, last);
	if (c->at > c->end)
		return refuse(s, "an event goes on behind its packet's end");
	/* There would be no end of them. */
	if (s->message == CTF_EVENT && c->at == s->event_at)
		return refuse(s, "an event has no bits");
	s->event_at = c->at;
	if (s->class->header == CTF_ANY_HEADER || !short_header(s, &id)) {
		c->slots[CTF_EVENT_ID] = UINT64_MAX;
		if (walk(s, s->class->header_plan, NULL))
			return -1;
		id = c->slots[CTF_EVENT_ID];
	}
	s->event = id == UINT64_MAX && s->class->nr_events == 1 ? s->class->events
								: ctf_event_class_of(s->class, id);
	if (!s->event)
		return refuse(s, id >> 32 ? "an event's id has more than 32 bits"
					  : "an event is of no class");
	s->message = CTF_EVENT;
	return convert(s, c->clock, &s->ns);
}

static int lost_events(struct ctf_stream *s, int64_t last)
{
	bool first = s->before.discarded == UINT64_MAX;

	s->message = CTF_LOST_EVENTS;
	return set_time(s, s->class->has_begin && s->class->has_end,
			first ? s->now.begin : s->before.end, last);
}

static int lost_packets(struct ctf_stream *s, int64_t last)
{
	s->message = CTF_LOST_PACKETS;
	return set_time(s, s->class->has_begin && s->class->has_end, s->before.end, last);
}

static bool has_lost_events(const struct ctf_stream *s)
{
	if (!s->class->has_discarded)
		return false;
	return s->before.discarded == UINT64_MAX
		       ? s->now.discarded && s->now.discarded != UINT64_MAX
		       : s->now.discarded != s->before.discarded;
}

static bool has_lost_packets(const struct ctf_stream *s)
{
	return s->class->has_number && s->before.number != UINT64_MAX &&
	       s->now.number - s->before.number > 1;
}

/* Returns 1 if there is none. */
static int next_packet(struct ctf_stream *s)
{
	uint64_t at = s->packet_at + s->packet_size;

	if (at >= s->files[s->file].size) {
		if (s->file + 1 == s->nr_files)
			return 1;
		s->file++;
		at = 0;
		if (open_file(s))
			return -1;
	}
	s->before = s->now;
	return read_head(s, at);
}

int ctf_next(struct ctf_stream *s, int64_t last)
{
	int ret;

	switch (s->message) {
	case CTF_PACKET_BEGIN:
	case CTF_EVENT:
		return next_event(s, last);
	case CTF_PACKET_END:
		ret = next_packet(s);
		if (ret > 0) {
			s->message = CTF_STREAM_END;
			s->ns = last;
			return 0;
		}
		if (ret)
			return -1;
		/* fallthrough */
	case CTF_STREAM_BEGIN:
		if (has_lost_events(s))
			return lost_events(s, last);
		/* fallthrough */
	case CTF_LOST_EVENTS:
		if (has_lost_packets(s))
			return lost_packets(s, last);
		/* fallthrough */
	case CTF_LOST_PACKETS:
		s->message = CTF_PACKET_BEGIN;
		return set_time(s, s->class->has_begin, s->now.begin, last);
	default:
		s->message = CTF_NO_MORE;
		return 0;
	}
}

int ctf_read_event(struct ctf_stream *s, void *to)
{
	return ctf_take(&s->cursor, s->event->plan, to) ? 0 : walk(s, s->event->plan, to);
}

static void begin_stream(struct ctf_stream *s, struct ctf_trace *t)
{
	const struct ctf_snapshot none = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

	*s = (struct ctf_stream){.trace = t, .fd = -1, .now = none, .before = none};
	s->cursor.slots = xcalloc(t->nr_slots, sizeof(uint64_t));
}

static void end_stream(struct ctf_stream *s)
{
	size_t i;

	if (s->fd >= 0)
		close(s->fd);
	for (i = 0; i < s->nr_files; i++)
		free(s->files[i].path);
	free(s->files);
	free(s->window);
	free(s->cursor.slots);
	free(s->cursor.room);
	free(s->why);
}

/* Looks at each packet of a file: whether it is whole, and what is in it. */
static int look_through(struct ctf_stream *s, struct ctf_streams *all)
{
	struct ctf_file *f = s->files;
	uint64_t at;

	s->chunk = CHUNK_HEAD;
	s->cursor.budget = STEPS_FREE;
	if (open_file(s))
		return -1;
	for (at = 0; at < f->size; at += s->packet_size) {
		int64_t begin = INT64_MIN, end = 0;

		if (read_head(s, at))
			return -1;
		if (!s->class->clock)
			return refuse(s, "a stream has no clock");
		if (s->class->has_begin && convert(s, s->now.begin, &begin))
			return -1;
		if (s->class->has_end && convert(s, s->now.end, &end))
			return -1;
		if (!at) {
			f->begin = f->last = begin;
			f->class = s->class;
			f->instance =
				s->class->has_begin ? s->cursor.slots[CTF_INSTANCE_ID] : UINT64_MAX;
		}
		f->goes_back |= begin < f->last;
		f->last = begin;
		if (s->class->has_begin && (!all->begin || (uint64_t)begin < all->begin))
			all->begin = (uint64_t)begin;
		if (s->class->has_end && (uint64_t)end > all->end)
			all->end = (uint64_t)end;
	}
	return 0;
}

/* Which of all is of that trace, class and instance; or the key that it can have. */
static struct ctf_stream *same_stream(struct ctf_streams *all, const struct ctf_stream *s,
				      uint64_t *key)
{
	uint64_t instance = s->files->instance;
	uintptr_t at;

	*key = hash_numbers(hash_numbers((uintptr_t)s->trace, (uintptr_t)s->class), instance);
	/* Two may have one key. */
	for (; (at = (uintptr_t)hash_get(&all->known, *key)); ++*key) {
		struct ctf_stream *there = &all->streams[at - 1];

		if (there->trace == s->trace && there->class == s->class &&
		    there->files->instance == instance)
			return there;
	}
	return NULL;
}

static int by_begin(const void *a, const void *b)
{
	const struct ctf_file *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* In order of time. Packets of files that overlap would have to be mixed. */
static int sort_files(struct ctf_stream *s)
{
	size_t i;

	if (s->nr_files < 2)
		return 0;
	qsort(s->files, s->nr_files, sizeof(*s->files), by_begin);
	for (i = 0; i < s->nr_files; i++)
		if (s->files[i].goes_back || (i && s->files[i].begin <= s->files[i - 1].last))
			return ctf_refuse(s->trace, "files of a stream overlap");
	return 0;
}

static void add_file(struct ctf_stream *to, const struct ctf_file *f)
{
	to->files = grow(to->files, to->nr_files, &to->cap_files, sizeof(*f));
	to->files[to->nr_files++] = *f;
}

static int add_stream(struct ctf_streams *all, struct ctf_trace *t, char *path, size_t number)
{
	struct ctf_stream s, *same = NULL;
	uint64_t key = 0;

	begin_stream(&s, t);
	s.number = number;
	s.files = xcalloc(1, sizeof(*s.files));
	s.files->path = path;
	s.nr_files = s.cap_files = 1;
	if (look_through(&s, all)) {
		ctf_refuse(t, "%s", s.why);
		end_stream(&s);
		return -1;
	}
	close(s.fd);
	s.fd = -1;
	if (s.files->instance != UINT64_MAX)
		same = same_stream(all, &s, &key);
	if (same) {
		add_file(same, s.files);
		s.nr_files = 0;
		end_stream(&s);
		return 0;
	}
	all->streams = grow(all->streams, all->nr, &all->cap, sizeof(s));
	all->streams[all->nr++] = s;
	if (s.files->instance != UINT64_MAX)
		hash_put(&all->known, key, (void *)(uintptr_t)all->nr);
	return 0;
}

/* Makes a stream ready to tell its begin. */
static int start_stream(struct ctf_stream *s)
{
	const struct ctf_snapshot none = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

	s->chunk = CHUNK;
	s->message = CTF_STREAM_BEGIN;
	s->ns = INT64_MIN;
	s->now = s->before = none;
	s->cursor.clock = 0;
	s->cursor.budget = STEPS_FREE;
	return open_file(s) || read_head(s, 0) ? -1 : 0;
}

/*
 * The path of a stream's file, or NULL; the caller frees it. As babeltrace2 does it: what is empty,
 * or no file, is none of the trace's.
 */
static char *stream_path(const char *directory, const char *name)
{
	char *path = xasprintf("%s/%s", directory, name);
	struct stat st;

	if (name[0] != '.' && strcmp(name, "metadata") && !stat(path, &st) && S_ISREG(st.st_mode) &&
	    st.st_size)
		return path;
	free(path);
	return NULL;
}

/* @path is freed. */
static bool has_endless(struct ctf_trace *t, char *path)
{
	struct ctf_stream s;
	bool found;
	uint64_t at;

	begin_stream(&s, t);
	s.files = xcalloc(1, sizeof(*s.files));
	s.files->path = path;
	s.nr_files = 1;
	s.chunk = CHUNK_HEAD;
	if (!open_file(&s))
		for (at = 0; at < s.files->size; at += s.packet_size) {
			s.class = NULL;
			s.cursor.budget = STEPS_FREE;
			read_head(&s, at);
			free(s.why);
			s.why = NULL;
			if (s.is_endless || !s.packet_size)
				break;
		}
	found = s.is_endless;
	end_stream(&s);
	return found;
}

char *ctf_endless_file(struct ctf_trace *t, const char *directory)
{
	struct dirent **names;
	int nr = scandir(directory, &names, NULL, alphasort), i;
	char *found = NULL;

	for (i = 0; i < nr; i++) {
		char *path = found ? NULL : stream_path(directory, names[i]->d_name);

		if (path && has_endless(t, path))
			found = xstrdup(names[i]->d_name);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	return found;
}

int ctf_find_streams(struct ctf_streams *all, struct ctf_trace *t, const char *directory,
		     size_t number)
{
	size_t first = all->nr;
	struct dirent **names;
	int nr = scandir(directory, &names, NULL, alphasort), i, ret = 0;

	for (i = 0; i < nr; i++) {
		char *path = ret ? NULL : stream_path(directory, names[i]->d_name);

		if (path)
			ret = add_stream(all, t, path, number);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	for (; !ret && first < all->nr; first++) {
		ret = sort_files(&all->streams[first]);
		if (ret)
			break;
		ret = start_stream(&all->streams[first]);
		if (ret)
			ctf_refuse(t, "%s", all->streams[first].why);
	}
	return ret;
}

void ctf_free_streams(struct ctf_streams *all)
{
	size_t i;

	for (i = 0; i < all->nr; i++)
		end_stream(&all->streams[i]);
	free(all->streams);
	hash_free(&all->known);
	*all = (struct ctf_streams){0};
}
