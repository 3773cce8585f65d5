/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/util.h"
#include "ctf.h"

/*
 * Metadata of CTF 2 (CTF2-SPEC-2.0, "Metadata stream"): JSON objects, called fragments, each after
 * a record separator (RFC 7464). They become the same types as TSDL's. What LTTng does not write,
 * as integers of variable length and texts in UTF-16, is refused.
 */

/* The largest of LTTng's has 200 kB. What jansson makes of one has a hundred times its size. */
#define FRAGMENT_MAX (1 << 20)
/* Those of all events of a kernel are 40,000; aliases make many of few. */
#define FIELDS_MAX   300000
#define ALIGN_MAX    (1 << 20)

struct json_reader {
	struct ctf_trace *trace;
	json_t *aliases;	 /* names, and the JSON of what they stand for */
	struct ctf_clock *clock; /* the default one of the stream that is described */
	unsigned int fragment;
	unsigned int fields;
	unsigned int depth;
	size_t aliases_size; /* of their text, bytes */
	bool has_trace, has_uuid;
	bool has_reals; /* integers may be reals, as one of a fragment's had no other room */
};

/* What a property of an object is. */
enum kind {
	A_TEXT,
	A_NUMBER,
	A_COUNT,
	A_BASE,
	A_LIST,
	AN_OBJECT,
	A_CLASS,
	AN_ORIGIN,
	AN_EXTENSION
};

struct property {
	const char *name;
	enum kind kind;
};

static int bad(struct json_reader *r, const char *what)
{
	return ctf_refuse(r->trace, "fragment %u of the metadata: %s", r->fragment, what);
}

static void *bad_class(struct json_reader *r, const char *what)
{
	bad(r, what);
	return NULL;
}

/* A real is exact up to 2^53. */
static bool to_integer(const struct json_reader *r, const json_t *json, int64_t *to)
{
	double real = json_real_value(json);

	if (json_is_integer(json)) {
		*to = json_integer_value(json);
		return true;
	}
	if (!r->has_reals || !json_is_real(json) || real < -9007199254740992.0 ||
	    real > 9007199254740992.0)
		return false;
	*to = (int64_t)real;
	return (double)*to == real;
}

/* A number that is not below zero; what is not told stays as it is. */
static int take_number(struct json_reader *r, const json_t *in, const char *key, int64_t max,
		       uint64_t *to)
{
	const json_t *json = json_object_get(in, key);
	int64_t n;

	if (!json)
		return 0;
	if (!to_integer(r, json, &n) || n < 0 || n > max)
		return bad(r, "a number is missing, or out of range");
	*to = (uint64_t)n;
	return 0;
}

static bool is_of_kind(const struct json_reader *r, const json_t *json, enum kind kind)
{
	int64_t n;

	switch (kind) {
	case A_TEXT:
		return json_is_string(json);
	case A_NUMBER:
		return to_integer(r, json, &n);
	case A_COUNT:
		return to_integer(r, json, &n) && n >= 0;
	case A_BASE:
		return to_integer(r, json, &n) && (n == 2 || n == 8 || n == 10 || n == 16);
	case A_LIST:
		return json_is_array(json);
	case AN_OBJECT:
		return json_is_object(json);
	case A_CLASS:
		return json_is_string(json) || json_is_object(json);
	case AN_ORIGIN:
		return json_is_object(json) ||
		       (json_is_string(json) && !strcmp(json_string_value(json), "unix-epoch"));
	case AN_EXTENSION:
		return json_is_object(json) && !json_object_size(json);
	}
	return false;
}

static const struct property *property_of(const struct property *known, const char *name)
{
	while (known->name && strcmp(known->name, name) != 0)
		known++;
	return known->name ? known : NULL;
}

/*
 * The object has no other properties than @known, or @more, which may be NULL; each ends with an
 * empty one. A property whose name is wrong would else be taken for one that is not told.
 * libbabeltrace2 refuses them, too.
 */
static int has_only(struct json_reader *r, const json_t *json, const struct property *known,
		    const struct property *more)
{
	const struct property *p;
	const char *name;
	json_t *value;

	if (json && !json_is_object(json))
		return bad(r, "something that should be an object is none");
	json_object_foreach((json_t *)json, name, value)
	{
		p = property_of(known, name);
		if (!p && more)
			p = property_of(more, name);
		if (!p)
			return bad(r, "it has a property that is not known");
		if (!is_of_kind(r, value, p->kind))
			return bad(r, p->kind == AN_EXTENSION
					      ? "it needs an extension"
					      : "a property has another kind of value");
	}
	return 0;
}

