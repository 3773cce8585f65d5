/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "suggest.h"
#include "text.h"
#include "util.h"

int argument_error(const char *what, const char *name, const char *value)
{
	char *safe = text_escape(value);

	error("%s %s=%s", what, name, safe);
	free(safe);
	return -1;
}

int unknown_word(const char *what, const char *name, const char *value, const char *meant)
{
	char *text =
		meant ? xasprintf("%s; did you mean %s?", what, meant) : xasprintf("%s.", what);

	argument_error(text, name, value);
	free(text);
	return -1;
}

int number_option(const char *what, const char *option, const char *text, uint64_t min,
		  uint64_t max, uint64_t *n)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < min || value > max)
		return argument_error(what, option, text);
	*n = value;
	return 0;
}

/* The option that getopt_long() just refused; valid until the next call. */
static const char *refused_option(char **argv)
{
	static char letter[3] = "-";

	/* optopt is set for a letter, and for a long option that was given a value. */
	if (optopt > ' ' && strncmp(argv[optind - 1], "--", 2)) {
		letter[1] = (char)optopt;
		return letter;
	}
	return argv[optind - 1];
}

static int refuse_option(const char *typed, const struct option *options)
{
	char *word = xasprintf("%.*s", (int)strcspn(typed, "="), typed);
	char *meant = NULL;
	struct suggestion s = {.typed = word + strspn(word, "-")};

	for (; options->name && !strncmp(word, "--", 2); options++)
		suggest_offer(&s, options->name);
	if (s.best)
		meant = xasprintf("--%s", s.best);
	unknown_word("There is no such option", "option", typed, meant);
	free(meant);
	free(word);
	return -1;
}

int options_parse(int argc, char **argv, const char *letters, const struct option *options,
		  int (*take)(void *args, int c), void *args)
{
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (c == ':')
			return argument_error("The option needs a value.", "option",
					      argv[optind - 1]);
		if (c == '?')
			return refuse_option(refused_option(argv), options);
		if (take(args, c))
			return -1;
	}
	return 0;
}

int usage_error(const char *command)
{
	note("Try: lttng-containers %s%s--help", command, *command ? " " : "");
	return EXIT_TROUBLE;
}

void report_open(struct report *r)
{
	*r = (struct report){0};
	r->out = text_stream(&r->text, &r->size);
}

static int not_written(int why)
{
	return error("The report cannot be written to standard output. reason=%s", strerror(why));
}

int report_show(struct report *r)
{
	bool ok = !fclose(r->out) && fwrite(r->text, 1, r->size, stdout) == r->size &&
		  !fflush(stdout);
	int why = errno;

	free(r->text);
	*r = (struct report){0};
	return ok ? 0 : not_written(why);
}

int report_flush(void)
{
	return fflush(stdout) || ferror(stdout) ? not_written(errno) : 0;
}

void report_drop(struct report *r)
{
	if (r->out)
		fclose(r->out);
	free(r->text);
	*r = (struct report){0};
}
