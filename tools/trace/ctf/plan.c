/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan.h"

/*
 * Layouts (CTF 1.8, sections 4.1 to 4.3): every type is aligned from the packet's begin on, a
 * structure as its most aligned field. What is known of a position while the plan is made is what
 * remains of it when divided by a power of two: most alignments cost nothing then.
 */

struct frame {
	const struct ctf_class *class;
	const struct ctf_member *until; /* the fields before it can be meant */
	enum ctf_place place;
};

struct planner {
	struct ctf_trace *t;
	struct ctf_stream_class *sc;
	struct frame frames[CTF_PLACES + CTF_DEPTH_MAX * 2];
	size_t nr_frames;
	int depth;
	bool resolves; /* the first pass: which fields are lengths and tags */
	enum ctf_place place;
	uint64_t mod, at; /* a position is at + N * mod */
	uint64_t pending; /* bits to skip */
	ctf_choose *choose;
	void *data;
};

static const char *const places[CTF_PLACES] = {
	[CTF_IN_HEADER] = "trace.packet.header.",	[CTF_IN_PACKET] = "stream.packet.context.",
	[CTF_IN_EVENT_HEADER] = "stream.event.header.", [CTF_IN_COMMON] = "stream.event.context.",
	[CTF_IN_SPECIFIC] = "event.context.",		[CTF_IN_PAYLOAD] = "event.fields.",
};

static struct ctf_member *find_member(struct planner *p, const struct frame *f, const char *name)
{
	uint64_t steps = ctf_name_steps(name);
	struct ctf_member *m;

	for (m = f->class->members; m && m != f->until && !ctf_work(p->t, steps); m = m->next)
		if (!strcmp(m->name, name))
			return m;
	return NULL;
}

/* The field that a sequence or a variant of TSDL names (CTF 1.8, section 7.3.2). */
static struct ctf_member *find_named(struct planner *p, const char *ref, enum ctf_place *found)
{
	struct ctf_member *m = NULL;
	enum ctf_place place;
	size_t i;

	for (place = 0; place < CTF_PLACES && strncmp(ref, places[place], strlen(places[place]));)
		place++;
	if (place != CTF_PLACES)
		ref += strlen(places[place]);
	for (i = p->nr_frames; !m && i-- > 0;) {
		const struct frame *f = &p->frames[i];

		/* A place's own structure is the only one that has one. */
		if (place == CTF_PLACES ? f->place == p->place || f->place == CTF_PLACES
					: f->place == place)
			m = find_member(p, f, ref);
	}
	*found = place;
	return m;
}

/*
 * The same in CTF 2 ("Field location"): from a place's structure, or the one around, on. What is
 * being decoded is a step that leads into itself, through arrays and variants.
 */
static struct ctf_member *find_located(struct planner *p, const struct ctf_location *l)
{
	size_t at = p->nr_frames, i;
	struct frame f;

	while (at && l->origin != CTF_PLACES && p->frames[at - 1].place != l->origin)
		at--;
	if (!at)
		return NULL;
	f = p->frames[--at];
	for (i = 0; i + 1 < l->nr; i++) {
		bool is_open = f.class == p->frames[at].class, leads_in;
		struct ctf_member *m = NULL;

		leads_in =
			is_open && at + 1 < p->nr_frames && p->frames[at + 1].place == CTF_PLACES;
		if (l->path[i] && leads_in && f.until && !strcmp(f.until->name, l->path[i])) {
			f = p->frames[++at];
			continue;
		}
		if (!l->path[i] && is_open && at && f.place == CTF_PLACES) {
			f = p->frames[--at];
			continue;
		}
		m = l->path[i] ? find_member(p, &f, l->path[i]) : NULL;
		if (!m || m->class->type != CTF_STRUCT)
			return NULL;
		f = (struct frame){m->class, NULL, CTF_PLACES};
	}
	return l->path[i] ? find_member(p, &f, l->path[i]) : NULL;
}

