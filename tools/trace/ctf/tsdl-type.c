/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <string.h>

#include "base/util.h"
#include "tsdl.h"

/* Bytes of all its words. */
#define TYPE_NAME_MAX 256

/* Types in TSDL (CTF 1.8, sections 4 and 7.3): what they are, and the names that they get. */

int tsdl_bad(struct parser *p, const char *what)
{
	return ctf_refuse(p->trace, "line %d of the metadata: %s", p->lex.line, what);
}

int tsdl_expect(struct parser *p, int token, const char *what)
{
	if (p->lex.token != token)
		return tsdl_bad(p, what);
	lex_next(&p->lex);
	return 0;
}

const char *tsdl_path(struct parser *p)
{
	char path[512];
	size_t used = 0;

	for (;;) {
		size_t len = p->lex.token == TOKEN_WORD && !lex_is(&p->lex, "typealias")
				     ? strlen(p->lex.text)
				     : sizeof(path);

		if (len >= sizeof(path) - used - 1) {
			tsdl_bad(p, "a name is missing, or too long");
			return NULL;
		}
		memcpy(path + used, p->lex.text, len);
		used += len;
		lex_next(&p->lex);
		if (p->lex.token != '.')
			return ctf_text(p->trace, path, used);
		path[used++] = '.';
		lex_next(&p->lex);
	}
}

int tsdl_value(struct parser *p, struct value *v)
{
	bool has_sign = p->lex.token == '-' || p->lex.token == '+';

	*v = (struct value){.is_negative = p->lex.token == '-'};
	if (has_sign)
		lex_next(&p->lex);
	v->token = p->lex.token;
	v->text = p->lex.text;
	v->number = p->lex.number;
	if (has_sign && v->token != TOKEN_NUMBER)
		return tsdl_bad(p, "a sign is not a number's");
	if (v->token == TOKEN_WORD) {
		v->text = tsdl_path(p);
		return v->text ? 0 : -1;
	}
	if (v->token != TOKEN_NUMBER && v->token != TOKEN_TEXT)
		return tsdl_bad(p, "a value is missing");
	lex_next(&p->lex);
	return 0;
}

static struct ctf_class *copy_class(struct parser *p, const struct ctf_class *from)
{
	struct ctf_class *c = ctf_alloc(p->trace, sizeof(*c));

	*c = *from;
	return c;
}

static struct ctf_class *look_for(struct parser *p, char what, const char *name,
				  const struct named_class *until)
{
	uint64_t steps = ctf_name_steps(name);
	const struct named_class *n;

	for (n = p->scope; n != until && !ctf_work(p->trace, steps); n = n->next)
		if (n->what == what && !strcmp(n->name, name))
			return n->class;
	return NULL;
}

/* Once in each scope. */
static int declare(struct parser *p, char what, const char *name, struct ctf_class *c)
{
	struct named_class *n = ctf_alloc(p->trace, sizeof(*n));

	if (look_for(p, what, name, p->outer))
		return tsdl_bad(p, "a type is told twice");
	*n = (struct named_class){p->scope, what, name, c};
	p->scope = n;
	return 0;
}

static struct ctf_class *find(struct parser *p, char what, const char *name)
{
	struct ctf_class *c = look_for(p, what, name, NULL);

	if (!c)
		tsdl_bad(p, "there is no type of that name");
	return c;
}

/* Where a name is to be told that is not a type's, nor a keyword. */
static bool is_name(struct parser *p)
{
	return p->lex.token == TOKEN_WORD && !lex_is_keyword(&p->lex) &&
	       !look_for(p, 'a', p->lex.text, NULL);
}

static bool is_power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

static int take_order(struct parser *p, struct ctf_class *c, const char *word)
{
	if (!strcmp(word, "le"))
		c->order = CTF_LITTLE;
	else if (!strcmp(word, "be") || !strcmp(word, "network"))
		c->order = CTF_BIG;
	else if (strcmp(word, "native"))
		return tsdl_bad(p, "there is no such byte order");
	return 0;
}

