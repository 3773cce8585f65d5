/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/symbols.h"
#include "kernel-symbols.h"
#include "base/util.h"

/* There is no larger function: behind the last one of a module comes nothing, for long. */
#define FUNCTION_MAX (1u << 20)

struct kernel_symbol {
	uint64_t address;
	const char *name;
	bool is_global;
	size_t number; /* in the file */
};

/* Somebody else, who can write above a trace, tells no names. */
static bool is_owner_trusted(uid_t owner, const char *trace)
{
	struct stat st;

	return !owner || owner == geteuid() || (!stat(trace, &st) && owner == st.st_uid);
}

/* Reads a regular file that is not larger than what is written; NULL: it is none. Free it. */
static char *read_whole(int fd, const char *trace)
{
	struct stat st;
	char *text;
	size_t size, used = 0;
	ssize_t got = 1;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    st.st_size > SYMBOLS_MAX + 4096 || !is_owner_trusted(st.st_uid, trace))
		return NULL;
	size = (size_t)st.st_size;
	text = xcalloc(size + 1, 1);
	while (used < size && (got = read(fd, text + used, size - used)) > 0)
		used += (size_t)got;
	return text;
}

static char *read_at(const char *dir, const char *above)
{
	char *path = xasprintf("%s%s/" SYMBOLS_FILE, dir, above), *text = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	free(path);
	if (fd < 0)
		return NULL;
	text = read_whole(fd, dir);
	close(fd);
	return text;
}

static bool is_of_boot(const char *text, const char *boot_id)
{
	size_t head = strlen(SYMBOLS_HEAD), len = strlen(boot_id);

	return len && !strncmp(text, SYMBOLS_HEAD, head) && !strncmp(text + head, boot_id, len) &&
	       text[head + len] == '\n';
}

/* "ffffffff81000000 T name", and behind a tab the module. Takes the line apart. */
static void take_line(struct kernel_symbols *s, char *line)
{
	struct kernel_symbol sym = {.number = s->nr};
	char *end;

	sym.address = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return;
	sym.is_global = end[1] == 'T';
	sym.name = end + 3;
	end[3 + strcspn(end + 3, " \t")] = '\0';
	s->all = grow(s->all, s->nr, &s->cap, sizeof(*s->all));
	s->all[s->nr++] = sym;
}

/* Of several at one address the one comes first that a person would choose. */
static int by_address(const void *a, const void *b)
{
	const struct kernel_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->is_global != y->is_global)
		return x->is_global ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

struct kernel_symbols kernel_symbols_of(const struct trace_info *t)
{
	/* The trace is in `kernel`; that of a snapshot one level below. */
	static const char *const places[] = {"/..", "/../.."};
	struct kernel_symbols s = {0};
	char *line, *rest;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places) && !s.text; i++) {
		s.text = read_at(t->path, places[i]);
		if (s.text && !is_of_boot(s.text, t->boot_id)) {
			free(s.text);
			s.text = NULL;
		}
	}
	if (!s.text)
		return s;
	rest = s.text;
	strsep(&rest, "\n");
	while ((line = strsep(&rest, "\n")))
		take_line(&s, line);
	if (s.nr)
		qsort(s.all, s.nr, sizeof(*s.all), by_address);
	return s;
}

const char *kernel_symbol_at(const struct kernel_symbols *s, uint64_t address)
{
	size_t from = 0, to = s->nr;

	/* The first that is behind it. */
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (s->all[middle].address > address)
			to = middle;
		else
			from = middle + 1;
	}
	if (!from || address - s->all[from - 1].address >= FUNCTION_MAX)
		return NULL;
	for (from--; from && s->all[from - 1].address == s->all[from].address;)
		from--;
	return s->all[from].name;
}

void kernel_symbols_free(struct kernel_symbols *s)
{
	free(s->all);
	free(s->text);
	*s = (struct kernel_symbols){0};
}
