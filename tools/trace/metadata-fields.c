/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "metadata-fields.h"
#include "base/util.h"

/*
 * The text is not understood, only counted: each name stands for one field, or for as many as the
 * largest type of that name has, wherever it was declared. That is more than there are, and with
 * what tracers write little more: the 1,700 events of a kernel count less than twice their names.
 */
/* Structures of LTTng's nest 3 deep. */
#define DEPTH_MAX 64

struct type {
	uint64_t fields;
	int depth;
};

struct name {
	const char *s;
	size_t len;
};

/* What is between braces. */
struct scope {
	struct type sum;
	struct name of;	  /* the structure's; NULL: it has none, or is none */
	bool is_compound; /* else it is one field, or none: an integer's attributes */
	bool is_variant;
	uint64_t nr;	    /* of its statements */
	uint64_t nr_listed; /* fields, labels, or what else it tells */
	size_t longest;	    /* name or text since the last of them, bytes */

	/* Since the last semicolon: */
	struct type statement;
	enum { NO_KEYWORD, TYPEDEF, TYPEALIAS } keyword;
	bool after_alias;   /* := of a typealias */
	bool met_structure; /* struct or variant came, and no { yet; and a name after it */
	bool met_variant, met_its_name;
	struct name last; /* the last name, and for how many fields it was counted */
	uint64_t last_fields;
};

struct count {
	const char *at, *end;
	struct hash types;
	struct scope *scopes;
	size_t nr, cap;
	uint64_t nr_names;
	uint64_t options_work; /* third powers of variants' options */
	uint64_t steps;	       /* see METADATA_STEPS_MAX */
	const char *damage;
};

static bool is_word(const struct name *name, const char *word)
{
	return name->len == strlen(word) && !memcmp(name->s, word, name->len);
}

static struct scope *scope_of(struct count *c)
{
	return &c->scopes[c->nr - 1];
}

static struct type *type_of(struct count *c, const struct name *name)
{
	return hash_get(&c->types, hash_text(name->s, name->len));
}

static void declare(struct count *c, const struct name *name, struct type as)
{
	struct type *t = type_of(c, name);

	if (!t) {
		t = xcalloc(1, sizeof(*t));
		hash_put(&c->types, hash_text(name->s, name->len), t);
	}
	if (as.fields > t->fields)
		t->fields = as.fields;
	if (as.depth > t->depth)
		t->depth = as.depth;
}

static void add(struct count *c, struct type what)
{
	struct type *sum = &scope_of(c)->statement;

	sum->fields += what.fields;
	if (what.depth > sum->depth)
		sum->depth = what.depth;
	/* Both are far below what could overflow in one step. */
	if (sum->fields > METADATA_FIELDS_FREE + METADATA_FIELDS_PER_NAME * c->nr_names)
		c->damage = METADATA_TOO_MANY;
	if (sum->depth > DEPTH_MAX)
		c->damage = METADATA_TOO_DEEP;
}

static void open_scope(struct count *c)
{
	struct scope new = {0}, *in = c->nr ? scope_of(c) : NULL;

	if (in && in->met_structure) {
		new.is_compound = true;
		new.is_variant = in->met_variant;
		if (in->met_its_name)
			new.of = in->last;
		in->met_structure = in->met_its_name = false;
	}
	if (c->nr > DEPTH_MAX)
		c->damage = METADATA_TOO_DEEP;
	c->scopes = grow(c->scopes, c->nr, &c->cap, sizeof(*c->scopes));
	c->scopes[c->nr++] = new;
}

static void end_statement(struct scope *s)
{
	struct scope ended = *s;

	*s = (struct scope){.sum = ended.sum,
			    .of = ended.of,
			    .is_compound = ended.is_compound,
			    .is_variant = ended.is_variant,
			    .nr = ended.nr + 1,
			    .nr_listed = ended.nr_listed};
	s->sum.fields += ended.statement.fields;
	if (ended.statement.depth > s->sum.depth)
		s->sum.depth = ended.statement.depth;
}

/* With the end of the last one, which has a semicolon, one too many are counted. */
static void count_options(struct count *c, uint64_t nr)
{
	const uint64_t max = METADATA_OPTIONS_MAX + 1;

	if (nr <= max)
		c->options_work += nr * nr * nr;
	if (nr > max || c->options_work > max * max * max)
		c->damage = METADATA_TOO_MANY_OPTIONS;
}

/* One more name is told there. Blocks, which are not within braces, are not compared. */
static void count_listed(struct count *c)
{
	struct scope *s = scope_of(c);

	if (c->nr > 1)
		c->steps += s->nr_listed++ * (1 + s->longest / 32);
	s->longest = 0;
	if (c->steps > METADATA_STEPS_MAX)
		c->damage = METADATA_TOO_MANY_NAMES;
}

