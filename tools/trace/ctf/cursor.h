/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_CURSOR_H
#define LC_CTF_CURSOR_H

#include "plan.h"

/* A position in a packet, of which a part is in memory. All positions are in bits. */
struct ctf_cursor {
	const uint8_t *bytes; /* those in memory */
	int64_t first;	      /* where in the packet they begin, in bytes; it may be before it */
	uint64_t known;	      /* the packet is in memory up to there */
	uint64_t end;	      /* of what may be read at all */
	uint64_t at;
	uint64_t clock;	 /* cycles */
	uint64_t budget; /* steps: those that take no bits would have no end */
	uint64_t *slots; /* numbers that are kept */
	/* Room for texts that have no end in the packet. */
	char *room;
	size_t used, size, needed;
};

enum ctf_got {
	CTF_GOT,
	CTF_MORE, /* more of the packet must be in memory */
	CTF_ROOM, /* the room for texts must be as large as needed */
	CTF_BAD	  /* it goes on behind its end, or means nothing */
};

/* Goes over a structure, and fills in what is wanted of it. Texts stay as long as the bytes. */
enum ctf_got ctf_walk(struct ctf_cursor *c, const struct ctf_plan *plan, void *to);
/*
 * The same of a plan that is fixed, in fewer steps. Returns false if it does not lie so, or not
 * all of it is in memory: then nothing was done.
 */
bool ctf_take(struct ctf_cursor *c, const struct ctf_plan *plan, void *to);
/* The low bits of the clock are these (CTF 1.8, section 8). */
static inline void ctf_clock_move(struct ctf_cursor *c, uint64_t value, unsigned int bits)
{
	uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;

	if (bits < 64 && value < (c->clock & mask))
		c->clock += mask + 1;
	c->clock = (c->clock & ~mask) | value;
}

static inline const uint8_t *ctf_bytes_at(const struct ctf_cursor *c, uint64_t at)
{
	return c->bytes + ((int64_t)(at / 8) - c->first);
}

#endif
