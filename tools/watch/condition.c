/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "base/text.h"
#include "base/util.h"
#include "condition.h"

/* Beyond an hour nobody waits. */
#define MAX_NS	   (3600 * NS_PER_SEC)
/* As often as it can be looked at. */
#define MIN_PERIOD NS_PER_SEC
#define NAMESPACE  "pid-ns-"
#define HOW	   "give one as 'delay > 20ms in web'"

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

static int refused(const struct condition *c, const char *what)
{
	return argument_error(what, "when", c->text);
}

/* Takes a word from the front. Returns what is behind it, or NULL. */
static const char *take_word(const char *s, const char *word)
{
	size_t len = strlen(word);

	s = skip_blanks(s);
	return !strncmp(s, word, len) && !isalnum((unsigned char)s[len]) && s[len] != '_' ? s + len
											  : NULL;
}

static const char *const words[NR_CONDITIONS] = {
	[CONDITION_DELAY] = "delay",
	[CONDITION_BLOCKED] = "blocked",
	[CONDITION_THROTTLED] = "throttled",
};

const char *condition_word(enum condition_what what)
{
	return words[what];
}

/* Returns what is behind the word, or NULL. */
static const char *take_what(const char *s, enum condition_what *what)
{
	const char *rest = NULL;
	int i;

	for (i = 0; i < NR_CONDITIONS && !rest; i++) {
		rest = take_word(s, words[i]);
		*what = i;
	}
	return rest;
}

/* The nanoseconds of a unit, 0: it is none. */
static uint64_t unit_ns(const char *s, size_t len)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", NS_PER_SEC}};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (strlen(units[i].name) == len && !strncmp(s, units[i].name, len))
			return units[i].ns;
	return 0;
}

/* A number that may have a fraction, and its unit. Returns what is behind it, or NULL. */
static const char *take_duration(const char *s, uint64_t *ns)
{
	size_t digits, len;
	uint64_t unit;
	double n;
	char *end;

	s = skip_blanks(s);
	digits = strspn(s, "0123456789.");
	if (!digits || digits > 20 || !isdigit((unsigned char)*s))
		return NULL;
	n = strtod(s, &end);
	if (end != s + digits)
		return NULL;
	s = skip_blanks(end);
	len = strspn(s, "abcdefghijklmnopqrstuvwxyz");
	unit = unit_ns(s, len);
	if (!unit || n * (double)unit > (double)MAX_NS || n * (double)unit < 1)
		return NULL;
	*ns = (uint64_t)(n * (double)unit + 0.5);
	return s + len;
}

/* The inode of a namespace; 0: it is none. */
static uint64_t take_inode(const char *s)
{
	size_t skipped = strncmp(s, NAMESPACE, strlen(NAMESPACE)) ? 0 : strlen(NAMESPACE);
	unsigned long long n;
	char *end;

	s += skipped;
	errno = 0;
	n = strtoull(s, &end, 10);
	/* Ids of containers may be digits only, but are longer. */
	return isdigit((unsigned char)*s) && !*end && !errno && n <= UINT32_MAX ? n : 0;
}

/* From the first character of its name to the last that is no blank. */
static int take_whom(struct condition *c, const char *s)
{
	size_t len;

	s = skip_blanks(s);
	len = strlen(s);
	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t'))
		len--;
	if (!len)
		return refused(c, "The condition does not say in which container;"
				  " " HOW ", or in any.");
	c->name = xasprintf("%.*s", (int)len, s);
	c->ns_inum = take_inode(c->name);
	if (!strcmp(c->name, "any"))
		c->whom = WHOM_ANY;
	else if (!strcmp(c->name, "host"))
		c->whom = WHOM_HOST;
	else if (c->ns_inum)
		c->whom = WHOM_NAMESPACE;
	else
		c->whom = *c->name == '/' ? WHOM_CGROUP : WHOM_CONTAINER;
	/* As the kernel has paths. */
	while (c->whom == WHOM_CGROUP && len > 1 && c->name[len - 1] == '/')
		c->name[--len] = '\0';
	return 0;
}

/* Of which period it is. Returns what is behind it, or NULL. */
static const char *take_period(struct condition *c, const char *s)
{
	s = skip_blanks(s);
	if (*s == '/')
		s = take_duration(s + 1, &c->period_ns);
	else
		s = NULL;
	return s && c->period_ns >= MIN_PERIOD ? s : NULL;
}

static int parse(struct condition *c)
{
	const char *rest = take_what(c->text, &c->what), *whom;

	if (!rest)
		return refused(c, "The condition cannot be understood; " HOW
				  ", or with blocked or throttled.");
	rest = skip_blanks(rest);
	if (*rest != '>' || rest[1] == '=')
		return refused(c, "Something can only be longer than a duration; " HOW ".");
	rest = take_duration(rest + 1, &c->ns);
	if (!rest)
		return refused(c,
			       "How long is too long cannot be understood; give a number with"
			       " ns, us, ms or s, an hour at most, as in 'delay > 20ms in web'.");
	if (c->what == CONDITION_THROTTLED && !(rest = take_period(c, rest)))
		return refused(c, "How much is too much of which time is not said; give a second"
				  " or more, an hour at most, as in 'throttled > 100ms/1s in"
				  " web'.");
	if (!*skip_blanks(rest))
		return 0;
	whom = take_word(rest, "in");
	if (!whom)
		return refused(c, "What stands behind the duration cannot be understood; " HOW ".");
	if (take_whom(c, whom))
		return -1;
	if (c->what == CONDITION_THROTTLED && c->whom == WHOM_HOST)
		return refused(c, "The host has no quota; give a container or the path of a control"
				  " group.");
	return 0;
}

int condition_parse(struct condition *c, const char *text)
{
	*c = (struct condition){.text = xstrdup(text), .whom = WHOM_ANY};
	if (!parse(c))
		return 0;
	condition_free(c);
	return -1;
}

void condition_free(struct condition *c)
{
	free(c->name);
	free(c->text);
	c->name = NULL;
	c->text = NULL;
}

static char *describe_whom(const struct condition *c)
{
	char *safe, *text;

	switch (c->whom) {
	case WHOM_ANY:
		return xstrdup("any container");
	case WHOM_HOST:
		return xstrdup("the host");
	case WHOM_NAMESPACE:
		return xasprintf("the PID namespace %" PRIu64, c->ns_inum);
	default:
		safe = text_escape(c->name);
		text = xasprintf("the %s %s", c->whom == WHOM_CGROUP ? "cgroup" : "container",
				 safe);
		free(safe);
		return text;
	}
}

/* As many milliseconds as that. The caller frees it. */
static char *milliseconds(uint64_t ns)
{
	return xasprintf("%" PRIu64 ".%06" PRIu64 " ms", ns / 1000000, ns % 1000000);
}

char *condition_describe(const struct condition *c)
{
	char *whom = describe_whom(c), *time = milliseconds(c->ns),
	     *period = milliseconds(c->period_ns), *text = NULL;

	switch (c->what) {
	case CONDITION_BLOCKED:
		text = xasprintf("a task of %s sleeps uninterruptibly for longer than %s", whom,
				 time);
		break;
	case CONDITION_THROTTLED:
		text = xasprintf("a quota keeps %s from CPUs for longer than %s of %s", whom, time,
				 period);
		break;
	default:
		text = xasprintf("a task of %s waits longer than %s for a CPU", whom, time);
	}
	free(whom);
	free(time);
	free(period);
	return text;
}
