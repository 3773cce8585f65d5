/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/symbols.h"
#include "record.h"
#include "record-elf.h"
#include "record-files.h"
#include "base/text.h"
#include "base/util.h"

#define NR_FILES_MAX (1u << 16)
#define QUEUE_MAX    4096
/* How often a file is tried: thrice where its reader came to no good end, else whose process was
 * gone. */
#define TRIES_MAX    24
#define TRIES_BAD    8
#define READER_NS    (4 * NS_PER_SEC)
#define END_MS	     200

struct file {
	char *key;
	size_t number;
	unsigned int tries;
	bool is_read, is_wanted;
};

struct table {
	size_t number, len;
	off_t at;
};

static void __attribute__((format(printf, 2, 3))) put(struct files *f, const char *fmt, ...)
{
	va_list args;
	int len;

	if (f->is_full)
		return;
	/* The mark has room behind it. */
	if (f->written > PROGRAMS_MAX) {
		f->is_full = true;
		fputs("!\n", f->out);
		return;
	}
	va_start(args, fmt);
	len = vfprintf(f->out, fmt, args);
	va_end(args);
	f->written += len > 0 ? (uint64_t)len : 0;
}

static int put_head(struct files *f)
{
	char id[SYMBOLS_BOOT_ID] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (file && fgets(id, sizeof(id), file))
		put(f, SYMBOLS_HEAD "%s\n", id);
	if (file)
		fclose(file);
	return *id && !fflush(f->out) ? 0 : -1;
}

int files_open(struct files *f, int fd)
{
	*f = (struct files){.fd = fd, .out = fdopen(fd, "w+"), .from = -1};
	return f->out ? put_head(f) : -1;
}