/* Of all fragments and types. */
static const struct property of_type[] = {
	{"type", A_TEXT},
	{"attributes", AN_OBJECT},
	{"extensions", AN_EXTENSION},
	{0},
};
/* Of the members of a structure, and the options of a variant. */
static const struct property of_member[] = {
	{"name", A_TEXT},
	{"field-class", A_CLASS},
	{"attributes", AN_OBJECT},
	{"extensions", AN_EXTENSION},
	{0},
};

static const char *text_of(const json_t *in, const char *key)
{
	const char *text = json_string_value(json_object_get(in, key));

	return text ? text : "";
}

static bool is_told_as(const json_t *in, const char *key, const char *value)
{
	return !strcmp(text_of(in, key), value);
}

static const char *keep_text(struct json_reader *r, const char *text)
{
	return ctf_text(r->trace, text, strlen(text));
}

/* Names are kept as TSDL has them, which ctf_name() knows. */
static const char *keep_name(struct json_reader *r, const char *name)
{
	char *copy = ctf_alloc(r->trace, strlen(name) + 2);

	*copy = '_';
	strcpy(copy + 1, name);
	return copy;
}

static struct ctf_class *read_class(struct json_reader *r, const json_t *json);

static int take_align(struct json_reader *r, const json_t *json, const char *key, uint64_t *align)
{
	uint64_t n = 1;

	if (take_number(r, json, key, ALIGN_MAX, &n))
		return -1;
	if (!n || n & (n - 1))
		return bad(r, "an alignment is no power of two");
	if (n > *align)
		*align = n;
	return 0;
}

/* The values of a selector for which there is the field ("Integer range set"). */
static int take_ranges(struct json_reader *r, const json_t *list, struct ctf_member *m)
{
	struct ctf_range **last = &m->ranges;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		const json_t *pair = json_array_get(list, i);
		struct ctf_range *range = ctf_alloc(r->trace, sizeof(*range));

		if (json_array_size(pair) != 2 ||
		    !to_integer(r, json_array_get(pair, 0), &range->low) ||
		    !to_integer(r, json_array_get(pair, 1), &range->high) ||
		    range->low > range->high)
			return bad(r, "a range is none, or its numbers are too big");
		*last = range;
		last = &range->next;
	}
	return m->ranges ? 0 : bad(r, "a selector has no ranges");
}

/* Which may be of more than 63 bits, and are nobody's here. */
static bool names_values(const struct json_reader *r, const json_t *pair, bool is_signed)
{
	const json_t *low = json_array_get(pair, 0), *high = json_array_get(pair, 1);

	return json_array_size(pair) == 2 &&
	       (r->has_reals ? json_is_number(low) && json_is_number(high)
			     : json_is_integer(low) && json_is_integer(high)) &&
	       json_number_value(low) <= json_number_value(high) &&
	       (is_signed || json_number_value(low) >= 0);
}

/* Names of values, or of bits. */
static int check_names(struct json_reader *r, const json_t *names, bool is_signed)
{
	const char *name;
	json_t *list;
	size_t i;

	json_object_foreach((json_t *)names, name, list)
	{
		if (!json_array_size(list))
			return bad(r, "a name of values has no ranges");
		for (i = 0; i < json_array_size(list); i++)
			if (ctf_work(r->trace, 10) ||
			    !names_values(r, json_array_get(list, i), is_signed))
				return bad(r, "a range is none");
	}
	return 0;
}

/* What an integer is for ("Roles"), in the place where that counts: see plan.c. */
static int take_roles(struct json_reader *r, const json_t *json, struct ctf_class *c)
{
	static const struct {
		const char *name;
		enum ctf_meaning meaning;
	} roles[] = {
		{"packet-magic-number", CTF_MAGIC},
		{"data-stream-class-id", CTF_STREAM_ID},
		{"data-stream-id", CTF_INSTANCE_ID},
		{"packet-total-length", CTF_PACKET_SIZE},
		{"packet-content-length", CTF_CONTENT_SIZE},
		{"default-clock-timestamp", CTF_BEGIN},
		{"packet-end-default-clock-timestamp", CTF_END},
		{"discarded-event-record-counter-snapshot", CTF_DISCARDED},
		{"packet-sequence-number", CTF_NUMBER},
		{"event-record-class-id", CTF_EVENT_ID},
	};
	const json_t *list = json_object_get(json, "roles");
	size_t i, k;

	for (i = 0; i < json_array_size(list); i++) {
		const char *name = json_string_value(json_array_get(list, i));

		if (ctf_work(r->trace, 10))
			return -1;
		for (k = 0; name && k < ARRAY_SIZE(roles) && strcmp(roles[k].name, name);)
			k++;
		if (!name || k == ARRAY_SIZE(roles))
			return bad(r, "a field has a role that is not known");
		if (c->role && c->role != roles[k].meaning)
			return bad(r, "a field has two roles");
		c->role = roles[k].meaning;
		if (c->role != CTF_BEGIN && c->role != CTF_END)
			continue;
		c->clock = r->clock;
		if (!c->clock)
			return bad(r, "a field is a time, but there is no clock");
	}
	return 0;
}

