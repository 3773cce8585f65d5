/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <string.h>

#include "base/util.h"
#include "tsdl.h"

/* The blocks of TSDL (CTF 1.8, sections 7.2 and 8): trace, env, clock, stream and event. */

/* What a block says; each kind of block takes some of it. */
struct block {
	struct parser *p;
	void *to;
	const char *needs[4]; /* what it must tell */
	struct told_name *told;
	int (*take_value)(struct block *b, const char *name, const struct value *v);
	int (*take_type)(struct block *b, const char *name, struct ctf_class *c);
};

static int wrong_type(struct parser *p)
{
	return tsdl_bad(p, "a value is of another type than it should be");
}

static int unknown_name(struct parser *p)
{
	return tsdl_bad(p, "a block tells what it should not");
}

static int take_number(struct parser *p, const struct value *v, uint64_t *to)
{
	if (v->token != TOKEN_NUMBER || v->is_negative)
		return wrong_type(p);
	*to = v->number;
	return 0;
}

/* libbabeltrace2 takes the largest for an error. */
static int take_id(struct parser *p, const struct value *v, uint64_t *to)
{
	if (take_number(p, v, to))
		return -1;
	return *to < UINT64_MAX ? 0 : tsdl_bad(p, "an id is out of range");
}

static int take_signed(struct parser *p, const struct value *v, int64_t *to)
{
	if (v->token != TOKEN_NUMBER || v->number > INT64_MAX)
		return wrong_type(p);
	*to = v->is_negative ? -(int64_t)v->number : (int64_t)v->number;
	return 0;
}

static int take_uuid(struct parser *p, const struct value *v, uint8_t *uuid)
{
	return v->token == TOKEN_TEXT && ctf_parse_uuid(v->text, uuid) ? 0 : wrong_type(p);
}

static int take_struct(struct parser *p, struct ctf_class **to, struct ctf_class *c)
{
	if (c->type != CTF_STRUCT)
		return tsdl_bad(p, "what should be a struct is another type");
	if (*to)
		return tsdl_bad(p, "a thing is told twice");
	*to = c;
	return 0;
}

static int trace_value(struct block *b, const char *name, const struct value *v)
{
	struct ctf_trace *t = b->to;

	if (!strcmp(name, "uuid")) {
		t->has_uuid = true;
		return take_uuid(b->p, v, t->uuid);
	}
	if (!strcmp(name, "major") || !strcmp(name, "minor"))
		return v->token == TOKEN_NUMBER && v->number == (name[1] == 'a' ? 1 : 8)
			       ? 0
			       : tsdl_bad(b->p, "the metadata are of another version than 1.8");
	if (strcmp(name, "byte_order"))
		return unknown_name(b->p);
	if (v->token == TOKEN_NUMBER)
		return wrong_type(b->p);
	t->order = !strcmp(v->text, "le")				   ? CTF_LITTLE
		   : !strcmp(v->text, "be") || !strcmp(v->text, "network") ? CTF_BIG
									   : CTF_NATIVE;
	return t->order == CTF_NATIVE ? wrong_type(b->p) : 0;
}

static int trace_type(struct block *b, const char *name, struct ctf_class *c)
{
	struct ctf_trace *t = b->to;

	return strcmp(name, "packet.header") ? unknown_name(b->p)
					     : take_struct(b->p, &t->packet_header, c);
}

static int env_value(struct block *b, const char *name, const struct value *v)
{
	struct ctf_trace *t = b->to;
	uint64_t steps = ctf_name_steps(name);
	struct ctf_environment *e;

	for (e = t->environment; e; e = e->next)
		if (ctf_work(t, steps) || !strcmp(e->name, name))
			return tsdl_bad(b->p, "a name is told twice");
	e = ctf_alloc(t, sizeof(*e));
	e->name = name;
	e->next = t->environment;
	t->environment = e;
	if (v->token == TOKEN_WORD)
		return wrong_type(b->p);
	if (v->token == TOKEN_TEXT) {
		e->text = v->text;
		return 0;
	}
	e->number = (int64_t)(v->is_negative ? -v->number : v->number);
	return 0;
}