static char *key_of(const struct mapping *m)
{
	char *key = xasprintf("%x:%x:%" PRIu64 " %s", m->major, m->minor, m->inode, m->path), *c;

	for (c = key; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return key;
}

/* The file, which is told when it is new; NULL: there are too many. */
static struct file *file_of(struct files *f, const struct mapping *m)
{
	char *key = key_of(m);
	uint64_t hash = hash_text(key, strlen(key));
	struct file *file;

	/* Two may have one key. */
	for (; (file = hash_get(&f->known, hash)); hash++)
		if (!strcmp(file->key, key))
			break;
	if (file || f->known.nr >= NR_FILES_MAX) {
		free(key);
		return file;
	}
	file = xcalloc(1, sizeof(*file));
	file->key = key;
	file->number = f->known.nr;
	/* What has no inode is no file: the kernel's own, or memory. */
	file->is_read = !m->inode || !strcmp(m->path, SYMBOLS_ANON);
	hash_put(&f->known, hash, file);
	put(f, "f %zu %s\n", file->number, strchr(key, ' ') + 1);
	return file;
}

static void want(struct files *f, struct file *file, const struct change *c)
{
	if (file->is_read || file->is_wanted || file->tries >= TRIES_MAX || f->is_full ||
	    f->nr - f->first >= QUEUE_MAX)
		return;
	if (f->first == f->nr)
		f->first = f->nr = 0;
	file->is_wanted = true;
	f->queue = grow(f->queue, f->nr, &f->cap, sizeof(*f->queue));
	f->queue[f->nr] = (struct wanted){file, c->pid, c->map};
	/* It is the kernel's, for a moment. */
	f->queue[f->nr++].map.path = NULL;
}

static void take_map(struct files *f, const struct change *c)
{
	struct file *file = file_of(f, &c->map);

	if (!file) {
		f->lost++;
		return;
	}
	put(f, "m %" PRIu64 " %u %" PRIx64 " %" PRIx64 " %" PRIx64 " %zu\n", c->ns, c->pid,
	    c->map.begin, c->map.end, c->map.offset, file->number);
	if (symbols_is_memory(c->map.path))
		jits_see(&f->jits, c->pid, c->ns);
	want(f, file, c);
}

void files_change(void *files, const struct change *c)
{
	struct files *f = files;

	switch (c->kind) {
	case CHANGE_MAP:
		take_map(f, c);
		break;
	case CHANGE_EXEC:
		jits_gone(&f->jits, c->pid);
		put(f, "x %" PRIu64 " %u\n", c->ns, c->pid);
		break;
	case CHANGE_FORK:
		jits_fork(&f->jits, c->pid, c->parent, c->ns);
		put(f, "p %" PRIu64 " %u %u\n", c->ns, c->pid, c->parent);
		break;
	case CHANGE_EXIT:
		jits_gone(&f->jits, c->pid);
		put(f, "e %" PRIu64 " %u\n", c->ns, c->pid);
		break;
	case CHANGE_LOST:
		f->lost += c->lost;
		break;
	}
}

static void begin(struct files *f)
{
	f->len = 0;
	f->text = xrealloc(f->text, FUNCTIONS_MAX + 1, 1);
	f->until = now_ns() + READER_NS;
}

static void begin_map(struct files *f)
{
	struct jit *jit = jits_due(&f->jits, now_ns());

	if (!jit)
		return;
	jits_begin(&f->jits, jit, now_ns());
	f->jit_pid = jit->pid;
	f->jit_number = jit->number;
	f->reader = map_file_start(jit->pid, &jit->stamp, &f->from);
	if (f->reader < 0)
		jits_done(&f->jits, jit, false, now_ns());
	else
		begin(f);
}

void files_go_on(struct files *f)
{
	/* Whoever ends this process has had what was told by then, line by line. */
	fflush(f->out);
	/* Those that were let go. */
	while (f->from < 0 && waitpid(-1, NULL, WNOHANG) > 0)
		;
	while (f->from < 0 && f->first < f->nr) {
		struct wanted w = f->queue[f->first++];

		w.file->is_wanted = false;
		f->reader = elf_start(w.pid, &w.map, &f->from);
		if (f->reader < 0)
			continue;
		w.file->tries += TRIES_BAD;
		f->now = w;
		begin(f);
	}
	if (f->from < 0 && !f->is_full)
		begin_map(f);
}

/* What a reader says is a stranger's word until it has the form. */
static bool is_table(char *text)
{
	char *line, *end;

	for (line = text; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end || *line != ' ' || !isxdigit((unsigned char)line[1]))
			return false;
		line += 1 + strspn(line + 1, "0123456789abcdef");
		if (*line != ' ' || !isxdigit((unsigned char)line[1]))
			return false;
		line += 1 + strspn(line + 1, "0123456789abcdef");
		if (*line != ' ' || line + 1 == end)
			return false;
		while (++line < end)
			if (iscntrl((unsigned char)*line))
				return false;
	}
	return true;
}

/* Whether that table is this text, byte for byte: a key alone somebody could choose. */
static bool is_written(const struct files *f, const struct table *t)
{
	char part[4096];
	size_t at, len;

	if (t->len != f->len)
		return false;
	for (at = 0; at < f->len; at += len) {
		len = f->len - at < sizeof(part) ? f->len - at : sizeof(part);
		if (pread(f->fd, part, len, t->at + (off_t)at) != (ssize_t)len ||
		    memcmp(part, f->text + at, len) != 0)
			return false;
	}
	return true;
}

/* Many images have the same libraries. */
static struct table *table_of(struct files *f)
{
	uint64_t hash = hash_text(f->text, f->len);
	struct table *t;

	fflush(f->out);
	for (; (t = hash_get(&f->tables, hash)); hash++)
		if (is_written(f, t))
			return t;
	if (f->written + f->len > PROGRAMS_MAX)
		return NULL;
	t = xcalloc(1, sizeof(*t));
	t->number = f->nr_tables++;
	put(f, "t %zu\n", t->number);
	t->at = ftello(f->out);
	t->len = f->len;
	put(f, "%s", f->text);
	hash_put(&f->tables, hash, t);
	return t;
}

static void let_go(struct files *f)
{
	close(f->from);
	f->from = -1;
	/* What it reads may not answer: it is waited for later. */
	if (f->reader)
		kill(f->reader, SIGKILL);
	f->now.file = NULL;
}

void files_give_up(struct files *f)
{
	bool is_map = !f->now.file;

	let_go(f);
	if (is_map)
		jits_done(&f->jits, jits_find(&f->jits, f->jit_pid, f->jit_number), false,
			  now_ns());
}

