/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/symbols.h"
#include "kept-file.h"
#include "kernel-symbols.h"
#include "base/util.h"

/* There is no larger function: behind the last one of a module comes nothing, for long. */
#define FUNCTION_MAX (1u << 20)
/* Nor one with a longer name, which each stack that has it would repeat. */
#define NAME_BYTES   512

struct kernel_symbol {
	uint64_t address;
	const char *name;
	bool is_global;
	size_t number; /* in the file */
};

/* "ffffffff81000000 T name", and behind a tab the module. Takes the line apart. */
static void take_line(struct kernel_symbols *s, char *line)
{
	struct kernel_symbol sym = {.number = s->nr};
	size_t len;
	char *end;

	sym.address = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return;
	sym.is_global = end[1] == 'T';
	sym.name = end + 3;
	len = strcspn(end + 3, " \t");
	end[3 + (len < NAME_BYTES ? len : NAME_BYTES)] = '\0';
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

/* Of several at one address but the first. */
static void drop_others(struct kernel_symbols *s)
{
	size_t i, to = 0;

	for (i = 0; i < s->nr; i++)
		if (!to || s->all[to - 1].address != s->all[i].address)
			s->all[to++] = s->all[i];
	s->nr = to;
}

struct kernel_symbols kernel_symbols_of(const struct trace_info *t)
{
	struct kernel_symbols s = {0};
	char *line, *rest = kept_text(t, SYMBOLS_FILE, SYMBOLS_MAX, &s.text);

	while ((line = strsep(&rest, "\n")))
		take_line(&s, line);
	if (s.nr)
		qsort(s.all, s.nr, sizeof(*s.all), by_address);
	drop_others(&s);
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
	return s->all[from - 1].name;
}

void kernel_symbols_free(struct kernel_symbols *s)
{
	free(s->all);
	free(s->text);
	*s = (struct kernel_symbols){0};
}
