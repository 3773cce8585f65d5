/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <byteswap.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf.h"
#include "base/util.h"

/*
 * The metadata file: plain text, or packets of text (CTF 1.8, section 7.1; CTF2-PMETA-1.0), and
 * what all readers of metadata share.
 */

#define MAGIC	    0x75d11d57u
#define HEADER_SIZE 37
/* Those of all events that a kernel has are 3 MB. */
#define FILE_MAX    (64 << 20)
/* Seconds of it; those of all events of a kernel make a hundredth. */
#define WORK_MAX    UINT64_C(500000000)

/* Where a packet's header has what, bytes. */
enum { CONTENT_AT = 24, PACKET_AT = 28, COMPRESSION_AT = 32, ENCRYPTION_AT = 33 };

struct ctf_pool {
	struct ctf_pool *next;
	size_t used, size;
	_Alignas(16) char memory[];
};

#define POOL_SIZE 65536

void *ctf_alloc(struct ctf_trace *t, size_t size)
{
	struct ctf_pool *p = t->pool;
	void *memory;

	t->work += size;
	size = (size + 15) & ~(size_t)15;
	if (!p || size > p->size - p->used) {
		size_t room = size > POOL_SIZE ? size : POOL_SIZE;

		p = xcalloc(1, sizeof(*p) + room);
		p->size = room;
		p->next = t->pool;
		t->pool = p;
	}
	memory = p->memory + p->used;
	p->used += size;
	return memory;
}

const char *ctf_text(struct ctf_trace *t, const char *s, size_t len)
{
	char *copy = ctf_alloc(t, len + 1);

	memcpy(copy, s, len);
	return copy;
}

int ctf_refuse(struct ctf_trace *t, const char *fmt, ...)
{
	va_list args;

	if (t->reason)
		return -1;
	va_start(args, fmt);
	if (vasprintf(&t->reason, fmt, args) < 0)
		t->reason = xstrdup("no memory");
	va_end(args);
	return -1;
}

int ctf_work(struct ctf_trace *t, uint64_t steps)
{
	t->work += steps;
	return t->work > WORK_MAX ? ctf_refuse(t, "the metadata are too intricate") : 0;
}

void ctf_free(struct ctf_trace *t)
{
	while (t->pool) {
		struct ctf_pool *next = t->pool->next;

		free(t->pool);
		t->pool = next;
	}
	free(t->reason);
	*t = (struct ctf_trace){0};
}

struct ctf_stream_class *ctf_stream_class_of(const struct ctf_trace *t, uint64_t id)
{
	struct ctf_stream_class *sc;

	for (sc = t->streams; sc && sc->id != id; sc = sc->next)
		;
	return sc;
}

struct ctf_event_class *ctf_event_class_of(const struct ctf_stream_class *sc, uint64_t id)
{
	struct ctf_event_class *ec;

	if (id < sc->nr_by_id)
		return sc->by_id[id];
	for (ec = sc->events; ec && ec->id != id; ec = ec->next)
		;
	return ec;
}

struct ctf_class *ctf_member_of(const struct ctf_class *st, const char *name)
{
	const struct ctf_member *m;

	for (m = st ? st->members : NULL; m; m = m->next)
		if (!strcmp(ctf_name(m->name), name))
			return m->class;
	return NULL;
}

const struct ctf_environment *ctf_environment_of(const struct ctf_trace *t, const char *name)
{
	const struct ctf_environment *e;

	for (e = t->environment; e && strcmp(e->name, name); e = e->next)
		;
	return e;
}

bool ctf_is_text(const struct ctf_class *c)
{
	return c->type == CTF_STRING || ((c->type == CTF_ARRAY || c->type == CTF_SEQUENCE) &&
					 c->element->type == CTF_INTEGER && c->element->is_char &&
					 c->element->size == 8 && c->element->align == 8);
}

static uint64_t cycles_ns(const struct ctf_clock *c, uint64_t cycles)
{
	if (c->frequency == 1000000000)
		return cycles;
	/* As babeltrace2 does it: the two readers are to agree. */
	return (uint64_t)((1e9 * (double)cycles) / (double)c->frequency);
}