/* The properties of all types of a fixed length. */
static const struct property of_bits[] = {
	{"length", A_NUMBER},
	{"byte-order", A_TEXT},
	{"bit-order", A_TEXT},
	{"alignment", A_NUMBER},
	{"type", A_TEXT},
	{"attributes", AN_OBJECT},
	{"extensions", AN_EXTENSION},
	{0},
};

/* "Fixed-length ... field class": integers, booleans, numbers with a point, and bits. */
static struct ctf_class *read_fixed(struct json_reader *r, const json_t *json, const char *type)
{
	static const struct property none[] = {{0}};
	static const struct property map[] = {{"flags", AN_OBJECT}, {0}};
	static const struct property of_signed[] = {
		{"preferred-display-base", A_BASE},
		{"mappings", AN_OBJECT},
		{0},
	};
	static const struct property of_unsigned[] = {
		{"preferred-display-base", A_BASE},
		{"mappings", AN_OBJECT},
		{"roles", A_LIST},
		{0},
	};
	static const struct {
		const char *type;
		const struct property *known;
		enum ctf_type is;
	} types[] = {
		{"unsigned-integer", of_unsigned, CTF_INTEGER},
		{"signed-integer", of_signed, CTF_INTEGER},
		{"boolean", none, CTF_INTEGER},
		{"floating-point-number", none, CTF_FLOAT},
		{"bit-array", none, CTF_FLOAT},
		{"bit-map", map, CTF_FLOAT},
	};
	const json_t *flags = json_object_get(json, "flags");
	bool is_signed, is_float, is_big;
	struct ctf_class *c;
	uint64_t size = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types) && strcmp(types[i].type, type) != 0;)
		i++;
	if (i == ARRAY_SIZE(types))
		return bad_class(r, "a field is of a type that is not known");
	is_signed = types[i].known == of_signed;
	is_float = !strcmp(type, "floating-point-number");
	c = ctf_new_class(r->trace, types[i].is, 1);
	if (has_only(r, json, types[i].known, of_bits) || check_names(r, flags, false) ||
	    check_names(r, json_object_get(json, "mappings"), is_signed) ||
	    take_number(r, json, "length", 64, &size) ||
	    take_align(r, json, "alignment", &c->align))
		return NULL;
	if (types[i].known == map && !json_object_size(flags))
		return bad_class(r, "a map of bits has no flags");
	if (!size || (is_float && size != 32 && size != 64))
		return bad_class(r, "a field has no length, or another than is known");
	c->size = (unsigned int)size;
	is_big = is_told_as(json, "byte-order", "big-endian");
	if (!is_big && !is_told_as(json, "byte-order", "little-endian"))
		return bad_class(r, "a field has no byte order");
	c->order = is_big ? CTF_BIG : CTF_LITTLE;
	if (json_object_get(json, "bit-order") &&
	    !is_told_as(json, "bit-order", is_big ? "last-to-first" : "first-to-last"))
		return bad_class(r, "a field has another order of bits than of bytes");
	c->is_bool = !strcmp(type, "boolean");
	c->is_signed = is_signed;
	return take_roles(r, json, c) ? NULL : c;
}

/* Where a length or a selector is ("Field location"). */
static int take_location(struct json_reader *r, const json_t *json, const char *key,
			 struct ctf_class *c)
{
	static const char *const origins[CTF_PLACES] = {
		[CTF_IN_HEADER] = "packet-header",
		[CTF_IN_PACKET] = "packet-context",
		[CTF_IN_EVENT_HEADER] = "event-record-header",
		[CTF_IN_COMMON] = "event-record-common-context",
		[CTF_IN_SPECIFIC] = "event-record-specific-context",
		[CTF_IN_PAYLOAD] = "event-record-payload",
	};
	static const struct property of_location[] = {{"origin", A_TEXT}, {"path", A_LIST}, {0}};
	const json_t *location = json_object_get(json, key);
	const json_t *origin = json_object_get(location, "origin");
	const json_t *path = json_object_get(location, "path");
	size_t i, nr = json_array_size(path);
	struct ctf_location *l;

