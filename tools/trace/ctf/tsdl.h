/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_TSDL_H
#define LC_CTF_TSDL_H

#include "lex.h"

struct named_class {
	struct named_class *next;
	char what; /* a: an alias; s, v, e: the name of a struct, variant, enum */
	const char *name;
	struct ctf_class *class;
};

struct parser {
	struct lexer lex;
	struct ctf_trace *trace;
	struct named_class *scope;	 /* the innermost first (CTF 1.8, section 7.3.1) */
	struct named_class *outer;	 /* where those begin that are around the innermost */
	unsigned int exponent, mantissa; /* bits, of the floating-point number that is read */
	struct ctf_event_class *events, **last_event; /* of all streams, in their order */
	int depth;
};

/* What stands behind an equals sign. */
struct value {
	int token; /* TOKEN_NUMBER, TOKEN_TEXT, TOKEN_WORD */
	bool is_negative;
	uint64_t number;  /* its absolute value */
	const char *text; /* of a text, or words with dots between */
};

/* The names that a block has told of so far. */
struct told_name {
	struct told_name *next;
	const char *name;
};

/* Each prints no message, but notes the reason, and returns -1 or NULL if it finds another thing.
 */
int tsdl_bad(struct parser *p, const char *what);
int tsdl_expect(struct parser *p, int token, const char *what);
int tsdl_value(struct parser *p, struct value *v);
/* Also notes the name. */
int tsdl_is_told_twice(struct parser *p, struct told_name **told, const char *name);
/* Words with dots between; NULL if there are none. */
const char *tsdl_path(struct parser *p);
/* One behind which there is a name: then the last of several words is not the type's. */
struct ctf_class *tsdl_type(struct parser *p, bool has_name);
/* typealias and typedef; they may be in blocks, structs and variants, too. */
bool tsdl_is_alias(const struct parser *p);
/* These, and named structs, variants and enums, which stand alone around all blocks. */
bool tsdl_is_declaration(const struct parser *p);
int tsdl_declaration(struct parser *p);

#endif
