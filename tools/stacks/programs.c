/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/symbols.h"
#include "demangler.h"
#include "kept-file.h"
#include "made-functions.h"
#include "process-map.h"
#include "programs.h"
#include "base/util.h"
#include "model/cpus.h"

/* There is no larger function: behind one whose size is not told comes nothing, for long. */
#define FUNCTION_SIZE_MAX (1u << 20)
#define NO_TABLE	  SIZE_MAX

struct user_function {
	uint64_t offset, size;
	const char *name;
};

struct function_table {
	size_t first, nr; /* of all functions */
};

struct user_file {
	const char *path;
	size_t table;
	enum why_unread unread;
};

/* A line m, p, x, e or j. */
struct program_event {
	char kind;
	uint64_t ns, pid, parent;
	size_t number;
	struct mapped map;
	size_t first, nr, maker; /* of the functions that were made */
};

struct programs {
	struct model *model; /* of the host */
	char *text;
	struct user_function *functions;
	size_t nr_functions, cap_functions;
	struct function_table *tables;
	size_t nr_tables, cap_tables;
	struct user_file *files;
	size_t nr_files, cap_files;
	struct program_event *events;
	size_t nr_events, cap_events, next;
	struct process_maps now;
	struct made_functions made;
	struct hash frames, paths;
	struct demangler demangler;
	struct hash readable; /* name -> what it is in the sources, or a copy */
	int64_t clock_offset;
	uint64_t full_ns; /* since when no more is known; 0: nothing was left out so */
	bool lost, has_end;
	bool are_made; /* the functions that follow */
};

/* Takes a number off the line, and the blank behind it. */
static bool take_number(char **line, int base, uint64_t *value)
{
	char *end;

	if (**line == '-' || **line == ' ')
		return false;
	*value = strtoull(*line, &end, base);
	if (end == *line || (*end && *end != ' '))
		return false;
	*line = *end ? end + 1 : end;
	return true;
}

static void take_made_function(struct programs *p, const struct user_function *f)
{
	struct program_event *e = &p->events[p->nr_events - 1];
	const struct made_function made = {
		.address = f->offset,
		.size = f->size,
		.name = f->name,
		.number = p->made.nr,
	};

	made_functions_put(&p->made, &made);
	e->nr++;
}

static void take_function(struct programs *p, char *line)
{
	struct user_function f = {0};

	if (!take_number(&line, 16, &f.offset) || !take_number(&line, 16, &f.size) || !*line)
		return;
	/* As whoever writes them does. */
	line[strnlen(line, FUNCTION_NAME_MAX)] = '\0';
	f.name = line;
	if (p->are_made)
		take_made_function(p, &f);
	if (p->are_made || !p->nr_tables)
		return;
	p->functions =
		grow(p->functions, p->nr_functions, &p->cap_functions, sizeof(*p->functions));
	p->functions[p->nr_functions++] = f;
	p->tables[p->nr_tables - 1].nr++;
}

static void take_table(struct programs *p, char *line)
{
	uint64_t number;

	p->are_made = false;
	if (!take_number(&line, 10, &number) || number != p->nr_tables)
		return;
	p->tables = grow(p->tables, p->nr_tables, &p->cap_tables, sizeof(*p->tables));
	p->tables[p->nr_tables++] = (struct function_table){.first = p->nr_functions};
}

/* One of each, as files of one path are the same in a stack. */
static const char *the_path(struct programs *p, const char *path)
{
	uint64_t key = hash_text(path, strlen(path));
	const char *known;

	for (; (known = hash_get(&p->paths, key)); key++)
		if (!strcmp(known, path))
			return known;
	hash_put(&p->paths, key, (void *)(uintptr_t)path);
	return path;
}

static void take_file(struct programs *p, char *line)
{
	uint64_t number;

	if (!take_number(&line, 10, &number) || number != p->nr_files)
		return;
	p->files = grow(p->files, p->nr_files, &p->cap_files, sizeof(*p->files));
	p->files[p->nr_files++] = (struct user_file){the_path(p, line), NO_TABLE, UNREAD_UNSAID};
}

static void take_link(struct programs *p, char *line)
{
	uint64_t file, table;

	if (take_number(&line, 10, &file) && take_number(&line, 10, &table) && file < p->nr_files &&
	    table < p->nr_tables)
		p->files[file].table = table;
}