	if (has_only(r, location, of_location, NULL))
		return -1;
	if (!nr || nr > CTF_DEPTH_MAX)
		return bad(r, "the location of a length or a selector is missing, or too long");
	l = ctf_alloc(r->trace, sizeof(*l) + nr * sizeof(*l->path));
	l->nr = nr;
	l->origin = origin ? CTF_IN_HEADER : CTF_PLACES;
	while (origin && l->origin < CTF_PLACES &&
	       !is_told_as(location, "origin", origins[l->origin]))
		l->origin++;
	if (origin && l->origin == CTF_PLACES)
		return bad(r, "a location has an origin that is not known");
	for (i = 0; i < nr; i++) {
		const json_t *step = json_array_get(path, i);

		if (!json_is_string(step) && !json_is_null(step))
			return bad(r, "a location is no list of names");
		l->path[i] = json_is_null(step) ? NULL : keep_name(r, json_string_value(step));
	}
	if (!l->path[nr - 1])
		return bad(r, "a location ends at no field");
	c->location = l;
	return 0;
}

/* The properties of all types that have a length. */
static const struct property *of_array(bool is_static)
{
	static const struct property all[][5] = {
		{{"length-field-location", AN_OBJECT},
		 {"type", A_TEXT},
		 {"attributes", AN_OBJECT},
		 {"extensions", AN_EXTENSION}},
		{{"length", A_NUMBER},
		 {"type", A_TEXT},
		 {"attributes", AN_OBJECT},
		 {"extensions", AN_EXTENSION}},
	};

	return all[is_static];
}

/* Of an array, a text or bytes. */
static struct ctf_class *take_length(struct json_reader *r, const json_t *json, struct ctf_class *c)
{
	if (c->type == CTF_SEQUENCE)
		return take_location(r, json, "length-field-location", c) ? NULL : c;
	if (!json_object_get(json, "length"))
		return bad_class(r, "a field has no length");
	return take_number(r, json, "length", UINT32_MAX, &c->length) ? NULL : c;
}

/*
 * "Static-length ..." and "Dynamic-length string field class", and those of blobs: texts are bytes
 * that end at a zero; of blobs nobody wants anything.
 */
static struct ctf_class *read_bytes(struct json_reader *r, const json_t *json, const char *type)
{
	static const struct property text[] = {{"encoding", A_TEXT}, {0}};
	static const struct property blob[] = {{"media-type", A_TEXT}, {0}};
	static const struct property static_blob[] = {
		{"media-type", A_TEXT},
		{"roles", A_LIST},
		{0},
	};
	bool is_static = !strncmp(type, "static", 6), is_text = strstr(type, "string");
	struct ctf_class *c = ctf_new_class(r->trace, is_static ? CTF_ARRAY : CTF_SEQUENCE, 8);
	const json_t *roles = json_object_get(json, "roles");
	size_t i;

	if (has_only(r, json, is_text ? text : is_static ? static_blob : blob, of_array(is_static)))
		return NULL;
	if (is_text && json_object_get(json, "encoding") && !is_told_as(json, "encoding", "utf-8"))
		return bad_class(r, "a text is not in UTF-8");
	c->element = ctf_new_class(r->trace, is_text ? CTF_INTEGER : CTF_FLOAT, 8);
	c->element->size = 8;
	c->element->is_char = is_text;
	c->element->order = CTF_LITTLE;
	for (i = 0; i < json_array_size(roles); i++) {
		const char *role = json_string_value(json_array_get(roles, i));

		if (ctf_work(r->trace, 10))
			return NULL;
		if (!role || strcmp(role, "metadata-stream-uuid") != 0)
			return bad_class(r, "a field has a role that is not known");
		if (!r->has_uuid)
			return bad_class(r, "packets have a uuid, and the preamble has none");
	}
	return take_length(r, json, c);
}

/* "Null-terminated string field class". */
static struct ctf_class *read_string(struct json_reader *r, const json_t *json, const char *type)
{
	static const struct property known[] = {{"encoding", A_TEXT}, {0}};

	(void)type;
	if (has_only(r, json, known, of_type))
		return NULL;
	if (json_object_get(json, "encoding") && !is_told_as(json, "encoding", "utf-8"))
		return bad_class(r, "a text is not in UTF-8");
	return ctf_new_class(r->trace, CTF_STRING, 8);
}

