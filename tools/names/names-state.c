/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "names-int.h"
#include "base/text.h"
#include "base/util.h"

#define NOTES_MAX      256
/* Of one kind of one user's files: whoever has many that are bad must not use up all notes. */
#define USER_NOTES_MAX 8
/* Most files are shorter. */
#define READ_MIN       4000
/* A number in a file has no more characters. */
#define PID_MAX	       64

/* All that a helper may have said. */
static const struct {
	const char *text, *key;
	bool of_user;
} said[] = {
	{NOTE_LARGE, "file", true},
	{NOTE_BROKEN, "file", true},
	{NOTE_UNREADABLE, "directory", true},
	{NOTE_NO_SECCOMP, "missing", false},
};

static void send_note(const struct names *n, const char *what, const char *value)
{
	struct note_message m = {0};

	while (m.what < ARRAY_SIZE(said) && strcmp(said[m.what].text, what))
		m.what++;
	memcpy(m.value, value, strnlen(value, sizeof(m.value) - 1));
	(void)send(n->helper, &m, sizeof(m), MSG_NOSIGNAL);
}

/* Whether so many begin alike that it is enough. */
static bool is_noted_enough(const struct names *n, const char *what)
{
	size_t len = strlen(what), nr = 0, i;

	for (i = 0; i < n->nr_noted; i++)
		nr += !strncmp(n->noted[i], what, len) && n->noted[i][len] == ' ';
	return nr >= USER_NOTES_MAX;
}

void names_note_sent(struct names *n, const struct note_message *m, uid_t user)
{
	char value[sizeof(m->value) + 1] = "", *what;

	if (m->what >= ARRAY_SIZE(said))
		return;
	memcpy(value, m->value, sizeof(m->value));
	what = user && said[m->what].of_user
		       ? xasprintf("%s user=%u", said[m->what].text, (unsigned int)user)
		       : xstrdup(said[m->what].text);
	if (!user || !is_noted_enough(n, what))
		names_note(n, what, said[m->what].key, value);
	free(what);
}

void names_note(struct names *n, const char *what, const char *key, const char *value)
{
	char *safe, *text;
	size_t i;

	if (n->helper >= 0) {
		send_note(n, what, value);
		return;
	}
	safe = text_escape(value);
	text = xasprintf("%s %s=%s", what, key, safe);
	free(safe);
	for (i = 0; i < n->nr_noted; i++)
		if (!strcmp(n->noted[i], text))
			break;
	if (i < n->nr_noted || n->nr_noted == NOTES_MAX) {
		free(text);
		return;
	}
	note("%s", text);
	n->noted = grow(n->noted, n->nr_noted, &n->cap_noted, sizeof(*n->noted));
	n->noted[n->nr_noted++] = text;
}

/* Where the kernel has no openat2(). */
static int open_step_by_step(int dir, const char *path, int flags)
{
	int at = dir, fd;

	for (;;) {
		size_t len = strcspn(path, "/");
		bool last = !path[len];
		char name[NAME_MAX + 1];

		if (!len || len > NAME_MAX) {
			fd = -1;
		} else {
			memcpy(name, path, len);
			name[len] = '\0';
			fd = openat(at, name,
				    O_CLOEXEC | O_NOFOLLOW | (last ? flags : O_PATH | O_DIRECTORY));
		}
		if (at != dir)
			close(at);
		if (fd < 0 || last)
			return fd;
		at = fd;
		path += len + 1;
	}
}

/*
 * Opens what is below a directory. No symbolic link is followed there, and no
 * mount is entered: a user's might never answer.
 */