int ctf_clock_finish(struct ctf_trace *t, struct ctf_clock *c)
{
	uint64_t cycles = (uint64_t)c->offset;

	if (!c->frequency || c->frequency == UINT64_MAX)
		return ctf_refuse(t, "a clock has no frequency");
	if (c->offset < 0)
		return ctf_refuse(t, "a clock's offset is below zero");
	if (__builtin_add_overflow(c->offset_s, (int64_t)(cycles / c->frequency), &c->offset_s) ||
	    __builtin_mul_overflow(c->offset_s, INT64_C(1000000000), &c->base) ||
	    __builtin_add_overflow(c->base, (int64_t)cycles_ns(c, cycles % c->frequency), &c->base))
		return ctf_refuse(t, "a clock's offset is out of range");
	return 0;
}

bool ctf_clock_ns(const struct ctf_clock *c, uint64_t cycles, int64_t *ns)
{
	/* Else the conversion itself is out of range. */
	if (c->frequency != 1000000000 &&
	    (double)cycles / (double)c->frequency >= (double)INT64_MAX / 1e9)
		return false;
	cycles = cycles_ns(c, cycles);
	return cycles <= INT64_MAX && !__builtin_add_overflow(c->base, (int64_t)cycles, ns);
}

static uint32_t number_at(const char *header, size_t at, bool swapped)
{
	uint32_t n;

	memcpy(&n, header + at, sizeof(n));
	return swapped ? bswap_32(n) : n;
}

/* Moves the text of all packets together. */
static int unpack(struct ctf_trace *t, char *file, size_t *total)
{
	size_t at = 0, used = 0, size = *total;

	while (at < size) {
		const char *header = file + at;
		uint32_t magic, content, packet;
		bool swapped;

		if (size - at < HEADER_SIZE)
			return ctf_refuse(t, "the last packet of the metadata is cut off");
		memcpy(&magic, header, sizeof(magic));
		swapped = magic == bswap_32(MAGIC);
		if (magic != MAGIC && !swapped)
			return ctf_refuse(t, "a packet of the metadata has no magic number");
		content = number_at(header, CONTENT_AT, swapped) / 8;
		packet = number_at(header, PACKET_AT, swapped) / 8;
		if (content < HEADER_SIZE || packet < content || packet > size - at)
			return ctf_refuse(t, "the sizes of a packet of the metadata are wrong");
		if (header[COMPRESSION_AT] || header[ENCRYPTION_AT])
			return ctf_refuse(t, "the metadata are compressed or encrypted");
		memmove(file + used, header + HEADER_SIZE, content - HEADER_SIZE);
		used += content - HEADER_SIZE;
		at += packet;
	}
	file[used] = '\0';
	*total = used;
	return 0;
}

/* Of a file, or of what was in its packets. */
static int parse(struct ctf_trace *t, const char *text, size_t size)
{
	return *text == CTF2_SEPARATOR ? ctf_parse_json(t, text, size) : ctf_parse_tsdl(t, text);
}

static char *read_whole(struct ctf_trace *t, int fd, size_t *size)
{
	struct stat st;
	ssize_t got;
	char *file;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > FILE_MAX) {
		ctf_refuse(t, "the metadata are no file, or too big a one");
		return NULL;
	}
	file = xcalloc(1, (size_t)st.st_size + 1);
	for (*size = 0; *size < (size_t)st.st_size; *size += (size_t)got) {
		got = pread(fd, file + *size, (size_t)st.st_size - *size, (off_t)*size);
		if (got <= 0)
			break;
	}
	file[*size] = '\0';
	return file;
}

int ctf_read_metadata(struct ctf_trace *t, const char *directory)
{
	char *path = xasprintf("%s/metadata", directory), *file = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW), ret = -1;
	uint32_t magic = 0;
	size_t size;

	t->last_stream = &t->streams;
	if (fd >= 0)
		file = read_whole(t, fd, &size);
	else
		ctf_refuse(t, "the metadata cannot be read");
	if (file) {
		memcpy(&magic, file, size < sizeof(magic) ? size : sizeof(magic));
		if (magic == MAGIC || magic == bswap_32(MAGIC))
			ret = unpack(t, file, &size) ? -1 : parse(t, file, size);
		else if (*file == CTF2_SEPARATOR || !strncmp(file, "/* CTF 1.8", 10))
			ret = parse(t, file, size);
		else
			ctf_refuse(t, "the metadata are neither of CTF 1.8 nor of CTF 2");
	}
	if (fd >= 0)
		close(fd);
	free(path);
	free(file);
	return ret;
}