static struct ctf_member *add_member(struct json_reader *r, struct ctf_class *c,
				     struct ctf_member ***last, const json_t *json)
{
	const json_t *name = json_object_get(json, "name");
	const struct ctf_member *other;
	struct ctf_member *m = ctf_alloc(r->trace, sizeof(*m));
	uint64_t steps;

	if (c->type == CTF_STRUCT && !name)
		return bad_class(r, "a field has no name");
	m->name = keep_name(r, name ? json_string_value(name) : "");
	steps = ctf_name_steps(m->name);
	for (other = c->members; other && name; other = other->next)
		if (ctf_work(r->trace, steps) || !strcmp(other->name, m->name))
			return bad_class(r, "two fields have one name");
	m->class = read_class(r, json_object_get(json, "field-class"));
	**last = m;
	*last = &m->next;
	return m->class ? m : NULL;
}

/* "Structure field class". */
static struct ctf_class *read_struct(struct json_reader *r, const json_t *json, const char *type)
{
	static const struct property known[] = {
		{"member-classes", A_LIST},
		{"minimum-alignment", A_NUMBER},
		{0},
	};
	const json_t *list = json_object_get(json, "member-classes");
	struct ctf_class *c = ctf_new_class(r->trace, CTF_STRUCT, 1);
	struct ctf_member **last = &c->members;
	size_t i;

	(void)type;
	if (has_only(r, json, known, of_type) ||
	    take_align(r, json, "minimum-alignment", &c->align))
		return NULL;
	for (i = 0; i < json_array_size(list); i++) {
		const json_t *member = json_array_get(list, i);
		const struct ctf_member *m;

		if (has_only(r, member, of_member, NULL))
			return NULL;
		m = add_member(r, c, &last, member);
		if (!m)
			return NULL;
		if (m->class->align > c->align)
			c->align = m->class->align;
	}
	return c;
}

/* "Static-length ..." and "Dynamic-length array field class". */
static struct ctf_class *read_array(struct json_reader *r, const json_t *json, const char *type)
{
	static const struct property known[] = {
		{"element-field-class", A_CLASS},
		{"minimum-alignment", A_NUMBER},
		{0},
	};
	bool is_static = !strncmp(type, "static", 6);
	struct ctf_class *c = ctf_new_class(r->trace, is_static ? CTF_ARRAY : CTF_SEQUENCE, 1);

	if (has_only(r, json, known, of_array(is_static)))
		return NULL;
	c->element = read_class(r, json_object_get(json, "element-field-class"));
	if (!c->element || take_align(r, json, "minimum-alignment", &c->align))
		return NULL;
	if (c->element->align > c->align)
		c->align = c->element->align;
	return take_length(r, json, c);
}

/* "Variant field class". */
static struct ctf_class *read_variant(struct json_reader *r, const json_t *json, const char *type)
{
	static const struct property known[] = {
		{"options", A_LIST},
		{"selector-field-location", AN_OBJECT},
		{0},
	};
	static const struct property of_option[] = {{"selector-field-ranges", A_LIST}, {0}};
	const json_t *list = json_object_get(json, "options");
	struct ctf_class *c = ctf_new_class(r->trace, CTF_VARIANT, 1);
	struct ctf_member **last = &c->members;
	size_t i;

	(void)type;
	if (has_only(r, json, known, of_type))
		return NULL;
	if (!json_array_size(list))
		return bad_class(r, "a variant has no options");
	for (i = 0; i < json_array_size(list); i++) {
		const json_t *option = json_array_get(list, i);
		struct ctf_member *m;

		if (has_only(r, option, of_member, of_option))
			return NULL;
		m = add_member(r, c, &last, option);
		if (!m || take_ranges(r, json_object_get(option, "selector-field-ranges"), m))
			return NULL;
	}
	return take_location(r, json, "selector-field-location", c) ? NULL : c;
}

/*
 * "Optional field class": a variant with one option, or none. Of a boolean, every value but 0 is
 * true.
 */
static struct ctf_class *read_optional(struct json_reader *r, const json_t *json, const char *type)
{
	static const struct property known[] = {
		{"field-class", A_CLASS},
		{"selector-field-location", AN_OBJECT},
		{"selector-field-ranges", A_LIST},
		{0},
	};
	const json_t *ranges = json_object_get(json, "selector-field-ranges");
	struct ctf_class *c = ctf_new_class(r->trace, CTF_VARIANT, 1);
	struct ctf_member **last = &c->members;
	struct ctf_member *m;

