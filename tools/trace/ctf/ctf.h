/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_H
#define LC_CTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * What the metadata of a trace in the Common Trace Format say (CTF 1.8, section 7; CTF 2,
 * "Metadata stream"). All of it in the pool of its struct ctf_trace, and goes
 * with it.
 */

/* Before each JSON text of the metadata of CTF 2. */
#define CTF2_SEPARATOR 0x1e
/* Types in types; a bound for the stack. */
#define CTF_DEPTH_MAX  32

enum ctf_type {
	CTF_INTEGER,
	CTF_FLOAT,
	CTF_STRING,
	CTF_STRUCT,
	CTF_VARIANT,
	CTF_ARRAY,
	CTF_SEQUENCE
};

enum ctf_order { CTF_NATIVE, CTF_LITTLE, CTF_BIG };

/* Fields with a meaning for the reader; each has the slot of its number. */
enum ctf_meaning {
	CTF_PLAIN,
	CTF_MAGIC,
	CTF_STREAM_ID,
	CTF_INSTANCE_ID,
	CTF_PACKET_SIZE,
	CTF_CONTENT_SIZE,
	CTF_BEGIN,
	CTF_END,
	CTF_DISCARDED,
	CTF_NUMBER,
	CTF_CPU,
	CTF_EVENT_ID,
	CTF_MEANINGS
};

/* A structure's place in a stream, in their order there. */
enum ctf_place {
	CTF_IN_HEADER,
	CTF_IN_PACKET,
	CTF_IN_EVENT_HEADER,
	CTF_IN_COMMON,
	CTF_IN_SPECIFIC,
	CTF_IN_PAYLOAD,
	CTF_PLACES
};

/* Of a clock that counts ns, as nearly all do. */
#define NS_FREQUENCY 1000000000

struct ctf_clock {
	struct ctf_clock *next;
	const char *name;
	bool has_uuid;
	uint8_t uuid[16];
	uint64_t frequency; /* cycles per second */
	int64_t offset_s;
	int64_t offset; /* cycles */
	int64_t base;	/* of value 0, ns since the epoch; see ctf_clock_ns() */
};

/* Of an enumeration: what a label stands for. Signed if its integer is. */
struct ctf_range {
	struct ctf_range *next;
	const char *label;
	int64_t low, high;
};

/* Of a length or a selector in CTF 2; TSDL has it as a text. */
struct ctf_location {
	enum ctf_place origin; /* CTF_PLACES: the structure in which it is told */
	size_t nr;
	const char *path[]; /* NULL: the structure around */
};

struct ctf_member {
	const char *name; /* as written; what it is called is ctf_name() of it */
	struct ctf_class *class;
	bool is_saved;		  /* it is a length, or selects a variant's option */
	unsigned int slot;	  /* where to */
	struct ctf_range *ranges; /* CTF 2: of a variant's option, when it is meant */
	struct ctf_member *next;
};

struct ctf_class {
	enum ctf_type type;
	uint64_t align; /* bits */
	/* CTF_INTEGER, CTF_FLOAT */
	unsigned int size; /* bits */
	bool is_signed, is_enum, is_char, is_bool;
	enum ctf_meaning role; /* CTF 2: its meaning, in places that have it */
	enum ctf_order order;
	struct ctf_clock *clock; /* that it is a value of */
	struct ctf_range *ranges;
	/* CTF_STRUCT, CTF_VARIANT */
	struct ctf_member *members;
	bool is_optional; /* of a variant: none of its options need be meant */
	/* CTF_ARRAY, CTF_SEQUENCE */
	struct ctf_class *element;
	uint64_t length;
	/* Of a sequence's length, or a variant's tag; NULL: none. */
	const char *ref;
	const struct ctf_location *location;
};

struct ctf_event_class {
	struct ctf_event_class *next;
	uint64_t id, stream_id;
	const char *name; /* NULL: none */
	struct ctf_class *context, *payload;
	/* The reader's. */
	const char *variant;   /* see event_variant() */
	int kind;	       /* enum event_kind */
	bool is_complete;      /* all fields that the kind has are there */
	struct ctf_plan *plan; /* from behind the header to the end */
};

struct ctf_stream_class {
	struct ctf_stream_class *next;
	uint64_t id;
	struct ctf_class *packet_context, *event_header, *event_context;
	struct ctf_event_class *events, **last_event;
	size_t nr_events;
	/* The reader's. */
	struct ctf_clock *clock;
	struct ctf_plan *context_plan, *header_plan;
	struct ctf_event_class **by_id; /* those of small ids */
	uint64_t nr_by_id;
	struct ctf_event_class **others; /* in the order of their ids */
	size_t nr_others;
	bool has_begin, has_end, has_discarded, has_number, has_size; /* its packets' contexts */
	bool has_other;	   /* the same: a field that is none of the packet's own */
	bool is_cpu_first; /* the first of those is the CPU, as LTTng has it */
	bool may_switch;
	bool header_is_used;		/* by what is behind the event's header */
	uint64_t header_mod, header_at; /* where headers end: at + N * mod, bits */
	enum ctf_header { CTF_ANY_HEADER, CTF_COMPACT_HEADER, CTF_LARGE_HEADER } header;
};