static int clock_value(struct block *b, const char *name, const struct value *v)
{
	struct ctf_clock *c = b->to;
	uint64_t ignored;

	if (!strcmp(name, "name")) {
		if (v->token == TOKEN_NUMBER)
			return wrong_type(b->p);
		c->name = v->text;
	} else if (!strcmp(name, "uuid")) {
		c->has_uuid = true;
		return take_uuid(b->p, v, c->uuid);
	} else if (!strcmp(name, "freq")) {
		return take_number(b->p, v, &c->frequency);
	} else if (!strcmp(name, "offset")) {
		return take_signed(b->p, v, &c->offset);
	} else if (!strcmp(name, "offset_s")) {
		return take_signed(b->p, v, &c->offset_s);
	} else if (!strcmp(name, "precision")) {
		return take_number(b->p, v, &ignored);
	} else if (!strcmp(name, "absolute")) {
		return v->token == TOKEN_WORD && (!strcasecmp(v->text, "true") ||
						  !strcasecmp(v->text, "false"))
			       ? 0
			       : wrong_type(b->p);
	} else if (!strcmp(name, "description")) {
		return v->token == TOKEN_TEXT ? 0 : wrong_type(b->p);
	} else {
		return unknown_name(b->p);
	}
	return 0;
}

static int stream_value(struct block *b, const char *name, const struct value *v)
{
	struct ctf_stream_class *sc = b->to;

	return strcmp(name, "id") ? unknown_name(b->p) : take_id(b->p, v, &sc->id);
}

static int stream_type(struct block *b, const char *name, struct ctf_class *c)
{
	struct ctf_stream_class *sc = b->to;

	if (!strcmp(name, "packet.context"))
		return take_struct(b->p, &sc->packet_context, c);
	if (!strcmp(name, "event.header"))
		return take_struct(b->p, &sc->event_header, c);
	return strcmp(name, "event.context") ? unknown_name(b->p)
					     : take_struct(b->p, &sc->event_context, c);
}

static int event_value(struct block *b, const char *name, const struct value *v)
{
	struct ctf_event_class *ec = b->to;

	if (!strcmp(name, "id"))
		return take_id(b->p, v, &ec->id);
	if (!strcmp(name, "stream_id"))
		return take_id(b->p, v, &ec->stream_id);
	if (v->token == TOKEN_NUMBER && !strcmp(name, "loglevel"))
		return v->is_negative ? wrong_type(b->p) : 0;
	if (v->token == TOKEN_NUMBER)
		return unknown_name(b->p);
	if (!strcmp(name, "name"))
		ec->name = v->text;
	else if (strcmp(name, "model.emf.uri"))
		return unknown_name(b->p);
	return 0;
}

static int event_type(struct block *b, const char *name, struct ctf_class *c)
{
	struct ctf_event_class *ec = b->to;

	if (!strcmp(name, "context"))
		return take_struct(b->p, &ec->context, c);
	return strcmp(name, "fields") ? unknown_name(b->p) : take_struct(b->p, &ec->payload, c);
}

static int ignore_value(struct block *b, const char *name, const struct value *v)
{
	(void)b;
	(void)name;
	(void)v;
	return 0;
}

/* NAME = VALUE; and NAME := TYPE; */
static int parse_entry(struct block *b)
{
	struct parser *p = b->p;
	const char *name;
	struct value v;

	if (b->take_type && tsdl_is_alias(p))
		return tsdl_declaration(p);
	/* A name in env may be a text, too. */
	if (p->lex.token == TOKEN_TEXT) {
		name = p->lex.text;
		lex_next(&p->lex);
	} else {
		name = tsdl_path(p);
	}
	if (!name || (b->needs[0] && tsdl_is_told_twice(p, &b->told, name)))
		return -1;
	if (p->lex.token == TOKEN_ASSIGN) {
		struct ctf_class *c;

		lex_next(&p->lex);
		c = tsdl_type(p, false);
		if (!c || !b->take_type || b->take_type(b, name, c))
			return tsdl_bad(p, "a type is told where none should be");
	} else if (tsdl_expect(p, '=', "an equals sign is missing") || tsdl_value(p, &v) ||
		   b->take_value(b, name, &v)) {
		return -1;
	}
	return tsdl_expect(p, ';', "a semicolon is missing");
}

static int parse_block(struct block *b)
{
	struct parser *p = b->p;
	struct named_class *names = p->scope;
	const struct told_name *told;
	size_t i;

	p->outer = names;
	lex_next(&p->lex);
	if (tsdl_expect(p, '{', "a block does not begin"))
		return -1;
	while (p->lex.token != '}')
		if (parse_entry(b))
			return -1;
	lex_next(&p->lex);
	p->scope = names;
	p->outer = NULL;
	for (i = 0; i < ARRAY_SIZE(b->needs) && b->needs[i]; i++) {
		for (told = b->told; told && strcmp(told->name, b->needs[i]);)
			told = told->next;
		if (!told)
			return tsdl_bad(p, "a block does not tell what it must");
	}
	return tsdl_expect(p, ';', "a semicolon is missing");
}

static int parse_trace(struct parser *p)
{
	struct block b = {p,	p->trace,    {"major", "minor", "byte_order"},
			  NULL, trace_value, trace_type};

	if (p->trace->order != CTF_NATIVE)
		return tsdl_bad(p, "there is a second trace");

	return parse_block(&b);
}