/* map = clock.NAME.value */
static int take_clock(struct parser *p, struct ctf_class *c, const char *path)
{
	uint64_t steps = CTF_CLOCK_STEPS * ctf_name_steps(path);
	size_t len = strlen(path);

	if (len > 12 && !strncmp(path, "clock.", 6) && !strcmp(path + len - 6, ".value"))
		for (c->clock = p->trace->clocks; c->clock && !ctf_work(p->trace, steps);
		     c->clock = c->clock->next)
			if (!strncmp(c->clock->name, path + 6, len - 12) &&
			    !c->clock->name[len - 12])
				return 0;
	return tsdl_bad(p, "there is no such clock");
}

static bool is_one_of(const char *word, const char *words)
{
	size_t len = strlen(word);
	const char *at;

	/* An empty word is everywhere. */
	for (at = words; len && (at = strstr(at, word)); at += len)
		if ((at == words || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

static int take_flag(struct parser *p, const struct value *v, bool *to)
{
	if (v->token != TOKEN_NUMBER && !is_one_of(v->text, "true TRUE false FALSE"))
		return tsdl_bad(p, "a value is neither true nor false");
	*to = v->token == TOKEN_NUMBER ? v->number : *v->text == 't' || *v->text == 'T';
	return 0;
}

static int take_number(struct parser *p, const struct value *v, uint64_t max, uint64_t *to)
{
	if (v->token != TOKEN_NUMBER || v->is_negative || v->number > max)
		return tsdl_bad(p, "a number is out of range");
	*to = v->number;
	return 0;
}

static int take_size(struct parser *p, const struct value *v, unsigned int *size)
{
	uint64_t n = 0;

	if (take_number(p, v, 64, &n))
		return -1;
	*size = (unsigned int)n;
	return 0;
}

static int take_align(struct parser *p, struct ctf_class *c, const struct value *v)
{
	if (take_number(p, v, 1 << 20, &c->align))
		return -1;
	return is_power_of_two(c->align) ? 0 : tsdl_bad(p, "an alignment is no power of two");
}

/* For people: but one that does not exist makes other readers refuse the trace. */
static int check_base(struct parser *p, const struct value *v)
{
	uint64_t n = v->number;

	if (v->token == TOKEN_NUMBER ? n == 2 || n == 8 || n == 10 || n == 16
				     : is_one_of(v->text, "decimal dec d i u hexadecimal hex x X p"
							  " octal oct o binary b"))
		return 0;
	return tsdl_bad(p, "there is no such base");
}

static int take_encoding(struct parser *p, struct ctf_class *c, const struct value *v)
{
	if (v->token == TOKEN_NUMBER ||
	    !is_one_of(v->text, "UTF8 utf8 utf-8 UTF-8 ASCII ascii none"))
		return tsdl_bad(p, "there is no such encoding");
	c->is_char = strcmp(v->text, "none");
	return 0;
}

/* The attributes that a type has. */
static const char *const attributes[] = {
	[CTF_INTEGER] = "size align signed byte_order base encoding map",
	[CTF_FLOAT] = "exp_dig mant_dig align byte_order",
	[CTF_STRING] = "encoding",
};

static int take_attribute(struct parser *p, struct ctf_class *c, const char *name,
			  const struct value *v)
{
	if (!is_one_of(name, attributes[c->type]))
		return tsdl_bad(p, "a type has no such attribute");
	if (!strcmp(name, "size"))
		return take_size(p, v, &c->size);
	if (!strcmp(name, "exp_dig"))
		return take_size(p, v, &p->exponent);
	if (!strcmp(name, "mant_dig"))
		return take_size(p, v, &p->mantissa);
	if (!strcmp(name, "align"))
		return take_align(p, c, v);
	if (!strcmp(name, "signed"))
		return take_flag(p, v, &c->is_signed);
	if (!strcmp(name, "base"))
		return check_base(p, v);
	if (!strcmp(name, "encoding"))
		return take_encoding(p, c, v);
	if (v->token == TOKEN_NUMBER)
		return tsdl_bad(p, "an attribute is a number");
	return strcmp(name, "map") ? take_order(p, c, v->text) : take_clock(p, c, v->text);
}

int tsdl_is_told_twice(struct parser *p, struct told_name **told, const char *name)
{
	uint64_t steps = ctf_name_steps(name);
	struct told_name *t;

	for (t = *told; t; t = t->next)
		if (ctf_work(p->trace, steps) || !strcmp(t->name, name))
			return tsdl_bad(p, "a name is told twice");
	t = ctf_alloc(p->trace, sizeof(*t));
	*t = (struct told_name){*told, name};
	*told = t;
	return 0;
}

static int parse_attributes(struct parser *p, struct ctf_class *c)
{
	struct told_name *told = NULL;

	if (tsdl_expect(p, '{', "the attributes of a type are missing"))
		return -1;
	while (p->lex.token != '}') {
		const char *name = tsdl_path(p);
		struct value v;

		if (name && tsdl_is_told_twice(p, &told, name))
			return -1;

		if (!name || tsdl_expect(p, '=', "an equals sign is missing") ||
		    tsdl_value(p, &v) || take_attribute(p, c, name, &v) ||
		    tsdl_expect(p, ';', "a semicolon is missing"))
			return -1;
	}
	lex_next(&p->lex);
	return 0;
}

static struct ctf_class *parse_integer(struct parser *p)
{
	struct ctf_class *c = ctf_new_class(p->trace, CTF_INTEGER, 0);

	lex_next(&p->lex);
	if (parse_attributes(p, c))
		return NULL;
	if (!c->size || c->size > 64) {
		tsdl_bad(p, "an integer has no size, or more than 64 bits");
		return NULL;
	}
	if (!c->align)
		c->align = c->size % 8 ? 1 : 8;
	return c;
}

static struct ctf_class *parse_float(struct parser *p)
{
	struct ctf_class *c = ctf_new_class(p->trace, CTF_FLOAT, 0);

	lex_next(&p->lex);
	p->exponent = p->mantissa = 0;
	if (parse_attributes(p, c))
		return NULL;
	if (p->exponent == 8 && p->mantissa == 24) {
		c->size = 32;
	} else if (p->exponent == 11 && p->mantissa == 53) {
		c->size = 64;
	} else {
		tsdl_bad(p, "a floating-point number has neither 32 nor 64 bits");
		return NULL;
	}
	if (!c->align)
		c->align = 1;
	return c;
}

static struct ctf_class *parse_string(struct parser *p)
{
	struct ctf_class *c = ctf_new_class(p->trace, CTF_STRING, 8);

	lex_next(&p->lex);
	if (p->lex.token == '{' && parse_attributes(p, c))
		return NULL;
	c->align = 8;
	return c;
}

/* [LENGTH] of arrays, [NAME] of sequences; of several, the last is the innermost. */
static struct ctf_class *parse_lengths(struct parser *p, struct ctf_class *element)
{
	struct ctf_class *c;

	if (p->lex.token != '[' || !element)
		return element;
	if (p->depth > CTF_DEPTH_MAX) {
		tsdl_bad(p, "types are nested too deep");
		return NULL;
	}
	lex_next(&p->lex);
	c = ctf_new_class(p->trace, CTF_ARRAY, 1);
	if (p->lex.token == TOKEN_NUMBER) {
		c->length = p->lex.number;
		lex_next(&p->lex);
	} else {
		c->type = CTF_SEQUENCE;
		c->ref = tsdl_path(p);
	}
	if (tsdl_expect(p, ']', "a bracket is missing"))
		return NULL;
	p->depth++;
	c->element = parse_lengths(p, element);
	p->depth--;
	if (!c->element)
		return NULL;
	c->align = c->element->align;
	return c;
}

/* The fields of a struct, or the options of a variant. */
static int parse_members(struct parser *p, struct ctf_class *c)
{
	struct ctf_member **last = &c->members;
	struct named_class *names = p->scope, *outer = p->outer;
	struct told_name *told = NULL;

	p->outer = names;
	lex_next(&p->lex);
	while (p->lex.token != '}') {
		struct ctf_class *type;

		if (tsdl_is_alias(p)) {
			if (tsdl_declaration(p))
				return -1;
			continue;
		}
		type = tsdl_type(p, true);
		if (!type)
			return -1;
		for (;; lex_next(&p->lex)) {
			struct ctf_member *m = ctf_alloc(p->trace, sizeof(*m));

			m->name = p->lex.text;
			if (!is_name(p))
				return tsdl_bad(p, "a field has no name");
			lex_next(&p->lex);
			if (tsdl_is_told_twice(p, &told, ctf_name(m->name)))
				return -1;
			m->class = parse_lengths(p, type);
			if (!m->class)
				return -1;
			*last = m;
			last = &m->next;
			if (c->type == CTF_STRUCT && m->class->align > c->align)
				c->align = m->class->align;
			if (p->lex.token != ',')
				break;
		}
		if (tsdl_expect(p, ';', "a semicolon is missing"))
			return -1;
	}
	p->scope = names;
	p->outer = outer;
	lex_next(&p->lex);
	return 0;
}

/* Behind struct, variant and enum. NULL: it has none, or, with -1, none that may be. */
static int parse_tag(struct parser *p, const char **name)
{
	*name = NULL;
	if (p->lex.token != TOKEN_WORD)
		return 0;
	if (lex_is_keyword(&p->lex))
		return tsdl_bad(p, "a type has a keyword's name");
	*name = p->lex.text;
	lex_next(&p->lex);
	return 0;
}

/* struct NAME, struct NAME { ... }, struct { ... }, each with align(N) behind, perhaps. */
static struct ctf_class *parse_struct(struct parser *p)
{
	struct ctf_class *c = NULL;
	const char *name;
	uint64_t align;

	lex_next(&p->lex);
	if (parse_tag(p, &name))
		return NULL;
	if (p->lex.token != '{')
		return name ? find(p, 's', name) : (tsdl_bad(p, "a struct has no fields"), NULL);
	c = ctf_new_class(p->trace, CTF_STRUCT, 1);
	if (parse_members(p, c))
		return NULL;
	if (lex_is(&p->lex, "align")) {
		lex_next(&p->lex);
		align = p->lex.token == '(' ? (lex_next(&p->lex), p->lex.number) : 0;
		if (tsdl_expect(p, TOKEN_NUMBER, "an alignment is missing") ||
		    tsdl_expect(p, ')', "a parenthesis is missing"))
			return NULL;
		if (!is_power_of_two(align) || align > 1 << 20) {
			tsdl_bad(p, "an alignment is no power of two");
			return NULL;
		}
		if (align > c->align)
			c->align = align;
	}
	if (name && declare(p, 's', name, c))
		return NULL;
	return c;
}

/* variant <TAG> { ... }; either may be missing, and told elsewhere by its name. */
static struct ctf_class *parse_variant(struct parser *p)
{
	struct ctf_class *c;
	const char *name, *tag = NULL;

	lex_next(&p->lex);
	if (parse_tag(p, &name))
		return NULL;
	if (p->lex.token == '<') {
		lex_next(&p->lex);
		tag = lex_is_keyword(&p->lex) ? NULL : tsdl_path(p);
		if (!tag || tsdl_expect(p, '>', "a variant's tag does not end"))
			return NULL;
	}
	if (p->lex.token == '{') {
		c = ctf_new_class(p->trace, CTF_VARIANT, 1);
		if (parse_members(p, c))
			return NULL;
		if (name && declare(p, 'v', name, c))
			return NULL;
	} else {
		c = name ? find(p, 'v', name) : (tsdl_bad(p, "a variant has no options"), NULL);
	}
	if (c && tag) {
		c = copy_class(p, c);
		c->ref = tag;
	}
	return c;
}

/* A label has the value that it is given, or the one behind the last. */
static int parse_label(struct parser *p, struct ctf_range ***last, int64_t *next)
{
	struct ctf_range *r = ctf_alloc(p->trace, sizeof(*r));
	struct value v;

	r->label = p->lex.text;
	if (p->lex.token != TOKEN_WORD && p->lex.token != TOKEN_TEXT)
		return tsdl_bad(p, "a label is missing");
	lex_next(&p->lex);
	r->low = r->high = *next;
	if (p->lex.token == '=') {
		lex_next(&p->lex);
		if (tsdl_value(p, &v) || v.token != TOKEN_NUMBER)
			return tsdl_bad(p, "a label has no number");
		r->low = r->high = (int64_t)(v.is_negative ? -v.number : v.number);
		if (p->lex.token == TOKEN_DOTS) {
			lex_next(&p->lex);
			if (tsdl_value(p, &v) || v.token != TOKEN_NUMBER)
				return tsdl_bad(p, "a range has no end");
			r->high = (int64_t)(v.is_negative ? -v.number : v.number);
			if (r->high < r->low)
				return tsdl_bad(p, "a range ends before it begins");
		}
	}
	*next = (int64_t)((uint64_t)r->high + 1);
	**last = r;
	*last = &r->next;
	return 0;
}

static int parse_labels(struct parser *p, struct ctf_class *c)
{
	struct ctf_range **last = &c->ranges;
	int64_t next = 0;

	lex_next(&p->lex);
	if (p->lex.token == '}')
		return tsdl_bad(p, "an enum has no labels");
	while (p->lex.token != '}') {
		if (parse_label(p, &last, &next))
			return -1;
		if (p->lex.token == ',')
			lex_next(&p->lex);
		else if (p->lex.token != '}')
			return tsdl_bad(p, "a label does not end");
	}
	lex_next(&p->lex);
	return 0;
}

/* Whether none of the words that name a type tells of another one. */
static bool may_be_integer(const struct lexer *l)
{
	struct lexer ahead = *l;

	for (; ahead.token == TOKEN_WORD; lex_next(&ahead))
		if ((lex_is_of_type(&ahead) && !lex_is_of_integer(&ahead)) ||
		    ahead.at - l->at > TYPE_NAME_MAX)
			return false;
	return true;
}

/* enum NAME : TYPE { ... } */
static struct ctf_class *parse_enum(struct parser *p)
{
	struct ctf_class *c = NULL;
	const char *name;

	lex_next(&p->lex);
	if (parse_tag(p, &name))
		return NULL;
	if (p->lex.token == ':') {
		lex_next(&p->lex);
		if (!may_be_integer(&p->lex)) {
			tsdl_bad(p, "an enum is of another type than an integer");
			return NULL;
		}
		c = tsdl_type(p, false);
		if (!c)
			return NULL;
	}
	if (p->lex.token != '{')
		return name && !c ? find(p, 'e', name)
				  : (tsdl_bad(p, "an enum has no labels"), NULL);
	if (!c)
		c = find(p, 'a', "int");
	if (!c)
		return NULL;
	if (c->type != CTF_INTEGER) {
		tsdl_bad(p, "an enum is of another type than an integer");
		return NULL;
	}
	c = copy_class(p, c);
	c->is_enum = true;
	if (parse_labels(p, c))
		return NULL;
	if (name && declare(p, 'e', name, c))
		return NULL;
	return c;
}

/* The name of a type may be several words, as unsigned long is; and have stars. */
static const char *parse_type_name(struct parser *p, bool has_name)
{
	char name[TYPE_NAME_MAX];
	size_t used = 0;

	while (p->lex.token == TOKEN_WORD || p->lex.token == '*') {
		const char *word = p->lex.token == '*' ? "*" : p->lex.text;
		int peek = lex_peek(&p->lex);
		size_t len = strlen(word);

		if (has_name && used && p->lex.token == TOKEN_WORD && peek != TOKEN_WORD &&
		    peek != '*')
			break;
		if (lex_is_keyword(&p->lex) && !lex_is_of_type(&p->lex)) {
			tsdl_bad(p, "a type has a keyword's name");
			return NULL;
		}
		if (len + 2 > sizeof(name) - used) {
			tsdl_bad(p, "the name of a type is too long");
			return NULL;
		}
		if (used)
			name[used++] = ' ';
		memcpy(name + used, word, len);
		used += len;
		lex_next(&p->lex);
	}
	if (!used) {
		tsdl_bad(p, "a type is missing");
		return NULL;
	}
	return ctf_text(p->trace, name, used);
}

static struct ctf_class *parse_type(struct parser *p, bool has_name)
{
	static const struct {
		const char *word;
		struct ctf_class *(*parse)(struct parser *p);
	} types[] = {
		{"integer", parse_integer}, {"floating_point", parse_float},
		{"string", parse_string},   {"struct", parse_struct},
		{"variant", parse_variant}, {"enum", parse_enum},
	};
	const char *name;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (lex_is(&p->lex, types[i].word))
			return types[i].parse(p);
	name = parse_type_name(p, has_name);
	return name ? find(p, 'a', name) : NULL;
}

struct ctf_class *tsdl_type(struct parser *p, bool has_name)
{
	struct ctf_class *c = NULL;

	if (p->depth < CTF_DEPTH_MAX) {
		p->depth++;
		c = parse_type(p, has_name);
		p->depth--;
	} else {
		tsdl_bad(p, "types are nested too deep");
	}
	return c;
}

bool tsdl_is_alias(const struct parser *p)
{
	return lex_is(&p->lex, "typealias") || lex_is(&p->lex, "typedef");
}

bool tsdl_is_declaration(const struct parser *p)
{
	struct lexer ahead = p->lex;

	if (tsdl_is_alias(p))
		return true;
	if (!lex_is(&ahead, "struct") && !lex_is(&ahead, "variant") && !lex_is(&ahead, "enum"))
		return false;
	ahead.looks_ahead = true;
	lex_next(&ahead);
	if (ahead.token != TOKEN_WORD)
		return false;
	lex_next(&ahead);
	/* struct NAME { ... }; but not struct NAME { ... } field; */
	if (ahead.token != '{' && ahead.token != ':')
		return false;
	while (ahead.token != '{' && ahead.token != TOKEN_END && ahead.token != TOKEN_BAD)
		lex_next(&ahead);
	for (int depth = 0; ahead.token != TOKEN_END && ahead.token != TOKEN_BAD;
	     lex_next(&ahead)) {
		depth += (ahead.token == '{') - (ahead.token == '}');
		if (!depth)
			break;
	}
	ahead.looks_ahead = false;
	lex_next(&ahead);
	while (ahead.token == TOKEN_WORD && !strcmp(ahead.text, "align"))
		for (int i = 0; i < 4; i++)
			lex_next(&ahead);
	return ahead.token == ';';
}

/* What a variant takes is told where it is a field. */
static int declare_alias(struct parser *p, const char *name, struct ctf_class *c)
{
	if (c->type == CTF_VARIANT)
		return tsdl_bad(p, "a variant gets another name");
	return declare(p, 'a', name, c);
}

static int parse_typedef(struct parser *p)
{
	struct ctf_class *c;
	const char *name;

	lex_next(&p->lex);
	c = tsdl_type(p, true);
	name = p->lex.text;
	if (!c || !is_name(p))
		return tsdl_bad(p, "a type gets no name");
	lex_next(&p->lex);
	c = parse_lengths(p, c);
	return c ? declare_alias(p, name, c) : -1;
}

static int parse_typealias(struct parser *p)
{
	struct ctf_class *c;
	const char *name;

	lex_next(&p->lex);
	c = tsdl_type(p, false);
	if (!c || tsdl_expect(p, TOKEN_ASSIGN, "a type gets no name"))
		return -1;
	name = parse_type_name(p, false);
	return name ? declare_alias(p, name, c) : -1;
}

int tsdl_declaration(struct parser *p)
{
	int ret;

	if (lex_is(&p->lex, "typealias"))
		ret = parse_typealias(p);
	else if (lex_is(&p->lex, "typedef"))
		ret = parse_typedef(p);
	else
		ret = tsdl_type(p, false) ? 0 : -1;
	return ret ? -1 : tsdl_expect(p, ';', "a semicolon is missing");
}