struct ctf_environment {
	struct ctf_environment *next;
	const char *name;
	const char *text; /* NULL: it is a number */
	int64_t number;
};

struct ctf_trace {
	struct ctf_pool *pool;
	bool is_ctf2;
	enum ctf_order order;
	bool has_uuid;
	uint8_t uuid[16];
	struct ctf_class *packet_header;
	struct ctf_stream_class *streams, **last_stream;
	unsigned int nr_streams;
	struct ctf_clock *clocks;
	struct ctf_environment *environment;
	struct ctf_plan *header_plan;
	unsigned int nr_slots;
	uint64_t work; /* done so far: hostile metadata make much of little */
	char *reason;  /* why something of it is not known; NULL: nothing is */
	/* The reader's. */
	const char *name;
	size_t rank; /* among the traces that are read together */
	/* What LTTng did wrong once: see packet_end(). */
	bool ends_late, ends_at_zero;
};

/* Zeroed memory that is freed with the trace. */
void *ctf_alloc(struct ctf_trace *t, size_t size);
const char *ctf_text(struct ctf_trace *t, const char *s, size_t len);
/* Notes the first reason. Returns -1. */
int ctf_refuse(struct ctf_trace *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Counts work. Returns 0, or -1 if it is more than honest metadata make. */
int ctf_work(struct ctf_trace *t, uint64_t steps);
/* The steps of a comparison with that name: names of metadata may be long, and begin alike. */
static inline uint64_t ctf_name_steps(const char *name)
{
	return 1 + strlen(name) / 32;
}

/* Times that: no two clocks are in one line of a CPU's cache. */
#define CTF_CLOCK_STEPS 10

void ctf_free(struct ctf_trace *t);

/*
 * TSDL has an underscore before names that could be its words (CTF 1.8, section 7.2); those of
 * CTF 2 get one, too.
 */
static inline const char *ctf_name(const char *written)
{
	return written + (*written == '_');
}

/*
 * Reads the metadata file of the trace in that directory. Returns 0, or -1 and a reason.
 */
int ctf_read_metadata(struct ctf_trace *t, const char *directory);
/* TSDL text (CTF 1.8, section 7 and appendix C). */
int ctf_parse_tsdl(struct ctf_trace *t, const char *text, size_t size);
/* JSON texts (CTF 2, "Metadata stream"). */
int ctf_parse_json(struct ctf_trace *t, const char *text, size_t size);
struct ctf_class *ctf_new_class(struct ctf_trace *t, enum ctf_type type, uint64_t align);
/* Takes the stream, or refuses it. */
int ctf_add_stream(struct ctf_trace *t, struct ctf_stream_class *sc);
void ctf_add_event(struct ctf_stream_class *sc, struct ctf_event_class *ec);
/* Returns false if it is none. */
bool ctf_parse_uuid(const char *s, uint8_t *uuid);
/* Those of a class, or of a name; NULL if there is none. */
struct ctf_stream_class *ctf_stream_class_of(const struct ctf_trace *t, uint64_t id);
/* Of an id that is not small. */
struct ctf_event_class *ctf_find_event_class(const struct ctf_stream_class *sc, uint64_t id);
static inline struct ctf_event_class *ctf_event_class_of(const struct ctf_stream_class *sc,
							 uint64_t id)
{
	return id < sc->nr_by_id ? sc->by_id[id] : ctf_find_event_class(sc, id);
}

struct ctf_class *ctf_member_of(const struct ctf_class *st, const char *name);
const struct ctf_environment *ctf_environment_of(const struct ctf_trace *t, const char *name);
/* How many ns so many cycles are; more than INT64_MAX if that is out of range. */
uint64_t ctf_clock_convert(const struct ctf_clock *c, uint64_t cycles);
/* The ns since the epoch of a clock's value. Returns false if that is out of range. */
static inline bool ctf_clock_ns(const struct ctf_clock *c, uint64_t cycles, int64_t *ns)
{
	if (c->frequency != NS_FREQUENCY)
		cycles = ctf_clock_convert(c, cycles);
	return cycles <= INT64_MAX && !__builtin_add_overflow(c->base, (int64_t)cycles, ns);
}
/* Checks a clock and fills in its base. */
int ctf_clock_finish(struct ctf_trace *t, struct ctf_clock *c);
bool ctf_is_text(const struct ctf_class *c);

#endif