static int open_beneath(int dir, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)(flags | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV,
	};
	long fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));

	/* EPERM: a sandbox that does not know it. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_step_by_step(dir, path, flags);
	return (int)fd;
}

/* Watches where the path will be. */
static void watch_parent(struct names *n, int dir, const char *path)
{
	char *parent = xstrdup(path), *end;

	while ((end = strrchr(parent, '/'))) {
		int fd;

		*end = '\0';
		fd = openat(dir, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			continue;
		watch_dir(n->watch, fd);
		close(fd);
		break;
	}
	free(parent);
}

int state_dir(struct names *n, const char *path)
{
	int fd = state_look(n, path);

	if (fd < 0) {
		if (errno == EACCES)
			names_note(n, NOTE_UNREADABLE, "directory", path);
		watch_parent(n, n->root, path);
		return -1;
	}
	watch_dir(n->watch, fd);
	return fd;
}

int state_dir_beneath(struct names *n, int dir, const char *path)
{
	int fd = state_look_beneath(dir, path);

	if (fd >= 0)
		watch_dir(n->watch, fd);
	return fd;
}

void state_watch(struct names *n, int dir, const char *path)
{
	int fd = state_dir_beneath(n, dir, path);

	if (fd >= 0)
		close(fd);
}

int state_look(const struct names *n, const char *path)
{
	return openat(n->root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int state_place(struct names *n, const char *path)
{
	int fd = openat(n->root, path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno == EACCES)
		names_note(n, NOTE_UNREADABLE, "directory", path);
	return fd;
}

int state_place_beneath(int dir, const char *path)
{
	return open_beneath(dir, path, O_PATH | O_DIRECTORY);
}

int state_look_beneath(int dir, const char *path)
{
	return open_beneath(dir, path, O_RDONLY | O_DIRECTORY);
}

bool state_exists(int dir, const char *path)
{
	int fd = open_beneath(dir, path, O_PATH);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Where the kind is not told, it may be one. */
static bool is_dir(const struct dirent *e)
{
	return e->d_type == DT_DIR || e->d_type == DT_UNKNOWN;
}

static void list_entries(int dir, struct list *l, bool dirs_only)
{
	int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *e;
	size_t seen = 0;

	*l = (struct list){0};
	if (!d) {
		if (copy >= 0)
			close(copy);
		return;
	}
	while ((e = readdir(d))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		l->over = seen++ == ENTRIES_MAX;
		if (l->over)
			break;
		if (e->d_name[0] == '.' || (dirs_only && !is_dir(e)))
			continue;
		l->names = grow(l->names, l->nr, &l->cap, sizeof(*l->names));
		l->names[l->nr++] = xstrdup(e->d_name);
	}
	closedir(d);
	if (l->nr)
		qsort(l->names, l->nr, sizeof(*l->names), by_name);
}

void state_list(int dir, struct list *l)
{
	list_entries(dir, l, false);
}

void state_list_dirs(int dir, struct list *l)
{
	list_entries(dir, l, true);
}

void list_free(struct list *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		free(l->names[i]);
	free(l->names);
	*l = (struct list){0};
}

/* Reads to the end, in room that grows from @size; NULL if that is too far. */
static char *read_all(int fd, size_t size, size_t max, size_t *len)
{
	char *text = NULL;
	ssize_t got;

	*len = 0;
	do {
		if (size > max + 1)
			size = max + 1;
		text = xrealloc(text, size + 1, 1);
		got = read(fd, text + *len, size - *len);
		*len += got > 0 ? (size_t)got : 0;
		if (*len == size)
			size *= 2;
	} while (got > 0 && *len <= max);
	if (got < 0 || *len > max) {
		free(text);
		return NULL;
	}
	text[*len] = '\0';
	return text;
}

/* The same of a file that has at most @max bytes. */
static char *read_max(struct names *n, int dir, const char *path, size_t max, uint64_t *written,
		      size_t *size)
{
	/* Not to wait for a writer, should it be a pipe. */
	int fd = names_aborted(n) ? -1 : open_beneath(dir, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	char *text = NULL;
	struct stat st;
	size_t len = 0;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > max) {
		names_note(n, NOTE_LARGE, "file", path);
		goto out_close;
	}
	/* Of who may have only so much read the rest is left out. */
	max = max < n->bytes ? max : n->bytes;
	text = read_all(fd, (size_t)st.st_size < READ_MIN ? READ_MIN : (size_t)st.st_size + 1, max,
			&len);
	n->bytes -= text ? len : max;
	if (size)
		*size = len;
	if (written)
		*written = (uint64_t)st.st_mtim.tv_sec * NS_PER_SEC + (uint64_t)st.st_mtim.tv_nsec;
out_close:
	close(fd);
	return text;
}

char *state_read(struct names *n, int dir, const char *path, uint64_t *written, size_t *size)
{
	return read_max(n, dir, path, STATE_MAX, written, size);
}

static bool is_young(uint64_t written)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return written + SETTLE_MS * 1000000ull >
	       (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

void state_broken(struct names *n, const char *path, uint64_t written)
{
	if (is_young(written))
		n->unsettled = true;
	else
		names_note(n, NOTE_BROKEN, "file", path);
}

json_t *state_json(struct names *n, int dir, const char *path, uint64_t *written)
{
	uint64_t when = 0;
	size_t len = 0;
	char *text = state_read(n, dir, path, &when, &len);
	/* Labels may have any character; what follows a NUL is not shown. */
	json_t *j = text ? json_loadb(text, len, JSON_ALLOW_NUL, NULL) : NULL;

	if (text && !j)
		state_broken(n, path, when);
	if (written)
		*written = when;
	free(text);
	return j;
}

pid_t state_pid(struct names *n, int dir, const char *path, uint64_t *written)
{
	char *text = read_max(n, dir, path, PID_MAX, written, NULL), *end;
	long pid = text ? strtol(text, &end, 10) : 0;

	free(text);
	return pid > 0 && pid <= INT32_MAX ? (pid_t)pid : 0;
}

const char *json_str(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

int64_t json_num(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}
