/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/command.h"
#include "base/owner.h"
#include "base/text.h"
#include "base/util.h"
#include "settings.h"

#define BLANKS	 " \t\r\n"
/* Nobody writes more by hand. */
#define MAX_SIZE (1 << 20)

void settings_begin(struct settings *s)
{
	*s = (struct settings){.keep = 20, .every_ns = 10 * NS_PER_SEC};
}

static int take_when(struct settings *s, const char *value)
{
	s->conditions = grow(s->conditions, s->nr, &s->cap, sizeof(*s->conditions));
	return condition_parse(&s->conditions[s->nr], value) ? -1 : (s->nr++, 0);
}

static int take_keep(struct settings *s, const char *value)
{
	return number_option("How many snapshots to keep cannot be understood; give a number, or 0"
			     " for all.",
			     "keep", value, 0, UINT32_MAX, &s->keep);
}

static int take_size(struct settings *s, const char *value)
{
	static const char units[] = "KMG";
	char *text = xstrdup(value);
	size_t len = strlen(text);
	const char *unit = len ? strchr(units, text[len - 1]) : NULL;
	int result;

	if (unit)
		text[len - 1] = '\0';
	result =
		number_option("The size cannot be understood; give bytes, as 500M or 2G.",
			      "max-size", *text ? text : value, 1, UINT64_MAX >> 31, &s->max_bytes);
	free(text);
	if (unit)
		s->max_bytes <<= 10 * (unit - units + 1);
	return result;
}

static int take_every(struct settings *s, const char *value)
{
	uint64_t seconds;

	if (number_option("The time between snapshots cannot be understood; give seconds, 1 or"
			  " more.",
			  "every", value, 1, 86400, &seconds))
		return -1;
	s->every_ns = seconds * NS_PER_SEC;
	return 0;
}

int settings_take(struct settings *s, const char *name, const char *value)
{
	static const struct {
		const char *name;
		int (*take)(struct settings *s, const char *value);
	} all[] = {
		{"when", take_when},
		{"keep", take_keep},
		{"max-size", take_size},
		{"every", take_every},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(all[i].name, name))
			return all[i].take(s, value);
	return argument_error("There is no such setting; there are when, keep, max-size and every.",
			      "setting", name);
}

/* Whether something is wrong with the file itself; it was said then. */
static bool is_bad(const char *path, int fd)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return argument_error(strerror(errno), "config", path);
	if (!S_ISREG(st.st_mode) || st.st_size > MAX_SIZE)
		return argument_error("The configuration is not a file of at most a megabyte.",
				      "config", path);
	if (!owner_is_trusted(st.st_uid) || owner_others_write(&st))
		return argument_error("The configuration is somebody else's, or others may write"
				      " to it; it says what root does.",
				      "config", path);
	return false;
}

/* Cuts the blanks at both ends off. */
static char *trim(char *s)
{
	size_t len;

	s += strspn(s, BLANKS);
	for (len = strlen(s); len && strchr(BLANKS, s[len - 1]);)
		s[--len] = '\0';
	return s;
}

static int take_line(struct settings *s, char *line)
{
	char *name = trim(line), *value;

	if (!*name || *name == '#')
		return 0;
	value = name + strcspn(name, BLANKS);
	if (*value)
		*value++ = '\0';
	return settings_take(s, name, trim(value));
}

static int take_lines(struct settings *s, FILE *file, const char *path)
{
	unsigned int number = 0;
	size_t size = 0;
	char *line = NULL, *safe;
	ssize_t len;
	bool bad = false;

	while (!bad && (len = xgetdelim(&line, &size, '\n', file)) >= 0) {
		number++;
		bad = strlen(line) != (size_t)len
			      ? error("A line of the configuration has a byte of 0.")
			      : take_line(s, line);
	}
	free(line);
	if (!bad && s->nr && !ferror(file))
		return 0;
	safe = text_escape(path);
	if (bad)
		error("The configuration cannot be used. file=%s line=%u", safe, number);
	else
		error("The configuration has no condition; a line is: when delay > 20ms in web"
		      " file=%s",
		      safe);
	free(safe);
	return -1;
}

int settings_read(struct settings *s, const char *path)
{
	/* A pipe that nobody writes to is not waited for. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), result = -1;
	struct settings new;
	FILE *file;

	settings_begin(&new);
	file = is_bad(path, fd) ? NULL : fdopen(fd, "r");
	if (file) {
		result = take_lines(&new, file, path);
		fclose(file);
	} else if (fd >= 0) {
		close(fd);
	}
	if (result) {
		settings_free(&new);
		return -1;
	}
	settings_free(s);
	*s = new;
	return 0;
}

void settings_free(struct settings *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		condition_free(&s->conditions[i]);
	free(s->conditions);
	*s = (struct settings){0};
}