static void take_longest(struct count *c, size_t len)
{
	struct scope *s = scope_of(c);

	if (len > s->longest)
		s->longest = len;
}

static void close_scope(struct count *c)
{
	struct scope *s = scope_of(c);
	struct type whole;
	bool is_block;

	if (c->nr == 1)
		return;
	count_listed(c);
	end_statement(s);
	if (s->is_variant)
		count_options(c, s->nr);
	/* An event, or a stream: what is around it is no type. */
	is_block = c->nr == 2 && c->scopes[0].keyword == NO_KEYWORD;
	whole.fields = s->is_compound || is_block ? s->sum.fields + 1 : 1;
	whole.depth = s->sum.depth + 1;
	if (s->of.s)
		declare(c, &s->of, whole);
	c->nr--;
	add(c, whole);
}

/* typedef TYPE NAME, NAME[3]; and typealias TYPE := NAME; */
static void declare_alias(struct count *c)
{
	const struct scope *s = scope_of(c);
	struct type as = s->statement;

	if (!s->last.s || (s->keyword != TYPEDEF && !s->after_alias))
		return;
	/* The name is no field of its own type. */
	as.fields -= s->last_fields;
	declare(c, &s->last, as);
}

static void take_name(struct count *c, const struct name *name)
{
	struct scope *s = scope_of(c);
	struct type *known, as = {.fields = 1};

	if (is_word(name, "struct") || is_word(name, "variant")) {
		s->met_structure = true;
		s->met_variant = is_word(name, "variant");
		s->met_its_name = false;
		return;
	}
	if (is_word(name, "typedef") || is_word(name, "typealias")) {
		s->keyword = is_word(name, "typedef") ? TYPEDEF : TYPEALIAS;
		s->after_alias = false;
		return;
	}
	if (is_word(name, "enum") || is_word(name, "integer") || is_word(name, "string") ||
	    is_word(name, "floating_point"))
		s->met_structure = false;
	c->nr_names++;
	take_longest(c, name->len);
	s->met_its_name = s->met_structure;
	s->last = *name;
	known = type_of(c, name);
	if (known)
		as = *known;
	s->last_fields = as.fields;
	add(c, as);
}

static void take_sign(struct count *c, char sign)
{
	struct scope *s = scope_of(c);

	switch (sign) {
	case '{':
		open_scope(c);
		break;
	case '}':
		close_scope(c);
		break;
	case '=':
		s->after_alias = s->keyword == TYPEALIAS;
		break;
	case ',':
		count_listed(c);
		/* fallthrough */
	case '[':
		declare_alias(c);
		break;
	case ';':
		count_listed(c);
		declare_alias(c);
		end_statement(s);
		break;
	}
}

/* Behind the next such mark, or at the end. */
static void skip_to(struct count *c, const char *mark)
{
	size_t len = strlen(mark);

	while (c->at < c->end) {
		if (*mark != '*' && *mark != '\n' && *c->at == '\\' && c->end - c->at > 1)
			c->at++;
		else if ((size_t)(c->end - c->at) >= len && !memcmp(c->at, mark, len))
			break;
		c->at++;
	}
	c->at += (size_t)(c->end - c->at) < len ? (size_t)(c->end - c->at) : len;
}

static bool skip(struct count *c)
{
	const char *mark = NULL, *begin;
	size_t left = (size_t)(c->end - c->at), opens = 1;

	if (*c->at == '"' || *c->at == '\'') {
		mark = *c->at == '"' ? "\"" : "'";
	} else if (left > 1 && *c->at == '/' && (c->at[1] == '*' || c->at[1] == '/')) {
		mark = c->at[1] == '*' ? "*/" : "\n";
		opens = 2;
	}
	if (!mark)
		return false;
	c->at += opens;
	begin = c->at;
	skip_to(c, mark);
	if (opens == 1)
		take_longest(c, (size_t)(c->at - begin));
	return true;
}

static bool is_of_name(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

const char *metadata_fields_damage(const char *text, size_t len)
{
	struct count c = {.at = text, .end = text + len};
	struct type *t;
	size_t pos = 0;

	open_scope(&c);
	while (c.at < c.end && !c.damage) {
		const char *begin = c.at;

		if (skip(&c))
			continue;
		while (c.at < c.end && is_of_name(*c.at))
			c.at++;
		if (c.at == begin)
			take_sign(&c, *c.at++);
		else if (!isdigit((unsigned char)*begin))
			take_name(&c, &(struct name){begin, (size_t)(c.at - begin)});
	}
	free(c.scopes);
	while ((t = hash_next(&c.types, &pos)))
		free(t);
	hash_free(&c.types);
	return c.damage;
}
