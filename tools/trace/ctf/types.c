/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "ctf.h"

/* What TSDL and JSON become: the types, streams, events and clocks of a trace. */

/* Seconds of it; those of all events of a kernel make a hundredth. */
#define WORK_MAX    UINT64_C(500000000)
/* More kinds of streams than anybody has channels. */
#define STREAMS_MAX 1024

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
	t->reason = xvasprintf(fmt, args);
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

struct ctf_class *ctf_new_class(struct ctf_trace *t, enum ctf_type type, uint64_t align)
{
	struct ctf_class *c = ctf_alloc(t, sizeof(*c));

	c->type = type;
	c->align = align;
	return c;
}

struct ctf_stream_class *ctf_stream_class_of(const struct ctf_trace *t, uint64_t id)
{
	struct ctf_stream_class *sc;

	for (sc = t->streams; sc && sc->id != id; sc = sc->next)
		;
	return sc;
}

struct ctf_event_class *ctf_find_event_class(const struct ctf_stream_class *sc, uint64_t id)
{
	size_t from = 0, to = sc->nr_others;

	while (from < to) {
		size_t half = from + (to - from) / 2;

		if (sc->others[half]->id == id)
			return sc->others[half];
		if (sc->others[half]->id < id)
			from = half + 1;
		else
			to = half;
	}
	return NULL;
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

uint64_t ctf_clock_convert(const struct ctf_clock *c, uint64_t cycles)
{
	if (c->frequency == NS_FREQUENCY)
		return cycles;
	/* It would be out of range. */
	if ((double)cycles / (double)c->frequency >= (double)INT64_MAX / 1e9)
		return UINT64_MAX;
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
	    __builtin_add_overflow(c->base, (int64_t)ctf_clock_convert(c, cycles % c->frequency),
				   &c->base))
		return ctf_refuse(t, "a clock's offset is out of range");
	return 0;
}

int ctf_add_stream(struct ctf_trace *t, struct ctf_stream_class *sc)
{
	if (++t->nr_streams > STREAMS_MAX || ctf_stream_class_of(t, sc->id))
		return ctf_refuse(t, "there are too many streams, or two of one id");
	sc->last_event = &sc->events;
	*t->last_stream = sc;
	t->last_stream = &sc->next;
	return 0;
}

void ctf_add_event(struct ctf_stream_class *sc, struct ctf_event_class *ec)
{
	*sc->last_event = ec;
	sc->last_event = &ec->next;
	sc->nr_events++;
}

bool ctf_parse_uuid(const char *s, uint8_t *uuid)
{
	size_t i, n = 0;

	if (strlen(s) != 36 || strspn(s, "0123456789abcdefABCDEF-") != 36)
		return false;
	for (i = 0; i < 36; i++) {
		if ((s[i] == '-') != (i == 8 || i == 13 || i == 18 || i == 23))
			return false;
		if (s[i] == '-')
			continue;
		if (s[i + 1] == '-')
			return false;
		uuid[n++] = (uint8_t)strtoul((char[3]){s[i], s[i + 1], 0}, NULL, 16);
		i++;
	}
	return true;
}
