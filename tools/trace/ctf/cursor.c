/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <byteswap.h>
#include <string.h>

#include "cursor.h"

/* Fields in a packet (CTF 1.8, section 4; CTF 2, "Data stream decoding procedure"): integers of any
 * size and order, arrays, strings. */

static enum ctf_got behind(const struct ctf_cursor *c, uint64_t bits)
{
	return c->at > c->end || bits > c->end - c->at ? CTF_BAD : CTF_MORE;
}

static bool is_known(const struct ctf_cursor *c, uint64_t bits)
{
	return c->at <= c->known && bits <= c->known - c->at;
}

/* An integer that is no whole bytes: from the low bits on, or in big-endian from the high ones. */
static uint64_t read_bits(const uint8_t *bytes, unsigned int bit, unsigned int size, bool is_big)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < size; i++, bit++) {
		uint64_t b = is_big ? bytes[bit / 8] >> (7 - bit % 8) & 1
				    : bytes[bit / 8] >> bit % 8 & 1;

		if (is_big)
			value = value << 1 | b;
		else
			value |= b << i;
	}
	return value;
}

static inline uint64_t read_number(const uint8_t *bytes, unsigned int bit, unsigned int size,
				   bool is_big)
{
	bool swap = is_big != HOST_IS_BIG;
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	if (bit)
		return read_bits(bytes, bit, size, is_big);
	switch (size) {
	case 8:
		return *bytes;
	case 16:
		memcpy(&v16, bytes, sizeof(v16));
		return swap ? bswap_16(v16) : v16;
	case 32:
		memcpy(&v32, bytes, sizeof(v32));
		return swap ? bswap_32(v32) : v32;
	case 64:
		memcpy(&v64, bytes, sizeof(v64));
		return swap ? bswap_64(v64) : v64;
	default:
		return read_bits(bytes, bit, size, is_big);
	}
}

static inline int64_t with_sign(uint64_t value, const struct ctf_op *op)
{
	unsigned int rest = 64 - op->size;

	return op->is_signed ? (int64_t)(value << rest) >> rest : (int64_t)value;
}

static inline enum ctf_got walk_integer(struct ctf_cursor *c, const struct ctf_op *op, void *to)
{
	uint64_t value;

	if (!is_known(c, op->size))
		return behind(c, op->size);
	value = read_number(ctf_bytes_at(c, c->at), c->at % 8, op->size, op->is_big);
	c->at += op->size;
	if (op->want) {
		int64_t v = with_sign(value, op);

		if (op->want->desc)
			v = field_value(op->want->desc, v);
		*(int64_t *)((char *)to + op->want->offset) = v;
		/* Most are that and no more. */
		if (!op->slot && !op->has_clock)
			return CTF_GOT;
	}
	if (op->has_clock)
		ctf_clock_move(c, value, op->size);
	if (op->slot)
		c->slots[op->slot] = (uint64_t)with_sign(value, op);
	if (op->meaning)
		c->slots[op->meaning] = value;
	return CTF_GOT;
}

static enum ctf_got walk_string(struct ctf_cursor *c, const struct ctf_op *op, void *to)
{
	const uint8_t *begin, *end;
	size_t left;

	if (c->at >= c->known)
		return behind(c, 8);
	begin = ctf_bytes_at(c, c->at);
	left = (c->known - c->at) / 8;
	end = memchr(begin, 0, left);
	if (!end)
		return c->known >= c->end ? CTF_BAD : CTF_MORE;
	if (op->want)
		*(const char **)((char *)to + op->want->offset) = (const char *)begin;
	c->at += (uint64_t)(end - begin + 1) * 8;
	return CTF_GOT;
}

/* A text of a fixed length ends where it has a zero, if it has. */
static enum ctf_got take_text(struct ctf_cursor *c, const uint8_t *bytes, uint64_t nr,
			      const char **to)
{
	if (memchr(bytes, 0, nr)) {
		*to = (const char *)bytes;
		return CTF_GOT;
	}
	if (nr >= c->size - c->used) {
		c->needed = c->used + nr + 1;
		return CTF_ROOM;
	}
	*to = memcpy(c->room + c->used, bytes, nr);
	c->room[c->used + nr] = '\0';
	c->used += nr + 1;
	return CTF_GOT;
}

static void take_sequence(const struct ctf_cursor *c, const struct ctf_op *op, uint64_t nr,
			  struct seq *seq)
{
	uint64_t i, at = c->at, room = type_room(op->want->type);

	seq->nr = (int64_t)nr;
	for (i = 0; i < nr && i < room; i++, at += op->stride)
		seq->v[i] = with_sign(
			read_number(ctf_bytes_at(c, at), at % 8, op->size, op->is_big), op);
}

