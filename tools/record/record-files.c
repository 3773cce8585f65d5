/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/symbols.h"
#include "record.h"
#include "record-files.h"
#include "base/text.h"
#include "base/util.h"

#define NR_FILES_MAX (1u << 16)
#define QUEUE_MAX    4096
/* How often a file is tried: where its reader came to no good end; and of each owner, where that
 * took too long, which may be his doing, or the process was gone. */
#define BAD_MAX	     3
#define LATE_MAX     3
#define GONE_MAX     24
/* What a reader is given while others wait, and if none does. */
#define READER_NS    (4 * NS_PER_SEC)
#define SLOW_NS	     (60 * NS_PER_SEC)

struct file {
	char *key;
	struct file *same; /* this is but another key of that one; NULL: of none */
	size_t number;
	unsigned int nr_bad;
	bool is_read;
	const char *unread; /* why it is not, as base/symbols.h has it; NULL: nobody has tried */
};

/* What was done to read a file where one owner has it. */
struct attempt {
	struct file *file;
	struct owner owner;
	unsigned int nr_gone, nr_late;
	bool is_wanted;
};

struct table {
	size_t number, len;
	off_t at;
};

void files_open(struct files *f, struct kept *kept, struct starts *starts)
{
	size_t i;

	*f = (struct files){.kept = kept, .starts = starts};
	for (i = 0; i < NR_READERS; i++)
		f->work[i].reading.from = -1;
}

/*
 * The file system gives the number of a file that is gone to another one, which its generation
 * tells apart. Without a disk of its own (major 0) the file system's number is another one's soon,
 * as of each container's overlayfs, and btrfs has one for all its snapshots: there, and where no
 * generation is told, only who shares the mounts shares the file.
 */