	(void)type;
	if (has_only(r, json, known, of_type))
		return NULL;
	m = add_member(r, c, &last, json);
	c->is_optional = true;
	if (!m || (ranges && take_ranges(r, ranges, m)))
		return NULL;
	if (!ranges) {
		m->ranges = ctf_alloc(r->trace, sizeof(*m->ranges));
		m->ranges->low = 1;
		m->ranges->high = -1; /* of no sign: the largest */
	}
	return take_location(r, json, "selector-field-location", c) ? NULL : c;
}

static struct ctf_class *read_type(struct json_reader *r, const json_t *json)
{
	static const struct {
		const char *type; /* or its begin, with a - */
		struct ctf_class *(*read)(struct json_reader *r, const json_t *json,
					  const char *type);
	} types[] = {
		{"fixed-length-", read_fixed},	      {"null-terminated-string", read_string},
		{"static-length-string", read_bytes}, {"dynamic-length-string", read_bytes},
		{"static-length-blob", read_bytes},   {"dynamic-length-blob", read_bytes},
		{"structure", read_struct},	      {"static-length-array", read_array},
		{"dynamic-length-array", read_array}, {"variant", read_variant},
		{"optional", read_optional},
	};
	const char *type;
	size_t i, len;

	/* Each use of an alias is a type of its own: what refers to it means that one. */
	for (i = 0; json_is_string(json) && i < CTF_DEPTH_MAX &&
		    !ctf_work(r->trace, json_string_length(json));
	     i++)
		json = json_object_get(r->aliases, json_string_value(json));
	if (!json_is_object(json))
		return bad_class(r, "a type is missing, or an alias of none");
	type = text_of(json, "type");
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		len = strlen(types[i].type);
		if (types[i].type[len - 1] == '-' && !strncmp(type, types[i].type, len))
			return types[i].read(r, json, type + len);
		if (!strcmp(type, types[i].type))
			return types[i].read(r, json, type);
	}
	return bad_class(r, "a field is of a type that is not known");
}

static struct ctf_class *read_class(struct json_reader *r, const json_t *json)
{
	struct ctf_class *c;

	if (r->depth == CTF_DEPTH_MAX)
		return bad_class(r, "types are nested too deep");
	if (++r->fields > FIELDS_MAX || ctf_work(r->trace, 100))
		return bad_class(r, "there are too many fields");
	r->depth++;
	c = read_type(r, json);
	r->depth--;
	return c;
}

/* The structure of a place, if it is told of. */
static int take_place(struct json_reader *r, const json_t *in, const char *key,
		      struct ctf_class **to)
{
	const json_t *json = json_object_get(in, key);

	if (!json)
		return 0;
	*to = read_class(r, json);
	if (*to && (*to)->type != CTF_STRUCT)
		return bad(r, "what should be a structure is another type");
	return *to ? 0 : -1;
}

/* "Preamble fragment". */
static int read_preamble(struct json_reader *r, const json_t *json)
{
	static const struct property known[] = {{"version", A_NUMBER}, {"uuid", A_LIST}, {0}};
	const json_t *uuid = json_object_get(json, "uuid");
	uint64_t version = 0;
	int64_t byte;
	size_t i;

	for (i = 0; i < json_array_size(uuid); i++)
		if (!to_integer(r, json_array_get(uuid, i), &byte) || byte < 0 || byte > UINT8_MAX)
			return bad(r, "the uuid of the metadata is no list of bytes");
	r->has_uuid = i == 16;
	if (has_only(r, json, known, of_type) ||
	    take_number(r, json, "version", INT64_MAX, &version))
		return -1;
	return version == 2 && r->fragment == 1
		       ? 0
		       : bad(r, "the metadata are of another version than 2, or begin twice");
}

/* "Field class alias fragment". */
static int read_alias(struct json_reader *r, const json_t *json)
{
	static const struct property known[] = {{"name", A_TEXT}, {"field-class", A_CLASS}, {0}};
	const char *name = json_string_value(json_object_get(json, "name"));
	json_t *class = json_object_get(json, "field-class");

	if (has_only(r, json, known, of_type))
		return -1;
	if (!name || !class || json_object_get(r->aliases, name))
		return bad(r, "an alias has no name, or is told twice");
	return json_object_set(r->aliases, name, class) ? bad(r, "no memory") : 0;
}