static int parse_env(struct parser *p)
{
	struct block b = {p, p->trace, {NULL}, NULL, env_value, NULL};

	return parse_block(&b);
}

static int parse_callsite(struct parser *p)
{
	struct block b = {p, NULL, {NULL}, NULL, ignore_value, NULL};

	return parse_block(&b);
}

static int parse_clock(struct parser *p)
{
	struct ctf_clock *c = ctf_alloc(p->trace, sizeof(*c));
	struct block b = {p, c, {"name"}, NULL, clock_value, NULL};

	c->frequency = 1000000000;
	if (parse_block(&b))
		return -1;
	c->next = p->trace->clocks;
	p->trace->clocks = c;
	return ctf_clock_finish(p->trace, c);
}

static int parse_stream(struct parser *p)
{
	struct ctf_stream_class *sc = ctf_alloc(p->trace, sizeof(*sc));
	struct block b = {p, sc, {"id"}, NULL, stream_value, stream_type};

	return parse_block(&b) ? -1 : ctf_add_stream(p->trace, sc);
}

static int parse_event(struct parser *p)
{
	struct ctf_event_class *ec = ctf_alloc(p->trace, sizeof(*ec));
	struct block b = {p, ec, {"name", "id", "stream_id"}, NULL, event_value, event_type};

	if (parse_block(&b))
		return -1;
	*p->last_event = ec;
	p->last_event = &ec->next;
	return 0;
}

/* LTTng-UST may tell of an event before it tells of its stream. */
static int add_events(struct parser *p)
{
	struct ctf_event_class *ec, *next;

	for (ec = p->events; ec; ec = next) {
		struct ctf_stream_class *sc = ctf_stream_class_of(p->trace, ec->stream_id);

		next = ec->next;
		ec->next = NULL;
		if (ctf_work(p->trace, p->trace->nr_streams))
			return -1;
		if (!sc)
			return ctf_refuse(p->trace, "an event is of a stream that is not told of");
		ctf_add_event(sc, ec);
	}
	return 0;
}

static int parse_one(struct parser *p)
{
	static const struct {
		const char *word;
		int (*parse)(struct parser *p);
	} blocks[] = {
		{"trace", parse_trace},	  {"env", parse_env},	  {"clock", parse_clock},
		{"stream", parse_stream}, {"event", parse_event}, {"callsite", parse_callsite},
	};
	size_t i;

	if (tsdl_is_declaration(p))
		return tsdl_declaration(p);
	for (i = 0; i < ARRAY_SIZE(blocks); i++)
		if (lex_is(&p->lex, blocks[i].word))
			return blocks[i].parse(p);
	return tsdl_bad(p, "this is no block of TSDL");
}

/* 16 bytes (CTF 1.8, 5.1), or a text of them, whose bytes may be signed. */
static bool is_uuid(const struct ctf_class *c)
{
	const struct ctf_class *byte = c->element;

	return c->type == CTF_ARRAY && c->length == 16 && byte->type == CTF_INTEGER &&
	       !byte->is_enum && byte->size == 8 && byte->align == 8 &&
	       (!byte->is_signed || ctf_is_text(c));
}

static bool has_bad_magic(const struct ctf_class *header)
{
	const struct ctf_class *magic = ctf_member_of(header, "magic");

	return magic &&
	       (magic != header->members->class || magic->type != CTF_INTEGER || magic->size != 32);
}

int ctf_parse_tsdl(struct ctf_trace *t, const char *text, size_t size)
{
	struct parser p = {.lex = {.trace = t, .at = text, .line = 1}, .trace = t};
	const struct ctf_class *id, *uuid;

	if (strlen(text) < size)
		return ctf_refuse(t, "the metadata have a byte of 0");
	p.last_event = &p.events;
	lex_next(&p.lex);
	while (p.lex.token != TOKEN_END)
		if (parse_one(&p) || ctf_work(t, 0))
			return -1;
	if (add_events(&p))
		return -1;
	if (t->order == CTF_NATIVE || !t->streams)
		return ctf_refuse(t, "the metadata tell of no byte order, or of no stream");
	/* Each stream told its id. */
	id = ctf_member_of(t->packet_header, "stream_id");
	if (!id || id->type != CTF_INTEGER)
		return ctf_refuse(t, "streams have ids, but packets do not tell which is theirs");
	if (has_bad_magic(t->packet_header))
		return ctf_refuse(t, "the magic number of packets is not their first 32 bits");
	uuid = ctf_member_of(t->packet_header, "uuid");
	if (uuid && !is_uuid(uuid))
		return ctf_refuse(t, "the uuid of packets is not 16 bytes");
	return 0;
}
