/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "metadata-fields.h"
#include "base/util.h"

/*
 * CTF 2: fragments of JSON, each behind a record separator. A field class may be given a name, as
 * {"type":"field-class-alias","name":N,"field-class":C}, and the text N then stands for C.
 *
 * It is not understood, only counted: each object is a field, and each text that is such a name as
 * many as that has. That is more than there are.
 */
#define SEPARATOR 0x1e

struct class
{
	uint64_t fields;
	int depth;
};

struct fragment {
	struct class sum;
	int depth;     /* of the brackets that are open */
	bool is_alias; /* of its own members: type, and name as a hash */
	bool has_name;
	uint64_t name;
};

struct count {
	const char *at, *end;
	struct hash classes;
	struct fragment fragment;
	uint64_t nr_texts;
	char *text; /* the last one, without escapes */
	size_t len;
	enum { NO_MEMBER, MEMBER_TYPE, MEMBER_NAME } member; /* whose value comes */
	const char *damage;
};

static void add(struct count *c, struct class what)
{
	struct class *sum = &c->fragment.sum;

	/* Both are far below what could overflow in one step. */
	sum->fields += what.fields;
	if (c->fragment.depth + what.depth > sum->depth)
		sum->depth = c->fragment.depth + what.depth;
	if (sum->fields > METADATA_FIELDS_FREE + METADATA_FIELDS_PER_NAME * c->nr_texts)
		c->damage = METADATA_TOO_MANY;
	if (sum->depth > METADATA_JSON_DEPTH_MAX)
		c->damage = METADATA_TOO_DEEP;
}

static void end_fragment(struct count *c)
{
	const struct fragment *f = &c->fragment;
	struct class *class;

	if (f->is_alias && f->has_name) {
		class = hash_get(&c->classes, f->name);
		if (!class) {
			class = xcalloc(1, sizeof(*class));
			hash_put(&c->classes, f->name, class);
		}
		if (f->sum.fields > class->fields)
			class->fields = f->sum.fields;
		if (f->sum.depth > class->depth)
			class->depth = f->sum.depth;
	}
	c->fragment = (struct fragment){0};
	c->member = NO_MEMBER;
}

static unsigned int hex4(const char *s)
{
	char digits[5] = {s[0], s[1], s[2], s[3]};

	return (unsigned int)strtoul(digits, NULL, 16);
}

static void put_utf8(struct count *c, unsigned int u)
{
	static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
	int more = u < 0x80 ? 0 : u < 0x800 ? 1 : u < 0x10000 ? 2 : 3, i;

	c->text[c->len++] = (char)(first[more] | u >> (6 * more));
	for (i = more - 1; i >= 0; i--)
		c->text[c->len++] = (char)(0x80 | (u >> (6 * i) & 0x3f));
}

/* \uXXXX, or two of them for one character; what is neither is no name of anything. */
static void take_code(struct count *c)
{
	unsigned int u, low;

	if (c->end - c->at < 5)
		return;
	u = hex4(c->at + 1);
	c->at += 4;
	if (u >= 0xd800 && u < 0xdc00 && c->end - c->at > 6 && c->at[1] == '\\' &&
	    c->at[2] == 'u') {
		low = hex4(c->at + 3);
		if (low >= 0xdc00 && low < 0xe000) {
			u = 0x10000 + ((u & 0x3ff) << 10 | (low & 0x3ff));
			c->at += 6;
		}
	}
	put_utf8(c, u);
}

static void take_escape(struct count *c)
{
	static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
	const char *letter = *c->at ? strchr(letters, *c->at) : NULL;

	if (*c->at == 'u')
		take_code(c);
	else
		c->text[c->len++] = letter ? meant[letter - letters] : *c->at;
}

/* Behind the opening quote; stays at the one that closes. */
static void read_text(struct count *c)
{
	for (c->len = 0; c->at < c->end && *c->at != '"'; c->at++) {
		if (*c->at == '\\' && c->end - c->at > 1) {
			c->at++;
			take_escape(c);
		} else {
			c->text[c->len++] = *c->at;
		}
	}
}

static bool is_key(const struct count *c)
{
	const char *s = c->at + 1;

	while (s < c->end && strchr(" \t\r\n", *s) && *s)
		s++;
	return s < c->end && *s == ':';
}

static bool is_text(const struct count *c, const char *text)
{
	return c->len == strlen(text) && !memcmp(c->text, text, c->len);
}

static void take_text(struct count *c)
{
	struct fragment *f = &c->fragment;
	const struct class *class;
	uint64_t name;

	read_text(c);
	c->nr_texts++;
	if (is_key(c)) {
		c->member = f->depth != 1	 ? NO_MEMBER
			    : is_text(c, "type") ? MEMBER_TYPE
			    : is_text(c, "name") ? MEMBER_NAME
						 : NO_MEMBER;
		return;
	}
	name = hash_text(c->text, c->len);
	if (c->member == MEMBER_TYPE && is_text(c, "field-class-alias"))
		f->is_alias = true;
	if (c->member == MEMBER_NAME) {
		f->has_name = true;
		f->name = name;
	} else {
		class = hash_get(&c->classes, name);
		if (class)
			add(c, *class);
	}
	c->member = NO_MEMBER;
}

static void take(struct count *c)
{
	switch (*c->at) {
	case '"':
		c->at++;
		take_text(c);
		break;
	case '{':
	case '[':
		c->fragment.depth++;
		add(c, (struct class){.fields = *c->at == '{'});
		c->member = NO_MEMBER;
		break;
	case '}':
	case ']':
		c->fragment.depth -= c->fragment.depth > 0;
		break;
	case SEPARATOR:
		end_fragment(c);
		break;
	}
}

bool metadata_is_json(const char *text, size_t len)
{
	return len && *text == SEPARATOR;
}

const char *metadata_json_damage(const char *text, size_t len)
{
	struct count c = {.at = text, .end = text + len, .text = xcalloc(len + 1, 1)};
	struct class *class;
	size_t pos = 0;

	for (; c.at < c.end && !c.damage; c.at++)
		take(&c);
	free(c.text);
	while ((class = hash_next(&c.classes, &pos)))
		free(class);
	hash_free(&c.classes);
	return c.damage;
}