/* An integer that is decoded before, of a sequence's length, or a variant's tag. */
static struct ctf_member *find_reference(struct planner *p, const struct ctf_class *c)
{
	const char *last = c->location ? c->location->path[c->location->nr - 1] + 1 : c->ref;
	enum ctf_place place = c->location ? c->location->origin : CTF_PLACES;
	struct ctf_member *m = NULL;

	if (!last) {
		ctf_refuse(p->t, "a variant has no tag");
		return NULL;
	}
	m = c->location ? find_located(p, c->location) : find_named(p, c->ref, &place);
	if (!m || m->class->type != CTF_INTEGER) {
		ctf_refuse(p->t, "there is no integer to which a length or tag refers: %.80s",
			   last);
		return NULL;
	}
	if (place == CTF_IN_EVENT_HEADER && p->place != place)
		p->sc->header_is_used = true;
	if (!m->is_saved) {
		m->is_saved = true;
		m->slot = p->t->nr_slots++;
	}
	return m;
}

static struct ctf_op *add_op(struct planner *p, struct ctf_plan *plan, enum ctf_step step)
{
	struct ctf_op *op;

	if (plan->nr == plan->cap) {
		size_t cap = plan->cap ? plan->cap * 2 : 4;

		op = ctf_alloc(p->t, cap * sizeof(*op));
		if (plan->nr)
			memcpy(op, plan->ops, plan->nr * sizeof(*op));
		plan->ops = op;
		plan->cap = cap;
	}
	op = &plan->ops[plan->nr++];
	*op = (struct ctf_op){.step = step, .skip = p->pending};
	p->pending = 0;
	return op;
}

static void move(struct planner *p, uint64_t bits)
{
	p->at = (p->at + bits) & (p->mod - 1);
}

/* Sets what is known to no more than both tell. */
static void meet(struct planner *p, uint64_t mod, uint64_t at)
{
	if (mod < p->mod)
		p->mod = mod;
	while (p->mod > 1 && (at & (p->mod - 1)) != (p->at & (p->mod - 1)))
		p->mod /= 2;
	p->at &= p->mod - 1;
}

static void align(struct planner *p, struct ctf_plan *plan, uint64_t bits)
{
	uint64_t gap;

	if (bits <= p->mod) {
		gap = -p->at & (bits - 1);
		p->pending += gap;
		move(p, gap);
		return;
	}
	add_op(p, plan, STEP_ALIGN)->align = bits;
	p->mod = bits;
	p->at = 0;
}

/* By its name (CTF 1.8, sections 5 and 6), or by its role (CTF 2, "Roles"). @m: NULL, it has none.
 */
static enum ctf_meaning meaning_of(const struct planner *p, const struct ctf_member *m,
				   const struct ctf_class *c, bool is_member)
{
	static const struct {
		enum ctf_place place;
		const char *name;
		enum ctf_meaning meaning;
	} meanings[] = {
		{CTF_IN_HEADER, "magic", CTF_MAGIC},
		{CTF_IN_HEADER, "stream_id", CTF_STREAM_ID},
		{CTF_IN_HEADER, "stream_instance_id", CTF_INSTANCE_ID},
		{CTF_IN_PACKET, "packet_size", CTF_PACKET_SIZE},
		{CTF_IN_PACKET, "content_size", CTF_CONTENT_SIZE},
		{CTF_IN_PACKET, "timestamp_begin", CTF_BEGIN},
		{CTF_IN_PACKET, "timestamp_end", CTF_END},
		{CTF_IN_PACKET, "events_discarded", CTF_DISCARDED},
		{CTF_IN_PACKET, "packet_seq_num", CTF_NUMBER},
		{CTF_IN_PACKET, "cpu_id", CTF_CPU},
		{CTF_IN_EVENT_HEADER, "id", CTF_EVENT_ID},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(meanings); i++) {
		enum ctf_meaning meaning = meanings[i].meaning;
		bool is_it;

		if (p->t->is_ctf2 && meaning != CTF_CPU)
			is_it = c->role == meaning;
		else
			is_it = m && !strcmp(meanings[i].name, ctf_name(m->name)) &&
				(is_member || p->place == CTF_IN_EVENT_HEADER);
		if (is_it && meanings[i].place == p->place)
			return meaning;
	}
	return CTF_PLAIN;
}

