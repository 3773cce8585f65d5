/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_LEX_H
#define LC_CTF_LEX_H

#include "ctf.h"

/* The words of TSDL (CTF 1.8, appendix C.1.1). */

enum {
	TOKEN_END,
	TOKEN_WORD = 256, /* keywords, too */
	TOKEN_NUMBER,
	TOKEN_TEXT,
	TOKEN_ASSIGN, /* := */
	TOKEN_DOTS,   /* ... */
	TOKEN_BAD,
};

struct lexer {
	struct ctf_trace *trace;
	const char *at;
	int line;
	int token;	  /* one of the above, or a character */
	const char *text; /* of a word or a text */
	uint64_t number;
	/* Texts are not kept, what is read is counted as work, and too much of it is TOKEN_BAD. */
	bool looks_ahead;
};

/* Goes on to the next word. */
void lex_next(struct lexer *l);
/* The token behind the current one. */
int lex_peek(const struct lexer *l);
bool lex_is(const struct lexer *l, const char *word);
/* A word that is no name. */
bool lex_is_keyword(const struct lexer *l);
/* Which of these the name of a type may have, as in C; that of an integer's. */
bool lex_is_of_type(const struct lexer *l);
bool lex_is_of_integer(const struct lexer *l);

#endif