static void take_unread(struct programs *p, char *line)
{
	static const char *const why[NR_UNREAD] = {
		[UNREAD_AS_LATE] = UNREAD_LATE,
		[UNREAD_AS_GONE] = UNREAD_GONE,
		[UNREAD_AS_LARGE] = UNREAD_LARGE,
		[UNREAD_AS_BAD] = UNREAD_BAD,
	};
	uint64_t file;
	unsigned int i;

	if (!take_number(&line, 10, &file) || file >= p->nr_files)
		return;
	for (i = 0; i < NR_UNREAD; i++)
		if (why[i] && !strcmp(line, why[i]))
			p->files[file].unread = i;
}

static bool parse_map(const struct programs *p, char *line, struct mapped *m)
{
	uint64_t file;

	if (!take_number(&line, 16, &m->begin) || !take_number(&line, 16, &m->end) ||
	    !take_number(&line, 16, &m->offset) || !take_number(&line, 10, &file))
		return false;
	m->file = file;
	return m->begin < m->end && file < p->nr_files;
}

static void take_event(struct programs *p, char kind, char *line)
{
	struct program_event e = {.kind = kind, .number = p->nr_events, .first = p->made.nr};

	if (!take_number(&line, 10, &e.ns) || !take_number(&line, 10, &e.pid) ||
	    (kind == 'm' && !parse_map(p, line, &e.map)) ||
	    (kind == 'p' && !take_number(&line, 10, &e.parent)))
		return;
	p->events = grow(p->events, p->nr_events, &p->cap_events, sizeof(*p->events));
	p->events[p->nr_events++] = e;
	p->are_made = kind == 'j';
}

static void take_full(struct programs *p, char *line)
{
	p->lost = true;
	if (*line++ == ' ')
		(void)take_number(&line, 10, &p->full_ns);
}

static void take_line(struct programs *p, char *line)
{
	char kind = *line;

	if (kind == ' ')
		take_function(p, line + 1);
	else if (kind == '!')
		take_full(p, line + 1);
	else if (kind == '.')
		p->has_end = true;
	else if (!kind || line[1] != ' ')
		return;
	else if (kind == 't')
		take_table(p, line + 2);
	else if (kind == 'f')
		take_file(p, line + 2);
	else if (kind == 's')
		take_link(p, line + 2);
	else if (kind == 'u')
		take_unread(p, line + 2);
	else if (kind == 'l')
		p->lost = true;
	else if (strchr("mpxej", kind))
		take_event(p, kind, line + 2);
}

