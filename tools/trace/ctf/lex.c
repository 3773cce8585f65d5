/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "lex.h"

static void skip_blanks(struct lexer *l)
{
	for (;;) {
		if (*l->at == '\n')
			l->line++;
		if (*l->at && strchr(" \t\r\n", *l->at)) {
			l->at++;
		} else if (l->at[0] == '/' && l->at[1] == '/') {
			const char *end = strchr(l->at, '\n');

			if (!end)
				return;
			l->at = end;
		} else if (l->at[0] == '/' && l->at[1] == '*') {
			const char *end = strstr(l->at + 2, "*/");

			for (; end && l->at < end; l->at++)
				l->line += *l->at == '\n';
			if (!end)
				return;
			l->at = end + 2;
		} else {
			return;
		}
	}
}

/* C's escapes. */
static char unescape(const char **at)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	const char *s = *at + 1, *known = *s ? strchr(from, *s) : NULL;
	unsigned int value = 0;
	int i;

	if (*s >= '0' && *s <= '7') {
		for (i = 0; i < 3 && *s >= '0' && *s <= '7'; i++)
			value = value * 8 + (unsigned int)(*s++ - '0');
		*at = s;
		return (char)value;
	}
	if (*s == 'x' && isxdigit((unsigned char)s[1])) {
		*at = s + 1;
		value = (unsigned int)strtoul(
			(char[3]){s[1], isxdigit((unsigned char)s[2]) ? s[2] : 0}, NULL, 16);
		*at += isxdigit((unsigned char)s[2]) ? 2 : 1;
		return (char)value;
	}
	*at = s + 1;
	return known ? to[known - from] : *s;
}

static int read_text(struct lexer *l)
{
	const char *end = l->at + 1;
	char *copy;

	for (; *end && *end != '"'; end++) {
		if (*end != '\\')
			continue;
		end++;
		if (!*end || !strchr("abfnrtvx'\"?\\01234567", *end))
			return TOKEN_BAD;
	}
	if (!*end)
		return TOKEN_BAD;
	if (l->looks_ahead) {
		l->at = end + 1;
		return TOKEN_TEXT;
	}
	copy = ctf_alloc(l->trace, (size_t)(end - l->at));
	l->text = copy;
	for (l->at++; l->at < end;) {
		l->line += *l->at == '\n';
		*copy++ = *l->at == '\\' ? unescape(&l->at) : *l->at++;
	}
	l->at = end + 1;
	return TOKEN_TEXT;
}

static int read_number(struct lexer *l)
{
	char *end;

	errno = 0;
	l->number = strtoull(l->at, &end, 0);
	if (errno)
		return TOKEN_BAD;
	end += strspn(end, "uUlL");
	l->at = end;
	return isalnum((unsigned char)*end) || *end == '_' ? TOKEN_BAD : TOKEN_NUMBER;
}

static int read_word(struct lexer *l)
{
	const char *end = l->at;

	while (isalnum((unsigned char)*end) || *end == '_')
		end++;
	if (!l->looks_ahead)
		l->text = ctf_text(l->trace, l->at, (size_t)(end - l->at));
	l->at = end;
	return TOKEN_WORD;
}

static int read_token(struct lexer *l)
{
	unsigned char c;

	skip_blanks(l);
	c = (unsigned char)*l->at;
	if (!c)
		return TOKEN_END;
	if (isdigit(c))
		return read_number(l);
	if (isalpha(c) || c == '_')
		return read_word(l);
	if (c == '"')
		return read_text(l);
	if (!strncmp(l->at, ":=", 2)) {
		l->at += 2;
		return TOKEN_ASSIGN;
	}
	if (!strncmp(l->at, "...", 3)) {
		l->at += 3;
		return TOKEN_DOTS;
	}
	if (!strchr("{}[]()<>:;=,.-+*", c))
		return TOKEN_BAD;
	l->at++;
	return c;
}

void lex_next(struct lexer *l)
{
	const char *from = l->at;

	l->token = read_token(l);
	if (l->looks_ahead && ctf_work(l->trace, 8 + (uint64_t)(l->at - from)))
		l->token = TOKEN_BAD;
}

int lex_peek(const struct lexer *l)
{
	struct lexer ahead = *l;

	skip_blanks(&ahead);
	if (isalpha((unsigned char)*ahead.at) || *ahead.at == '_')
		return TOKEN_WORD;
	return (unsigned char)*ahead.at;
}

bool lex_is(const struct lexer *l, const char *word)
{
	return l->token == TOKEN_WORD && !strcmp(l->text, word);
}

static bool is_one_of(const struct lexer *l, const char *const *words, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (lex_is(l, words[i]))
			return true;
	return false;
}

bool lex_is_keyword(const struct lexer *l)
{
	static const char *const words[] = {
		"align", "const",    "char",	       "clock",	     "double",	 "enum",
		"env",	 "event",    "floating_point", "float",	     "integer",	 "int",
		"long",	 "short",    "signed",	       "stream",     "string",	 "struct",
		"trace", "callsite", "typealias",      "typedef",    "unsigned", "variant",
		"void",	 "_Bool",    "_Complex",       "_Imaginary",
	};

	return is_one_of(l, words, ARRAY_SIZE(words));
}

bool lex_is_of_integer(const struct lexer *l)
{
	static const char *const words[] = {
		"const", "char", "int", "long", "short", "signed", "unsigned", "_Bool",
	};

	return is_one_of(l, words, ARRAY_SIZE(words));
}

bool lex_is_of_type(const struct lexer *l)
{
	static const char *const words[] = {"double", "float", "void", "_Complex", "_Imaginary"};

	return lex_is_of_integer(l) || is_one_of(l, words, ARRAY_SIZE(words));
}