static bool is_big(const struct planner *p, const struct ctf_class *c)
{
	return (c->order == CTF_NATIVE ? p->t->order : c->order) == CTF_BIG;
}

/* Where it is one in CTF 2: in the places of packets and headers of events. */
static struct ctf_clock *clock_of(const struct planner *p, const struct ctf_class *c,
				  enum ctf_meaning meaning)
{
	if (p->t->is_ctf2 && meaning != CTF_END &&
	    (c->role != CTF_BEGIN ||
	     (p->place != CTF_IN_PACKET && p->place != CTF_IN_EVENT_HEADER)))
		return NULL;
	return c->clock;
}

static void note_property(struct ctf_stream_class *sc, enum ctf_meaning meaning)
{
	sc->has_begin |= meaning == CTF_BEGIN;
	sc->has_end |= meaning == CTF_END;
	sc->has_discarded |= meaning == CTF_DISCARDED;
	sc->has_number |= meaning == CTF_NUMBER;
	sc->has_size |= meaning == CTF_CONTENT_SIZE || meaning == CTF_PACKET_SIZE;
}

/* See stream_class_is_numbered(): both readers must find the same. */
static void note_context_member(struct ctf_stream_class *sc, const struct ctf_class *c,
				enum ctf_meaning meaning)
{
	if (sc->has_other || (meaning && meaning != CTF_CPU))
		return;
	sc->has_other = true;
	sc->is_cpu_first = meaning && c->type == CTF_INTEGER && !c->is_signed && c->size == 32;
}

static int plan_integer(struct planner *p, struct ctf_plan *plan, const struct ctf_class *c,
			const struct ctf_member *m, enum ctf_meaning meaning,
			const struct ctf_want *want)
{
	struct ctf_clock *clock = clock_of(p, c, meaning);
	struct ctf_op *op;

	if (meaning && c->is_signed && meaning != CTF_CPU)
		return ctf_refuse(p->t, "a number that cannot be below zero is signed: %.80s",
				  m->name);
	if (meaning == CTF_CPU && c->is_signed)
		meaning = CTF_PLAIN;
	note_property(p->sc, meaning);
	if (!meaning && !want && !clock && !(m && m->is_saved)) {
		p->pending += c->size;
		move(p, c->size);
		return 0;
	}
	op = add_op(p, plan, STEP_INTEGER);
	op->size = c->size;
	op->is_big = is_big(p, c);
	op->is_signed = c->is_signed;
	/* A packet's end is no time that has come. */
	op->has_clock = clock && meaning != CTF_END && !c->is_signed;
	op->meaning = meaning;
	op->slot = m && m->is_saved ? m->slot : 0;
	op->want = want;
	if (clock && p->sc->clock && p->sc->clock != clock)
		return ctf_refuse(p->t, "a stream has two clocks");
	if (clock)
		p->sc->clock = clock;
	move(p, c->size);
	return 0;
}

static int plan_class(struct planner *p, struct ctf_plan *plan, const struct ctf_class *c,
		      const struct ctf_member *m, enum ctf_meaning meaning,
		      const struct ctf_want *want);

static int plan_struct(struct planner *p, struct ctf_plan *plan, const struct ctf_class *c,
		       enum ctf_place place)
{
	const struct ctf_member *m;
	struct frame *f = &p->frames[p->nr_frames];