static int by_offset(const void *a, const void *b)
{
	const struct user_function *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Each CPU's are in order, but not those of all. */
static int by_time(const void *a, const void *b)
{
	const struct program_event *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* What processes have made: by whom, which their forks and ends say. */
static void apply_to_made(struct made_functions *made, const struct program_event *e)
{
	if (e->kind == 'j')
		made_functions_is(made, e->pid, e->maker);
	else if (e->kind == 'p')
		made_functions_fork(made, e->pid, e->parent);
	else if (e->kind != 'm')
		made_functions_clear(made, e->pid);
}

static void find_makers(struct programs *p)
{
	size_t i, j;

	for (i = 0; i < p->nr_events; i++) {
		struct program_event *e = &p->events[i];

		if (e->kind == 'j')
			e->maker = made_functions_tell(&p->made, e->pid);
		for (j = e->first; e->kind == 'j' && j < e->first + e->nr; j++) {
			p->made.all[j].maker = e->maker;
			p->made.all[j].since = e->ns;
		}
		apply_to_made(&p->made, e);
	}
	made_functions_sort(&p->made);
}

struct programs *programs_of(const struct trace_info *t, struct model *m)
{
	char *whole, *rest = kept_text(t, PROGRAMS_FILE, PROGRAMS_MAX + FUNCTIONS_MAX, &whole);
	struct programs *p;
	char *line;
	size_t i;

	if (!rest)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->model = m;
	p->text = whole;
	p->clock_offset = t->clock_offset;
	/* What has no newline was cut off. */
	while ((line = strsep(&rest, "\n")) && rest)
		take_line(p, line);
	p->lost |= !p->has_end;
	for (i = 0; i < p->nr_tables; i++)
		if (p->tables[i].nr)
			qsort(p->functions + p->tables[i].first, p->tables[i].nr,
			      sizeof(*p->functions), by_offset);
	if (p->nr_events)
		qsort(p->events, p->nr_events, sizeof(*p->events), by_time);
	find_makers(p);
	return p;
}

static void apply(struct programs *p, const struct program_event *e)
{
	apply_to_made(&p->made, e);
	if (e->kind == 'm')
		p->lost |= !process_maps_put(&p->now, e->pid, e->map);
	else if (e->kind == 'p')
		process_maps_fork(&p->now, e->pid, e->parent);
	else if (e->kind != 'j')
		process_maps_clear(&p->now, e->pid);
}

static const struct user_function *function_at(const struct programs *p, size_t table,
					       uint64_t offset)
{
	const struct function_table *t = &p->tables[table];
	const struct user_function *all = p->functions + t->first;
	size_t from = 0, to = t->nr;
	uint64_t size;

	/* The first that is behind it. */
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (all[middle].offset > offset)
			to = middle;
		else
			from = middle + 1;
	}
	if (!from)
		return NULL;
	size = all[from - 1].size ? all[from - 1].size : FUNCTION_SIZE_MAX;
	return offset - all[from - 1].offset < size ? &all[from - 1] : NULL;
}

/* One of each, so that two stacks are the same where their frames are. */
static const struct user_frame *the_one(struct programs *p, const struct user_frame *like)
{
	uint64_t key = hash_numbers(hash_numbers((uintptr_t)like->name, (uintptr_t)like->path),
				    like->offset);
	struct user_frame *f;

	/* Two may have one key. */
	for (; (f = hash_get(&p->frames, key)); key++)
		if (f->name == like->name && f->path == like->path && f->offset == like->offset &&
		    f->unread == like->unread)
			return f;
	f = xcalloc(1, sizeof(*f));
	*f = *like;
	hash_put(&p->frames, key, f);
	return f;
}

/* What a function of that process is called in its sources; each name is asked for once. */
static const char *readable(struct programs *p, const char *name, uint64_t pid)
{
	const char *known;
	struct place at;
	uint64_t owner;
	char *made;

	if (!is_mangled(name))
		return name;
	known = hash_get(&p->readable, (uintptr_t)name);
	if (known)
		return known;
	at = cpus_place(p->model, model_task(p->model, (int64_t)pid));
	owner = place_owner(p->model, &at);
	/* Another one who has it may still be answered. */
	if (!demangler_answers(&p->demangler, owner))
		return name;
	made = demangler_ask(&p->demangler, owner, name);
	if (!made)
		made = xstrdup(name);
	hash_put(&p->readable, (uintptr_t)name, made);
	return made;
}

/* A function that has a file's name, or was made by the process itself, has its begin as offset. */
static void find_function(struct programs *p, const struct user_file *file, uint64_t pid,
			  uint64_t ns, uint64_t address, struct user_frame *frame)
{
	const struct user_function *function = NULL;
	const struct made_function *made = NULL;

	if (file->table != NO_TABLE)
		function = function_at(p, file->table, frame->offset);
	if (!function && symbols_is_memory(file->path))
		made = made_functions_at(&p->made, pid, ns, address);
	if (function) {
		frame->name = readable(p, function->name, pid);
		frame->offset = function->offset;
	} else if (made) {
		frame->name = readable(p, made->name, pid);
		frame->offset = made->address;
	}
}

const struct user_frame *programs_at(struct programs *p, int64_t pid, uint64_t ns, uint64_t address)
{
	struct user_frame frame = {0};
	const struct mapped *m;
	const struct user_file *file;

	ns -= (uint64_t)p->clock_offset;
	while (p->next < p->nr_events && p->events[p->next].ns <= ns)
		apply(p, &p->events[p->next++]);
	/* By now its id may be another's. */
	if (p->full_ns && ns >= p->full_ns)
		return NULL;
	m = pid > 0 ? process_maps_at(&p->now, (uint64_t)pid, address) : NULL;
	if (!m)
		return NULL;
	file = &p->files[m->file];
	frame.path = file->path;
	frame.unread = file->unread;
	frame.is_memory = *file->path == '[' || !strncmp(file->path, "//", 2);
	frame.offset = frame.is_memory ? 0 : address - m->begin + m->offset;
	find_function(p, file, (uint64_t)pid, ns, address, &frame);
	return the_one(p, &frame);
}

bool programs_lost(const struct programs *p)
{
	return p->lost;
}

void programs_free(struct programs *p)
{
	struct user_frame *f;
	char *name;
	size_t pos = 0;

	if (!p)
		return;
	demangler_free(&p->demangler);
	while ((name = hash_next(&p->readable, &pos)))
		free(name);
	hash_free(&p->readable);
	pos = 0;
	while ((f = hash_next(&p->frames, &pos)))
		free(f);
	hash_free(&p->frames);
	hash_free(&p->paths);
	process_maps_free(&p->now);
	made_functions_free(&p->made);
	free(p->functions);
	free(p->tables);
	free(p->files);
	free(p->events);
	free(p->text);
	free(p);
}
