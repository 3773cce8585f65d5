/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/symbols.h"
#include "record.h"
#include "record-elf.h"
#include "record-map-file.h"
#include "record-reading.h"
#include "base/text.h"
#include "base/util.h"

/* Who is killed has ended by then, unless what it waits for does not answer. */
#define END_NS NS_PER_SEC

/* Processes that were ended, and have not been waited for. */
struct ended {
	pid_t pid;
	struct owner owner;
	uint64_t ns; /* when they were */
};

static struct {
	struct ended *all;
	size_t nr, cap;
} left;

/*
 * Root's containers are known by their PID namespaces; other users, who can have many of those, by
 * themselves.
 */
static bool is_one(const struct owner *a, const struct owner *b)
{
	return a->user == b->user && (a->user || a->pid_ns == b->pid_ns);
}

static bool has_one_left(const struct owner *owner)
{
	uint64_t now = now_ns();
	size_t i;

	for (i = 0; i < left.nr; i++)
		if (is_one(&left.all[i].owner, owner) && now > left.all[i].ns + END_NS)
			return true;
	return false;
}

static int begin(struct reading *r, const struct owner *owner, pid_t pid, int from)
{
	if (pid < 0)
		return -1;
	*r = (struct reading){
		.owner = *owner,
		.pid = pid,
		.from = from,
		.text = xrealloc(NULL, FUNCTIONS_MAX + 1, 1),
		.began = now_ns(),
	};
	return 0;
}

int reading_begin_elf(struct reading *r, const struct owner *owner, uint32_t pid,
		      const struct mapping *m)
{
	int from = -1;
	pid_t reader = has_one_left(owner) ? -1 : elf_start(pid, m, &from);

	return begin(r, owner, reader, from);
}

int reading_begin_map(struct reading *r, const struct owner *owner, uint32_t pid,
		      const struct map_place *place, const struct map_stamp *last)
{
	int from = -1;
	pid_t reader = has_one_left(owner) ? -1 : map_file_start(pid, place, last, &from);

	return begin(r, owner, reader, from);
}

int reading_place(struct reading *r, struct map_place *place)
{
	int fds[] = {-1, -1};
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(fds))];
	} control;
	struct iovec part = {place, sizeof(*place)};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got = recvmsg(r->from, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;

	/* Of fewer there was room for no more descriptors in this process. */
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
	place->dir = fds[0];
	place->file = fds[1];
	return place->dir < 0 ? -1 : 0;
}

/* The last line says how it went: what is cut off somewhere has none. */
static enum reading_state state_of(struct reading *r)
{
	const char *last = r->text + r->len - 2;

	if (r->len < 2 || strlen(r->text) != r->len || last[1] != '\n' ||
	    (last > r->text && last[-1] != '\n'))
		return READING_BAD;
	switch (*last) {
	case READER_DONE:
		r->len -= 2;
		r->text[r->len] = '\0';
		return READING_READ;
	case READER_SAME:
		return READING_SAME;
	case READER_GONE:
		return READING_GONE;
	}
	return READING_BAD;
}

enum reading_state reading_listen(struct reading *r)
{
	ssize_t got = read(r->from, r->text + r->len, FUNCTIONS_MAX - r->len);

	r->len += got > 0 ? (size_t)got : 0;
	r->text[r->len] = '\0';
	if (r->len == FUNCTIONS_MAX)
		return READING_LARGE;
	return got > 0 ? READING_GOES_ON : state_of(r);
}

/* Takes a number off; NULL: there is none. */
static const char *behind_number(const char *line)
{
	if (!isxdigit((unsigned char)*line))
		return NULL;
	line += strspn(line, "0123456789abcdef");
	return *line == ' ' ? line + 1 : NULL;
}

/* What a reader says is a stranger's word until it has the form. */
static bool is_function(const char *line, const char *end)
{
	if (*line != ' ' || !(line = behind_number(line + 1)) || !(line = behind_number(line)) ||
	    line == end)
		return false;
	for (; line < end; line++)
		if (iscntrl((unsigned char)*line))
			return false;
	return true;
}

bool reading_is_table(const struct reading *r, size_t from)
{
	const char *line, *end;

	for (line = r->text + from; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end || !is_function(line, end))
			return false;
	}
	return true;
}

void reading_end(struct reading *r)
{
	close(r->from);
	free(r->text);
	/* What it reads may not answer. */
	kill(r->pid, SIGKILL);
	left.all = grow(left.all, left.nr, &left.cap, sizeof(*left.all));
	left.all[left.nr++] = (struct ended){r->pid, r->owner, now_ns()};
	*r = (struct reading){.from = -1};
	readings_reap();
}

void readings_reap(void)
{
	size_t i, nr = 0;

	for (i = 0; i < left.nr; i++)
		if (!waitpid(left.all[i].pid, NULL, WNOHANG))
			left.all[nr++] = left.all[i];
	left.nr = nr;
}