static int read_environment(struct json_reader *r, const json_t *json)
{
	struct ctf_trace *t = r->trace;
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)json, name, value)
	{
		struct ctf_environment *e = ctf_alloc(t, sizeof(*e));

		e->name = keep_text(r, name);
		if (json_is_string(value))
			e->text = keep_text(r, json_string_value(value));
		else if (!to_integer(r, value, &e->number))
			return bad(r, "a value of the environment is neither number nor text");
		e->next = t->environment;
		t->environment = e;
	}
	return 0;
}

/* "Trace class fragment". */
static int read_trace(struct json_reader *r, const json_t *json)
{
	static const struct property known[] = {
		{"namespace", A_TEXT},
		{"name", A_TEXT},
		{"uid", A_TEXT},
		{"environment", AN_OBJECT},
		{"packet-header-field-class", A_CLASS},
		{0},
	};
	struct ctf_trace *t = r->trace;

	if (has_only(r, json, known, of_type))
		return -1;
	if (r->has_trace || t->streams)
		return bad(r, "there is a second trace, or it comes too late");
	r->has_trace = true;
	t->has_uuid = ctf_parse_uuid(text_of(json, "uid"), t->uuid);
	return read_environment(r, json_object_get(json, "environment")) ||
			       take_place(r, json, "packet-header-field-class", &t->packet_header)
		       ? -1
		       : 0;
}

static struct ctf_clock *clock_of(const struct json_reader *r, const char *id)
{
	uint64_t steps = CTF_CLOCK_STEPS * ctf_name_steps(id);
	struct ctf_clock *c;

	for (c = r->trace->clocks; c && !ctf_work(r->trace, steps) && strcmp(c->name, id);)
		c = c->next;
	return c;
}

/* "Clock class fragment". */
static int read_clock(struct json_reader *r, const json_t *json)
{
	static const struct property known[] = {
		{"id", A_TEXT},
		{"namespace", A_TEXT},
		{"name", A_TEXT},
		{"uid", A_TEXT},
		{"description", A_TEXT},
		{"frequency", A_NUMBER},
		{"precision", A_COUNT},
		{"accuracy", A_COUNT},
		{"origin", AN_ORIGIN},
		{"offset-from-origin", AN_OBJECT},
		{0},
	};
	static const struct property of_offset[] = {
		{"seconds", A_NUMBER},
		{"cycles", A_NUMBER},
		{0},
	};
	static const struct property of_origin[] = {
		{"namespace", A_TEXT},
		{"name", A_TEXT},
		{"uid", A_TEXT},
		{0},
	};
	const json_t *offset = json_object_get(json, "offset-from-origin");
	const json_t *origin = json_object_get(json, "origin");
	const json_t *seconds = json_object_get(offset, "seconds");
	struct ctf_clock *c = ctf_alloc(r->trace, sizeof(*c));
	uint64_t cycles = 0;

	if (has_only(r, json, known, of_type) || has_only(r, offset, of_offset, NULL))
		return -1;
	if (json_is_object(origin) && (has_only(r, origin, of_origin, NULL) ||
				       !*text_of(origin, "name") || !*text_of(origin, "uid")))
		return bad(r, "the origin of a clock has no name");
	if (!json_is_string(json_object_get(json, "id")) || clock_of(r, text_of(json, "id")))
		return bad(r, "a clock has no id, or that of another one");
	c->name = keep_text(r, text_of(json, "id"));
	c->has_uuid = ctf_parse_uuid(text_of(json, "uid"), c->uuid);
	if (take_number(r, json, "frequency", INT64_MAX, &c->frequency) ||
	    take_number(r, offset, "cycles", INT64_MAX, &cycles))
		return -1;
	if (cycles >= c->frequency)
		return bad(r, "a clock's offset has more cycles than a second");
	if (seconds)
		to_integer(r, seconds, &c->offset_s);
	c->offset = (int64_t)cycles;
	c->next = r->trace->clocks;
	r->trace->clocks = c;
	return ctf_clock_finish(r->trace, c);
}

/* "Data stream class fragment". */
static int read_stream(struct json_reader *r, const json_t *json)
{
	static const struct property known[] = {
		{"id", A_NUMBER},
		{"namespace", A_TEXT},
		{"name", A_TEXT},
		{"uid", A_TEXT},
		{"default-clock-class-id", A_TEXT},
		{"packet-context-field-class", A_CLASS},
		{"event-record-header-field-class", A_CLASS},
		{"event-record-common-context-field-class", A_CLASS},
		{0},
	};
	struct ctf_stream_class *sc = ctf_alloc(r->trace, sizeof(*sc));

	if (has_only(r, json, known, of_type))
		return -1;
	if (json_object_get(json, "default-clock-class-id")) {
		sc->clock = clock_of(r, text_of(json, "default-clock-class-id"));
		if (!sc->clock)
			return bad(r, "there is no such clock");
	}
	r->clock = sc->clock;
	if (take_number(r, json, "id", INT64_MAX, &sc->id) ||
	    take_place(r, json, "packet-context-field-class", &sc->packet_context) ||
	    take_place(r, json, "event-record-header-field-class", &sc->event_header) ||
	    take_place(r, json, "event-record-common-context-field-class", &sc->event_context))
		return -1;
	return ctf_add_stream(r->trace, sc);
}