/* Who has closed his end is about to end; but who was taken over may as well not. */
static int end_of_reader(struct files *f)
{
	unsigned int ms;
	int status = -1;

	for (ms = 0; ms < END_MS; ms++) {
		if (waitpid(f->reader, &status, WNOHANG) == f->reader) {
			f->reader = 0;
			return WIFEXITED(status) ? WEXITSTATUS(status) : ELF_BAD;
		}
		sleep_ms(1);
	}
	return ELF_BAD;
}

static void finish_file(struct files *f)
{
	struct file *file = f->now.file;
	struct table *t;
	int end = end_of_reader(f);

	if (end == ELF_GONE)
		file->tries -= TRIES_BAD - 1;
	let_go(f);
	if (end || strlen(f->text) != f->len || !is_table(f->text))
		return;
	file->is_read = true;
	t = f->len ? table_of(f) : NULL;
	if (t)
		put(f, "s %zu %zu\n", file->number, t->number);
}

/* Behind its stamp. Returns whether that is of the form. */
static bool take_functions(struct files *f, struct jit *jit)
{
	size_t head = map_stamp_parse(f->text, &jit->stamp), len;
	const char *news;

	if (!head || strlen(f->text) != f->len || !is_table(f->text + head))
		return false;
	news = jit_news(jit, f->text + head, f->len - head);
	len = strlen(news);
	f->jit_written += len;
	if (f->jit_written > JITS_MAX || f->written + len > PROGRAMS_MAX ||
	    jit->stamp.size > MAP_FILE_MAX)
		f->lost++;
	if (*news && f->jit_written <= JITS_MAX && f->written + len <= PROGRAMS_MAX) {
		put(f, "j %" PRIu64 " %u\n", jit->since, jit->pid);
		put(f, "%s", news);
	}
	return true;
}

static void finish_map(struct files *f)
{
	struct jit *jit = jits_find(&f->jits, f->jit_pid, f->jit_number);
	int end = end_of_reader(f);
	bool has_more = false;

	let_go(f);
	if (jit && end == ELF_READ)
		has_more = take_functions(f, jit);
	/* What was not told of by then comes later, and may have been there before. */
	if (has_more || end == ELF_SAME)
		jit->since = f->jits.began;
	jits_done(&f->jits, jit, has_more, now_ns());
}

void files_listen(struct files *f)
{
	ssize_t got;

	got = read(f->from, f->text + f->len, FUNCTIONS_MAX - f->len);
	f->len += got > 0 ? (size_t)got : 0;
	f->text[f->len] = '\0';
	if (!got && f->len < FUNCTIONS_MAX && f->now.file) {
		finish_file(f);
	} else if (!got && f->len < FUNCTIONS_MAX) {
		finish_map(f);
	} else if (f->len == FUNCTIONS_MAX) {
		/* It has more than anybody keeps, and will have as much the next time. */
		if (f->now.file)
			f->now.file->is_read = true;
		files_give_up(f);
	}
}

/* When this is to go on by itself; UINT64_MAX: never. */
static uint64_t deadline(const struct files *f)
{
	if (f->from >= 0)
		return f->until;
	return f->is_full ? UINT64_MAX : jits_next(&f->jits);
}

int files_patience(const struct files *f)
{
	uint64_t now = now_ns(), until = deadline(f);

	if (until == UINT64_MAX)
		return -1;
	return now < until ? (int)((until - now) / 1000000 + 1) : 0;
}

bool files_is_late(const struct files *f)
{
	return f->from >= 0 && now_ns() >= f->until;
}

void files_end(struct files *f)
{
	jits_end(&f->jits);
}

bool files_are_read(const struct files *f)
{
	return f->from < 0 && f->first == f->nr &&
	       (!f->jits.is_ending || f->is_full || jits_next(&f->jits) == UINT64_MAX);
}

int files_close(struct files *f)
{
	if (f->from >= 0)
		files_give_up(f);
	if (f->lost)
		put(f, "l %" PRIu64 "\n", f->lost);
	put(f, ".\n");
	return fclose(f->out) ? -1 : 0;
}