	if (p->nr_frames == ARRAY_SIZE(p->frames))
		return ctf_refuse(p->t, "types are nested too deep");
	*f = (struct frame){c, NULL, place};
	p->nr_frames++;
	for (m = c->members; m; m = m->next) {
		bool top = place != CTF_PLACES;
		enum ctf_meaning meaning = meaning_of(p, m, m->class, top);
		const struct ctf_want *want = NULL;

		f->until = m;
		if (place == CTF_IN_PACKET)
			note_context_member(p->sc, m->class, meaning);
		if (top && !p->resolves && p->choose && place >= CTF_IN_COMMON)
			want = p->choose(p->data, place, ctf_name(m->name), m->class);
		if (plan_class(p, plan, m->class, m, meaning, want))
			return -1;
	}
	p->nr_frames--;
	return 0;
}

static bool is_simple(const struct ctf_class *c)
{
	return (c->type == CTF_INTEGER && !c->clock) || c->type == CTF_FLOAT;
}

static int plan_simple_array(struct planner *p, struct ctf_plan *plan, const struct ctf_class *c,
			     unsigned int from, const struct ctf_want *want)
{
	/* The array itself may be aligned to more than its elements in CTF 2. */
	uint64_t align = c->element->align, bits;
	uint64_t stride = (c->element->size + align - 1) & ~(align - 1);
	struct ctf_op *op;

	/* Nobody has a field of 128 GB: so that no sum of a few overflows. */
	if (c->length >= UINT64_C(1) << 32)
		return ctf_refuse(p->t, "an array is too long");
	bits = c->length ? (c->length - 1) * stride + c->element->size : 0;
	if (!from && !want) {
		p->pending += bits;
		move(p, bits);
		return p->pending >> 40 ? ctf_refuse(p->t, "a structure is too long") : 0;
	}
	op = add_op(p, plan, STEP_ARRAY);
	op->from = from;
	op->length = c->length;
	op->stride = stride;
	op->size = c->element->size;
	op->is_big = is_big(p, c->element);
	op->is_signed = c->element->is_signed;
	op->is_text = ctf_is_text(c);
	op->want = want;
	if (from)
		meet(p, stride & -stride, p->at + c->element->size);
	if (from && c->element->size != stride)
		p->mod = 1, p->at = 0;
	if (!from)
		move(p, bits);
	return 0;
}

static int plan_array(struct planner *p, struct ctf_plan *plan, const struct ctf_class *c,
		      const struct ctf_want *want)
{
	unsigned int from = 0;
	struct ctf_plan *element;
	struct ctf_op *op;

	if (c->type == CTF_SEQUENCE) {
		const struct ctf_member *m = find_reference(p, c);

		if (!m)
			return -1;
		if (m->class->is_signed || m->class->is_bool)
			return ctf_refuse(p->t, "a length is signed, or a boolean");
		from = m->slot;
	}
	if (is_simple(c->element))
		return plan_simple_array(p, plan, c, from, want);
	op = add_op(p, plan, STEP_LOOP);
	op->from = from;
	op->length = c->length;
	element = ctf_alloc(p->t, sizeof(*element));
	op->plan = element;
	p->mod = 1;
	p->at = 0;
	if (plan_class(p, element, c->element, NULL, CTF_PLAIN, NULL))
		return -1;
	element->tail = p->pending;
	p->pending = 0;
	p->mod = 1;
	p->at = 0;
	return 0;
}

/* The options of a variant, as they are told. */
struct options {
	struct ctf_option *list;
	size_t nr, cap;
	bool is_signed;
};

static void add_option(struct planner *p, struct options *o, const struct ctf_range *r,
		       struct ctf_plan *plan)
{
	if (o->nr == o->cap) {
		size_t cap = o->cap ? o->cap * 2 : 4;
		struct ctf_option *more = ctf_alloc(p->t, cap * sizeof(*more));

		if (o->nr)
			memcpy(more, o->list, o->nr * sizeof(*more));
		o->list = more;
		o->cap = cap;
	}
	o->list[o->nr++] = (struct ctf_option){
		ctf_tag_key((uint64_t)r->low, o->is_signed),
		ctf_tag_key((uint64_t)r->high, o->is_signed),
		plan,
	};
}