static enum ctf_got walk_array(struct ctf_cursor *c, const struct ctf_op *op, void *to)
{
	uint64_t nr = op->from ? c->slots[op->from] : op->length, bits, needed;
	uint64_t room = op->want ? type_room(op->want->type) : 0;
	uint64_t left = c->at < c->end ? c->end - c->at : 0;
	enum ctf_got got = CTF_GOT;

	if (nr && (left < op->size || nr - 1 > (left - op->size) / op->stride))
		return CTF_BAD;
	bits = nr ? (nr - 1) * op->stride + op->size : 0;
	/* Of a text all; of a sequence that much that is taken. */
	needed = op->is_text || nr <= room ? bits : room * op->stride;
	if (op->want && needed && !is_known(c, needed))
		return behind(c, needed);
	if (op->want && op->is_text)
		got = nr ? take_text(c, ctf_bytes_at(c, c->at), nr,
				     (const char **)((char *)to + op->want->offset))
			 : (*(const char **)((char *)to + op->want->offset) = "", CTF_GOT);
	else if (op->want)
		take_sequence(c, op, nr, (struct seq *)((char *)to + op->want->offset));
	c->at += bits;
	return got;
}

static enum ctf_got walk_loop(struct ctf_cursor *c, const struct ctf_op *op)
{
	uint64_t nr = op->from ? c->slots[op->from] : op->length;
	enum ctf_got got = CTF_GOT;

	if (!op->plan->nr && !op->plan->tail)
		return CTF_GOT;
	for (; nr && got == CTF_GOT; nr--) {
		if (!c->budget || c->at > c->end)
			return CTF_BAD;
		c->budget--;
		got = ctf_walk(c, op->plan, NULL);
	}
	return got;
}

static const struct ctf_option *find_option(const struct ctf_op *op, uint64_t key)
{
	const struct ctf_option *o = op->options;
	size_t nr = op->nr_options;

	while (nr > 1) {
		size_t half = nr / 2;

		if (o[half].low <= key) {
			o += half;
			nr -= half;
		} else {
			nr = half;
		}
	}
	return nr && key >= o->low && key <= o->high ? o : NULL;
}

static enum ctf_got walk_variant(struct ctf_cursor *c, const struct ctf_op *op)
{
	const struct ctf_option *o =
		find_option(op, ctf_tag_key(c->slots[op->from], op->is_signed));

	if (o)
		return ctf_walk(c, o->plan, NULL);
	return op->is_optional ? CTF_GOT : CTF_BAD;
}

enum ctf_got ctf_walk(struct ctf_cursor *c, const struct ctf_plan *plan, void *to)
{
	const struct ctf_op *op = plan->ops, *end = op ? op + plan->nr : NULL;

	if (c->budget < plan->nr)
		return CTF_BAD;
	c->budget -= plan->nr;
	for (; op < end; op++) {
		enum ctf_got got = CTF_GOT;

		c->at += op->skip;
		switch (op->step) {
		case STEP_ALIGN:
			c->at = (c->at + op->align - 1) & ~(op->align - 1);
			break;
		case STEP_INTEGER:
			got = walk_integer(c, op, to);
			break;
		case STEP_STRING:
			got = walk_string(c, op, to);
			break;
		case STEP_ARRAY:
			got = walk_array(c, op, to);
			break;
		case STEP_LOOP:
			got = walk_loop(c, op);
			break;
		case STEP_VARIANT:
			got = walk_variant(c, op);
			break;
		}
		if (got != CTF_GOT)
			return got;
	}
	c->at += plan->tail;
	return CTF_GOT;
}

static inline int64_t taken(const struct ctf_take *t, const uint8_t *bytes)
{
	uint64_t value = read_number(bytes, 0, t->size, t->is_big);
	unsigned int rest = 64u - t->size;
	int64_t v = t->is_signed ? (int64_t)(value << rest) >> rest : (int64_t)value;

	return t->desc ? field_value(t->desc, v) : v;
}

bool ctf_take(struct ctf_cursor *c, const struct ctf_plan *plan, void *to)
{
	const struct ctf_take *t = plan->takes, *end = t + plan->nr_takes;
	const uint8_t *bytes;

	if (!plan->is_fixed || c->at % 8 || !is_known(c, plan->length))
		return false;
	/* Where nothing is taken, nothing need be in memory. */
	bytes = t < end ? ctf_bytes_at(c, c->at) : NULL;
	for (; t < end; t++) {
		const uint8_t *from = bytes + t->at;
		void *field = (char *)to + t->to;
		int32_t v32;

		switch (t->how) {
		case TAKE_SIGNED_32:
			memcpy(&v32, from, sizeof(v32));
			*(int64_t *)field = v32;
			break;
		case TAKE_64:
			memcpy(field, from, sizeof(int64_t));
			break;
		case TAKE_TEXT:
			if (from[t->length - 1] && !memchr(from, 0, t->length))
				return false;
			*(const char **)field = (const char *)from;
			break;
		default:
			*(int64_t *)field = taken(t, from);
			break;
		}
	}
	c->at += plan->length;
	return true;
}
