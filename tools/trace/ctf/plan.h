/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_PLAN_H
#define LC_CTF_PLAN_H

#include "model/schema.h"
#include "ctf.h"

/*
 * How to walk over a structure of a stream: what is not wanted is skipped, in as few steps as its
 * layout allows. Made once for each class.
 */

enum ctf_step {
	STEP_ALIGN,
	STEP_INTEGER,
	STEP_STRING,
	STEP_ARRAY, /* of integers, or text */
	STEP_LOOP,  /* of anything else */
	STEP_VARIANT,
};

/* Where a wanted field goes. */
struct ctf_want {
	enum field_type type;
	size_t offset;
	const struct field_desc *desc; /* NULL: every integer is good */
};

/* Of a variant's tag, as ctf_tag_key() has it, from low to high. */
struct ctf_option {
	uint64_t low, high;
	struct ctf_plan *plan;
};

/* Numbers whose order is that of the tags. */
static inline uint64_t ctf_tag_key(uint64_t tag, bool is_signed)
{
	return is_signed ? tag ^ UINT64_C(1) << 63 : tag;
}

struct ctf_op {
	enum ctf_step step;
	uint64_t skip; /* bits, before the step */
	uint64_t align;
	bool is_big, is_signed, is_text;
	bool is_optional; /* no option need be meant */
	bool has_clock;
	enum ctf_meaning meaning;
	unsigned int size;	    /* of the integer, or of an element, bits */
	unsigned int slot;	    /* to keep it in; 0: it need not be kept */
	unsigned int from;	    /* the slot of a length or a tag; 0: it is length */
	uint64_t length;	    /* of an array */
	uint64_t stride;	    /* from an element to the next */
	struct ctf_plan *plan;	    /* of a loop's element */
	struct ctf_option *options; /* in order of their tags, apart */
	size_t nr_options;
	const struct ctf_want *want; /* NULL: it is skipped */
};

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HOST_IS_BIG true
#else
#define HOST_IS_BIG false
#endif

/* A wanted field that is always in one place: an integer of 8, 16, 32 or 64 bits, or a text. */
struct ctf_take {
	/* As it is in memory, and every value is good; else what is below says how it is read. */
	enum { TAKE_ANY, TAKE_SIGNED_32, TAKE_64, TAKE_TEXT } how;
	uint32_t at;	 /* bytes from the begin */
	uint32_t to;	 /* offset of where it goes */
	uint32_t length; /* of a text, bytes */
	uint8_t size;	 /* bits */
	bool is_big, is_signed;
	const struct field_desc *desc;
};

struct ctf_plan {
	struct ctf_op *ops;
	size_t nr, cap;
	uint64_t tail; /* bits, behind the last step */
	/* If nothing in it can lie elsewhere: what is taken, without a walk, if it begins with a
	 * byte. */
	bool is_fixed;
	uint64_t length; /* bits, of all */
	struct ctf_take *takes;
	size_t nr_takes;
};

/* What of an event is wanted: an answer for each field of its contexts and payload, or NULL. */
typedef const struct ctf_want *ctf_choose(void *data, enum ctf_place place, const char *name,
					  const struct ctf_class *c);

/* All but those of events. Return 0, or -1 and a reason. */
int ctf_plan_trace(struct ctf_trace *t);
int ctf_plan_event(struct ctf_trace *t, struct ctf_stream_class *sc, struct ctf_event_class *ec,
		   ctf_choose *choose, void *data);

#endif