/* An option is meant by the tag's labels that are its name, or by ranges of its own. */
static int add_options(struct planner *p, struct options *o, const struct ctf_class *tag,
		       const struct ctf_member *m, struct ctf_plan *plan)
{
	uint64_t steps = ctf_name_steps(m->name);
	const struct ctf_range *r;
	size_t before = o->nr;

	for (r = m->ranges; r; r = r->next)
		add_option(p, o, r, plan);
	for (r = m->ranges ? NULL : tag->ranges; r; r = r->next) {
		if (ctf_work(p->t, steps))
			return -1;
		if (!strcmp(r->label, m->name))
			add_option(p, o, r, plan);
	}
	return o->nr > before ? 0
			      : ctf_refuse(p->t, "an option of a variant is no label of its tag");
}

static int by_tag(const void *a, const void *b)
{
	const struct ctf_option *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

/*
 * In order, so that an event need not look at all of them. One value means one option: in CTF 2
 * that may be told twice (section "Variant field class"); of CTF 1.8 libbabeltrace2 aborts then.
 */
static int set_options(struct planner *p, struct ctf_op *op, const struct options *o)
{
	struct ctf_option *last = o->list;
	size_t i;

	if (!o->nr)
		return 0;
	qsort(o->list, o->nr, sizeof(*o->list), by_tag);
	for (i = 1; i < o->nr; i++) {
		const struct ctf_option *next = &o->list[i];

		if (next->low > last->high)
			*++last = *next;
		else if (!p->t->is_ctf2 || next->plan != last->plan)
			return ctf_refuse(p->t, "options of a variant overlap");
		else if (next->high > last->high)
			last->high = next->high;
	}
	op->options = o->list;
	op->nr_options = (size_t)(last - o->list) + 1;
	return 0;
}

/* See read_optional(). */
static bool tells_no_ranges(const struct ctf_class *c)
{
	const struct ctf_range *r = c->members ? c->members->ranges : NULL;

	return c->is_optional && r && r->low > r->high;
}

static int plan_variant(struct planner *p, struct ctf_plan *plan, const struct ctf_class *c)
{
	struct ctf_member *tag = find_reference(p, c);
	uint64_t mod, at, end_mod = 0, end_at = 0;
	struct options options = {0};
	const struct ctf_member *m;
	size_t nr = plan->nr;

	if (!tag)
		return -1;
	if (!tag->class->is_enum && !p->t->is_ctf2)
		return ctf_refuse(p->t, "a variant's tag is no enumeration");
	/* Only what is optional may hang on one, and then tells no ranges. */
	if (p->t->is_ctf2 && tag->class->is_bool != tells_no_ranges(c))
		return ctf_refuse(p->t, "a selector is a boolean, or should be one");
	options.is_signed = tag->class->is_signed;
	add_op(p, plan, STEP_VARIANT);
	mod = p->mod;
	at = p->at;
	for (m = c->members; m; m = m->next) {
		struct ctf_plan *option = ctf_alloc(p->t, sizeof(*option));

		p->mod = mod;
		p->at = at;
		if (plan_class(p, option, m->class, NULL, meaning_of(p, NULL, m->class, false),
			       NULL) ||
		    add_options(p, &options, tag->class, m, option))
			return -1;
		option->tail = p->pending;
		p->pending = 0;
		if (end_mod)
			meet(p, end_mod, end_at);
		end_mod = p->mod;
		end_at = p->at;
	}
	if (c->is_optional)
		meet(p, mod, at);
	plan->ops[nr].is_optional = c->is_optional;
	plan->ops[nr].from = tag->slot;
	plan->ops[nr].is_signed = tag->class->is_signed;
	return set_options(p, &plan->ops[nr], &options);
}

static int plan_type(struct planner *p, struct ctf_plan *plan, const struct ctf_class *c,
		     const struct ctf_member *m, enum ctf_meaning meaning,
		     const struct ctf_want *want)
{
	if (ctf_work(p->t, 10))
		return -1;
	if (p->depth > CTF_DEPTH_MAX)
		return ctf_refuse(p->t, "types are nested too deep");
	align(p, plan, c->align);
	if (meaning && meaning != CTF_CPU && c->type != CTF_INTEGER && p->nr_frames &&
	    p->frames[p->nr_frames - 1].place != CTF_PLACES)
		return ctf_refuse(p->t, "a header's field is no integer: %.80s", m->name);
	switch (c->type) {
	case CTF_INTEGER:
		return plan_integer(p, plan, c, m, meaning, want);
	case CTF_FLOAT:
		p->pending += c->size;
		move(p, c->size);
		return 0;
	case CTF_STRING:
		add_op(p, plan, STEP_STRING)->want = want;
		p->mod = 8;
		p->at = 0;
		return 0;
	case CTF_STRUCT:
		return plan_struct(p, plan, c, CTF_PLACES);
	case CTF_VARIANT:
		return plan_variant(p, plan, c);
	default:
		return plan_array(p, plan, c, want);
	}
}

static int plan_class(struct planner *p, struct ctf_plan *plan, const struct ctf_class *c,
		      const struct ctf_member *m, enum ctf_meaning meaning,
		      const struct ctf_want *want)
{
	int ret;

	p->depth++;
	ret = plan_type(p, plan, c, m, meaning, want);
	p->depth--;
	return ret;
}

/* A structure that others may refer to from behind it. */
static int plan_place(struct planner *p, struct ctf_plan *plan, const struct ctf_class *c,
		      enum ctf_place place)
{
	p->place = place;
	if (!c)
		return 0;
	align(p, plan, c->align);
	if (plan_struct(p, plan, c, place))
		return -1;
	/* It stays known. */
	p->frames[p->nr_frames++].until = NULL;
	return 0;
}

/* What is before a place, without a plan. */
static void know_place(struct planner *p, const struct ctf_class *c, enum ctf_place place)
{
	if (c)
		p->frames[p->nr_frames++] = (struct frame){c, NULL, place};
}

static struct ctf_plan *end_plan(struct planner *p, struct ctf_plan *plan)
{
	plan->tail = p->pending;
	p->pending = 0;
	return plan;
}

static struct planner planner(struct ctf_trace *t, struct ctf_stream_class *sc, bool resolves)
{
	return (struct planner){.t = t, .sc = sc, .resolves = resolves, .mod = 1};
}

static int plan_header(struct ctf_trace *t, bool resolves)
{
	struct ctf_stream_class none = {0};
	struct planner p = planner(t, &none, resolves);

	t->header_plan = ctf_alloc(t, sizeof(*t->header_plan));
	p.mod = UINT64_C(1) << 32;
	if (plan_place(&p, t->header_plan, t->packet_header, CTF_IN_HEADER))
		return -1;
	end_plan(&p, t->header_plan);
	return 0;
}

static int plan_stream(struct ctf_trace *t, struct ctf_stream_class *sc, bool resolves)
{
	struct planner p = planner(t, sc, resolves);

	know_place(&p, t->packet_header, CTF_IN_HEADER);
	sc->context_plan = ctf_alloc(t, sizeof(*sc->context_plan));
	if (plan_place(&p, sc->context_plan, sc->packet_context, CTF_IN_PACKET))
		return -1;
	end_plan(&p, sc->context_plan);
	p.mod = 1;
	p.at = 0;
	sc->header_plan = ctf_alloc(t, sizeof(*sc->header_plan));
	if (plan_place(&p, sc->header_plan, sc->event_header, CTF_IN_EVENT_HEADER))
		return -1;
	end_plan(&p, sc->header_plan);
	sc->header_mod = p.mod;
	sc->header_at = p.at;
	return 0;
}

static int plan_event(struct ctf_trace *t, struct ctf_stream_class *sc, struct ctf_event_class *ec,
		      struct planner *p)
{
	ec->plan = ctf_alloc(t, sizeof(*ec->plan));
	know_place(p, t->packet_header, CTF_IN_HEADER);
	know_place(p, sc->packet_context, CTF_IN_PACKET);
	know_place(p, sc->event_header, CTF_IN_EVENT_HEADER);
	p->mod = sc->header_mod;
	p->at = sc->header_at;
	if (plan_place(p, ec->plan, sc->event_context, CTF_IN_COMMON) ||
	    plan_place(p, ec->plan, ec->context, CTF_IN_SPECIFIC) ||
	    plan_place(p, ec->plan, ec->payload, CTF_IN_PAYLOAD))
		return -1;
	end_plan(p, ec->plan);
	return 0;
}

static int resolve_events(struct ctf_trace *t, struct ctf_stream_class *sc)
{
	struct ctf_event_class *ec;

	for (ec = sc->events; ec; ec = ec->next) {
		struct planner p = planner(t, sc, true);

		if (plan_event(t, sc, ec, &p))
			return -1;
	}
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct ctf_event_class *x = *(struct ctf_event_class *const *)a;
	const struct ctf_event_class *y = *(struct ctf_event_class *const *)b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Ids are small numbers; others are looked for. */
static int index_events(struct ctf_trace *t, struct ctf_stream_class *sc)
{
	struct ctf_event_class *ec;
	bool is_twice = false;
	size_t i;

	sc->nr_by_id = sc->nr_events * 2 + 16;
	sc->by_id = ctf_alloc(t, sc->nr_by_id * sizeof(struct ctf_event_class *));
	sc->others = ctf_alloc(t, sc->nr_events * sizeof(struct ctf_event_class *));
	for (ec = sc->events; ec; ec = ec->next) {
		if (ec->id < sc->nr_by_id) {
			is_twice |= sc->by_id[ec->id] != NULL;
			sc->by_id[ec->id] = ec;
		} else {
			sc->others[sc->nr_others++] = ec;
		}
	}
	qsort(sc->others, sc->nr_others, sizeof(struct ctf_event_class *), by_id);
	for (i = 1; i < sc->nr_others; i++)
		is_twice |= sc->others[i]->id == sc->others[i - 1]->id;
	return is_twice ? ctf_refuse(t, "two events have one id") : 0;
}

/* Whether the variant's first option is meant by small values of that field, and up to which. */
static bool is_first_option(const struct ctf_trace *t, const struct ctf_member *tag,
			    const struct ctf_class *v, int64_t *high)
{
	const struct ctf_range *r;

	if (v->type != CTF_VARIANT || v->is_optional || !v->members)
		return false;
	if (t->is_ctf2) {
		const struct ctf_location *l = v->location;

		r = v->members->ranges;
		if (l->nr != 1 || !l->path[0] || strcmp(l->path[0], tag->name) ||
		    (l->origin != CTF_PLACES && l->origin != CTF_IN_EVENT_HEADER))
			return false;
	} else {
		r = tag->class->is_enum ? tag->class->ranges : NULL;
		if (!r || strcmp(v->ref, tag->name) || strcmp(v->members->name, r->label))
			return false;
	}
	*high = r->high;
	return !r->low;
}

/* The id, and nothing else. */
static bool is_id(const struct ctf_trace *t, const struct ctf_member *m)
{
	return t->is_ctf2 ? m->class->role == CTF_EVENT_ID : !strcmp(ctf_name(m->name), "id");
}

static bool is_little(const struct ctf_class *c)
{
	return c->type == CTF_INTEGER && !c->is_signed && c->order != CTF_BIG;
}

/*
 * The headers that LTTng writes (CTF 1.8, section 6.1.1): a small id and the low bits of the time;
 * or the last id, and then both in full.
 */
static enum ctf_header find_header(const struct ctf_trace *t, const struct ctf_stream_class *sc)
{
	const struct ctf_class *h = sc->event_header, *id, *st, *time;
	int64_t high;

	if (!h || !h->members || !h->members->next || h->members->next->next ||
	    sc->header_is_used || t->order != CTF_LITTLE || h->align % 8)
		return CTF_ANY_HEADER;
	id = h->members->class;
	if (!is_id(t, h->members) || !is_little(id) ||
	    !is_first_option(t, h->members, h->members->next->class, &high))
		return CTF_ANY_HEADER;
	st = h->members->next->class->members->class;
	if (st->type != CTF_STRUCT || !st->members || st->members->next)
		return CTF_ANY_HEADER;
	time = st->members->class;
	if (!is_little(time) || !time->clock || is_id(t, st->members) ||
	    (t->is_ctf2 && time->role != CTF_BEGIN))
		return CTF_ANY_HEADER;
	if (id->size == 5 && time->size == 27 && st->align == 1 && high == 30)
		return CTF_COMPACT_HEADER;
	if (id->size == 16 && time->size == 32 && st->align == 8 && high == 65534)
		return CTF_LARGE_HEADER;
	return CTF_ANY_HEADER;
}

int ctf_plan_trace(struct ctf_trace *t)
{
	struct ctf_stream_class *sc;
	int resolves;

	t->nr_slots = CTF_MEANINGS;
	for (resolves = 1; resolves >= 0; resolves--) {
		if (plan_header(t, resolves))
			return -1;
		for (sc = t->streams; sc; sc = sc->next)
			if (plan_stream(t, sc, resolves) || (resolves && resolve_events(t, sc)))
				return -1;
	}
	for (sc = t->streams; sc; sc = sc->next) {
		if (index_events(t, sc))
			return -1;
		sc->header = find_header(t, sc);
		if ((sc->has_begin || sc->has_end) && !sc->clock)
			return ctf_refuse(t, "a stream's packets have times, but no clock");
	}
	return 0;
}

/* Whether the step is one that struct ctf_take knows, at that place. */
static bool is_take(const struct ctf_op *op, uint64_t at)
{
	bool is_whole = op->size == 8 || op->size == 16 || op->size == 32 || op->size == 64;

	if (at % 8 || !op->want || op->slot || op->meaning || op->has_clock || op->from)
		return false;
	return op->step == STEP_ARRAY ? op->is_text && op->length
				      : op->step == STEP_INTEGER && is_whole;
}

static struct ctf_take take_of(const struct ctf_op *op, uint64_t at)
{
	const struct field_desc *desc = op->want->desc;
	struct ctf_take t = {
		.how = op->step == STEP_ARRAY ? TAKE_TEXT : TAKE_ANY,
		.at = (uint32_t)(at / 8),
		.to = (uint32_t)op->want->offset,
		.length = (uint32_t)op->length,
		.size = (uint8_t)op->size,
		.is_big = op->is_big,
		.is_signed = op->is_signed,
		.desc = desc,
	};

	if (t.how == TAKE_ANY && op->is_big == HOST_IS_BIG) {
		if (op->size == 32 && op->is_signed)
			t.how = TAKE_SIGNED_32;
		if (op->size == 64 && (!desc || desc->holds == 64))
			t.how = TAKE_64;
	}
	return t;
}

/* Most events have one layout. */
static void find_takes(struct ctf_trace *t, struct ctf_plan *plan)
{
	uint64_t at = 0;
	size_t i;

	plan->takes = ctf_alloc(t, plan->nr * sizeof(*plan->takes));
	for (i = 0; i < plan->nr && at < UINT32_MAX; i++) {
		const struct ctf_op *op = &plan->ops[i];

		at += op->skip;
		if (at >= UINT32_MAX || !is_take(op, at))
			return;
		plan->takes[i] = take_of(op, at);
		at += op->step == STEP_ARRAY ? op->length * 8 : op->size;
	}
	plan->nr_takes = plan->nr;
	plan->length = at + plan->tail;
	plan->is_fixed = at < UINT32_MAX;
}

int ctf_plan_event(struct ctf_trace *t, struct ctf_stream_class *sc, struct ctf_event_class *ec,
		   ctf_choose *choose, void *data)
{
	struct planner p = planner(t, sc, false);

	p.choose = choose;
	p.data = data;
	if (plan_event(t, sc, ec, &p))
		return -1;
	find_takes(t, ec->plan);
	return 0;
}