static char *key_of(const struct owner *owner, const struct mapping *m, const char *path)
{
	uint64_t mounts = m->inode && !(m->major && m->has_generation) ? owner->mounts : 0;
	char *key = m->has_generation ? xasprintf(MAPPED_FILE "@%" PRIx64 " %s", m->major, m->minor,
						  m->inode, m->generation, mounts, path)
				      : xasprintf("%x:%x:%" PRIu64 "@%" PRIx64 " %s", m->major,
						  m->minor, m->inode, mounts, path);
	char *c;

	for (c = key; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return key;
}

static const char *path_of(const struct file *file)
{
	return strchr(file->key, ' ') + 1;
}

/* Who has that key, or has none, and *@hash is where it belongs. */
static struct file *find(const struct files *f, const char *key, uint64_t *hash)
{
	struct file *file;

	/* Two may have one hash. */
	for (*hash = hash_text(key, strlen(key)); (file = hash_get(&f->known, *hash)); ++*hash)
		if (!strcmp(file->key, key))
			break;
	return file;
}

/* The file, which is told when it is new; NULL: whose it is has too many. */
static struct file *file_of(struct files *f, const struct owner *owner, const struct mapping *m)
{
	char *key = key_of(owner, m, m->path);
	uint64_t hash;
	struct file *file = find(f, key, &hash);

	if (file || !kept_take_with(f->kept, owner, strlen(key), &f->shares, 1, NR_FILES_MAX)) {
		free(key);
		return file && file->same ? file->same : file;
	}
	file = xcalloc(1, sizeof(*file));
	file->key = key;
	file->number = f->nr_files++;
	/* What has no inode is no file: the kernel's own, or memory. */
	file->is_read = !m->inode || !strcmp(m->path, SYMBOLS_ANON);
	hash_put(&f->known, hash, file);
	kept_put(f->kept, "f %zu %s\n", file->number, path_of(file));
	return file;
}

/* NULL: the owner has too many. */
static struct attempt *attempt_of(struct files *f, struct file *file, const struct owner *owner)
{
	uint64_t hash = hash_numbers(hash_numbers(file->number, owner->user), owner->pid_ns);
	struct attempt *a;

	/* Two may have one hash. */
	for (; (a = hash_get(&f->attempts, hash)); hash++)
		if (a->file == file && a->owner.user == owner->user &&
		    a->owner.pid_ns == owner->pid_ns)
			return a;
	if (!shares_take(&f->attempted, owner, 1, NR_FILES_MAX))
		return NULL;
	a = xcalloc(1, sizeof(*a));
	a->file = file;
	a->owner = *owner;
	hash_put(&f->attempts, hash, a);
	return a;
}

static void want(struct files *f, struct file *file, const struct owner *owner,
		 const struct change *c)
{
	struct attempt *a;

	if (file->is_read || file->nr_bad >= BAD_MAX || f->kept->is_full)
		return;
	file->unread = file->unread ? file->unread : UNREAD_LATE;
	a = attempt_of(f, file, owner);
	if (!a || a->is_wanted || a->nr_gone >= GONE_MAX || a->nr_late >= LATE_MAX ||
	    !shares_take(&f->queued, &a->owner, 1, QUEUE_MAX))
		return;
	a->is_wanted = true;
	f->queue = grow(f->queue, f->nr, &f->cap, sizeof(*f->queue));
	f->queue[f->nr] = (struct wanted){a, c->pid, c->map};
	/* It is the kernel's, for a moment. */
	f->queue[f->nr++].map.path = NULL;
}

bool files_map(struct files *f, const struct change *c)
{
	const struct owner *owner = starts_owner(f->starts, c);
	struct file *file;

	if (!owner)
		return false;
	file = file_of(f, owner, &c->map);
	if (!file) {
		f->kept->lost++;
		return false;
	}
	if (!starts_map(f->starts, c, file->number))
		return false;
	want(f, file, owner, c);
	return true;
}

/* Perf calls it so, of which /proc did not know. */
static void is_also(struct files *f, const struct attempt *a, const struct mapping *m)
{
	struct file *file = a->file, *other;
	char *key = key_of(&a->owner, m, path_of(file));
	uint64_t hash;

	if (find(f, key, &hash)) {
		free(key);
		return;
	}
	other = xcalloc(1, sizeof(*other));
	other->key = key;
	other->same = file;
	hash_put(&f->known, hash, other);
}

/* Takes the first line. Returns where the table begins, or -1. */
static ssize_t take_head(struct files *f, struct work *w)
{
	const char *text = w->reading.text, *end = strchr(text, '\n');
	struct mapping m = {.has_generation = true};

	if (!end)
		return -1;
	if (end > text && sscanf(text, "%x:%x:%" SCNu64 ":%" SCNx64, &m.major, &m.minor, &m.inode,
				 &m.generation) == 4)
		is_also(f, w->wanted.attempt, &m);
	return end + 1 - text;
}

/* Many images have the same libraries: those whose table is the same text. */
static struct table *table_of(struct files *f, const struct owner *owner, const char *text,
			      size_t len)
{
	uint64_t hash = hash_text(text, len);
	struct table *t;

	kept_flush(f->kept);
	for (; (t = hash_get(&f->tables, hash)); hash++)
		if (t->len == len && kept_is(f->kept, t->at, text, len))
			return t;
	if (!kept_take(f->kept, owner, len))
		return NULL;
	t = xcalloc(1, sizeof(*t));
	t->number = f->nr_tables++;
	kept_put(f->kept, "t %zu\n", t->number);
	t->at = kept_place(f->kept);
	t->len = len;
	kept_put(f->kept, "%s", text);
	hash_put(&f->tables, hash, t);
	return t;
}

/* Whose room is full leaves it to another who has the file. */
static void take_table(struct files *f, struct attempt *a, const char *text, size_t len)
{
	struct file *file = a->file;
	struct table *t = len ? table_of(f, &a->owner, text, len) : NULL;

	file->is_read = t || !len;
	file->unread = file->is_read ? NULL : UNREAD_LARGE;
	if (!file->is_read)
		a->nr_gone = GONE_MAX;
	if (t)
		kept_put(f->kept, "s %zu %zu\n", file->number, t->number);
}

static void let_go(struct work *w)
{
	reading_end(&w->reading);
	w->wanted.attempt->is_wanted = false;
	w->wanted.attempt = NULL;
}

static void finish(struct files *f, struct work *w, enum reading_state state)
{
	struct attempt *a = w->wanted.attempt;
	struct file *file = a->file;
	const struct reading *r = &w->reading;
	ssize_t head = state == READING_READ ? take_head(f, w) : 0;

	if (head < 0 || (state == READING_READ && !reading_is_table(r, (size_t)head)))
		state = READING_BAD;
	a->nr_gone += state == READING_GONE;
	file->nr_bad += state == READING_BAD;
	/* It may have been read meanwhile, where another has it. */
	if (!file->is_read)
		file->unread = state == READING_GONE ? UNREAD_GONE : UNREAD_BAD;
	if (!file->is_read && state == READING_READ)
		take_table(f, a, r->text + head, r->len - (size_t)head);
	if (!file->is_read && state == READING_LARGE) {
		/* It will have as much the next time. */
		file->is_read = true;
		file->unread = UNREAD_LARGE;
	}
	let_go(w);
}

void files_listen(struct files *f, struct work *w)
{
	enum reading_state state = reading_listen(&w->reading);

	if (state != READING_GOES_ON)
		finish(f, w, state);
}

static void give_up(struct work *w, bool for_ever)
{
	struct attempt *a = w->wanted.attempt;
	struct file *file = a->file;

	a->nr_late += for_ever ? LATE_MAX : 1;
	if (!file->is_read)
		file->unread = UNREAD_LATE;
	let_go(w);
}

static bool is_busy(const struct work *w)
{
	return w->reading.from >= 0;
}

/* Which has had most time, if none is free. */
static struct work *longest(struct files *f)
{
	struct work *found = &f->work[0];
	size_t i;

	for (i = 0; i < NR_READERS; i++) {
		if (!is_busy(&f->work[i]))
			return &f->work[i];
		if (f->work[i].reading.began < found->reading.began)
			found = &f->work[i];
	}
	return found;
}

/* Whose turn it is, and of his the one that has waited for longest. */
static struct wanted take_next(struct files *f)
{
	struct wanted next;
	size_t i, found = 0;

	for (i = 1; i < f->nr; i++)
		if (shares_order(&f->queued, &f->queue[i].attempt->owner,
				 &f->queue[found].attempt->owner) < 0)
			found = i;
	next = f->queue[found];
	f->nr--;
	memmove(&f->queue[found], &f->queue[found + 1], (f->nr - found) * sizeof(next));
	shares_turn(&f->queued, &next.attempt->owner);
	shares_give(&f->queued, &next.attempt->owner, 1);
	return next;
}

static void start_next(struct files *f, struct work *w)
{
	w->wanted = take_next(f);
	/* It may have been read where another has it. */
	if (!w->wanted.attempt->file->is_read &&
	    !reading_begin_elf(&w->reading, &w->wanted.attempt->owner, w->wanted.pid,
			       &w->wanted.map))
		return;
	w->wanted.attempt->is_wanted = false;
	w->wanted.attempt = NULL;
}

void files_go_on(struct files *f)
{
	uint64_t now = now_ns();
	struct work *w;
	size_t i;

	for (i = 0; i < NR_READERS; i++)
		if (is_busy(&f->work[i]) && now >= f->work[i].reading.began + SLOW_NS)
			give_up(&f->work[i], true);
	while (f->nr) {
		w = longest(f);
		if (is_busy(w) && now < w->reading.began + READER_NS)
			break;
		if (is_busy(w))
			give_up(w, false);
		start_next(f, w);
	}
}

uint64_t files_next(const struct files *f)
{
	uint64_t next = UINT64_MAX, now = now_ns(), until;
	bool waits = f->nr;
	size_t i;

	for (i = 0; i < NR_READERS; i++) {
		if (!is_busy(&f->work[i]))
			continue;
		until = f->work[i].reading.began + READER_NS;
		/* From then on it is no longer waited for, unless it is in somebody's way. */
		if (!waits && until <= now)
			until = f->work[i].reading.began + SLOW_NS;
		next = until < next ? until : next;
	}
	return next;
}

/* Whether none is at work that began after @ns. */
static bool are_read(const struct files *f, uint64_t ns)
{
	size_t i;

	for (i = 0; i < NR_READERS; i++)
		if (is_busy(&f->work[i]) && f->work[i].reading.began > ns)
			return false;
	return !f->nr;
}

bool files_are_settled(const struct files *f)
{
	uint64_t now = now_ns();

	return are_read(f, now > READER_NS ? now - READER_NS : 0);
}

bool files_are_read(const struct files *f)
{
	return are_read(f, 0);
}

void files_close(struct files *f)
{
	struct file *file;
	size_t i, pos = 0;

	for (i = 0; i < NR_READERS; i++)
		if (is_busy(&f->work[i]))
			give_up(&f->work[i], true);
	while ((file = hash_next(&f->known, &pos)))
		if (file->unread && !file->same)
			kept_put(f->kept, "u %zu %s\n", file->number, file->unread);
}