/* "Event record class fragment". */
static int read_event(struct json_reader *r, const json_t *json)
{
	static const struct property known[] = {
		{"id", A_NUMBER},
		{"data-stream-class-id", A_NUMBER},
		{"namespace", A_TEXT},
		{"name", A_TEXT},
		{"uid", A_TEXT},
		{"specific-context-field-class", A_CLASS},
		{"payload-field-class", A_CLASS},
		{0},
	};
	struct ctf_event_class *ec = ctf_alloc(r->trace, sizeof(*ec));
	struct ctf_stream_class *sc;

	if (has_only(r, json, known, of_type))
		return -1;
	if (json_is_string(json_object_get(json, "name")))
		ec->name = keep_text(r, text_of(json, "name"));
	if (take_number(r, json, "id", INT64_MAX, &ec->id) ||
	    take_number(r, json, "data-stream-class-id", INT64_MAX, &ec->stream_id))
		return -1;
	if (ctf_work(r->trace, r->trace->nr_streams))
		return -1;
	sc = ctf_stream_class_of(r->trace, ec->stream_id);
	if (!sc)
		return bad(r, "an event is of a stream that is not told of");
	r->clock = sc->clock;
	if (take_place(r, json, "specific-context-field-class", &ec->context) ||
	    take_place(r, json, "payload-field-class", &ec->payload))
		return -1;
	ctf_add_event(sc, ec);
	return 0;
}

static int read_fragment(struct json_reader *r, const json_t *json)
{
	static const struct {
		const char *type;
		int (*read)(struct json_reader *r, const json_t *json);
	} fragments[] = {
		{"preamble", read_preamble},	    {"field-class-alias", read_alias},
		{"trace-class", read_trace},	    {"clock-class", read_clock},
		{"data-stream-class", read_stream}, {"event-record-class", read_event},
	};
	const char *type = text_of(json, "type");
	size_t i;

	if (r->fragment == 1 && strcmp(type, "preamble"))
		return bad(r, "the metadata do not begin with a preamble");
	r->clock = NULL;
	for (i = 0; i < ARRAY_SIZE(fragments); i++)
		if (!strcmp(type, fragments[i].type))
			return fragments[i].read(r, json);
	return bad(r, "it is of a type that is not known");
}

static int parse_fragment(struct json_reader *r, const char *text, size_t len)
{
	json_error_t error;
	json_t *json;
	int ret;

	r->fragment++;
	/* What aliases stand for stays in memory. */
	if (len > FRAGMENT_MAX - r->aliases_size)
		return bad(r, "it is larger than any that a tracer writes");
	json = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	/* Labels of an enumeration may stand for numbers that jansson has no room for. */
	if (!json && json_error_code(&error) == json_error_numeric_overflow) {
		r->has_reals = true;
		json = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
				  &error);
	}
	if (!json)
		return bad(r, error.text);
	ret = read_fragment(r, json) || ctf_work(r->trace, 0) ? -1 : 0;
	if (is_told_as(json, "type", "field-class-alias"))
		r->aliases_size += len;
	json_decref(json);
	return ret;
}

int ctf_parse_json(struct ctf_trace *t, const char *text, size_t size)
{
	struct json_reader r = {.trace = t, .aliases = json_object()};
	const char *end = text + size;
	int ret = 0;

	t->is_ctf2 = true;
	t->order = CTF_LITTLE; /* each field tells its own */
	while (!ret && text < end) {
		const char *next = memchr(text + 1, CTF2_SEPARATOR, (size_t)(end - text) - 1);

		if (!next)
			next = end;
		/* Several separators are as one. */
		if (next > text + 1)
			ret = parse_fragment(&r, text + 1, (size_t)(next - text) - 1);
		text = next;
	}
	json_decref(r.aliases);
	if (!ret && !t->streams)
		ret = ctf_refuse(t, "the metadata tell of no stream");
	return ret;
}
