/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check-output.h"
#include "child.h"
#include "names-fakes.h"
#include "names/names-helper.h"
#include "base/util.h"

static struct record **answers;
static size_t nr_answers, cap_answers;

void fake_answer(const struct record *r)
{
	struct record *copy = xcalloc(1, sizeof(*copy));

	*copy = (struct record){xstrdup(r->name), xcalloc(r->size + 1, 1), r->size};
	memcpy(copy->data, r->data, r->size);
	answers = grow(answers, nr_answers, &cap_answers, sizeof(struct record *));
	answers[nr_answers++] = copy;
}

void fake_reset(void)
{
	while (nr_answers)
		record_free(answers[--nr_answers]);
	free(answers);
	answers = NULL;
	cap_answers = 0;
}

/* The last one counts. */
static const struct record *answer_of(const char *what, const char *url)
{
	size_t len = strlen(what), i;

	for (i = nr_answers; i > 0; i--)
		if (!strncmp(answers[i - 1]->name, what, len) &&
		    (!url || !strcmp(answers[i - 1]->name + len, url)))
			return answers[i - 1];
	return NULL;
}

/* names-run.c */
char *program_read(struct names *n, const char *program, char *const argv[], unsigned int ms,
		   size_t *len)
{
	const struct record *r = answer_of("podman", NULL);
	char *text;

	(void)n;
	(void)program;
	(void)argv;
	(void)ms;
	if (!r)
		return NULL;
	text = xcalloc(r->size + 2, 1);
	memcpy(text, r->data, r->size);
	*len = r->size;
	return text;
}

char *socket_read(struct names *n, const char *path, const char *question, unsigned int ms,
		  struct socket_answer *answer)
{
	/* With its head, or what is behind that. */
	static const char head[] = "HTTP/1.0 200 OK\r\n\r\n";
	char *url = strndup(question + 4, strcspn(question + 4, " "));
	const struct record *r = answer_of("docker ", url);
	size_t len = r && strncmp((char *)r->data, "HTTP/", 5) ? sizeof(head) - 1 : 0;
	char *text = NULL;

	(void)n;
	(void)path;
	(void)ms;
	answer->late = !!answer_of("late ", url);
	free(url);
	if (!r || answer->late || r->size + len > answer->max)
		return NULL;
	answer->len = r->size + len;
	text = xcalloc(answer->len + 1, 1);
	memcpy(text, head, len);
	memcpy(text + len, r->data, r->size);
	return text;
}

/* The directory of the input is this host's root, for podman. */
int fake_fstat(int fd, struct stat *st);

int fake_fstat(int fd, struct stat *st)
{
	(void)fd;
	return stat("/", st);
}

/* As if all were on one disk, 8:1. */
int fake_fstat_disk(int fd, struct stat *st);

int fake_fstat_disk(int fd, struct stat *st)
{
	int status = fstat(fd, st);

	st->st_dev = makedev(8, 1);
	return status;
}

/* names-watch.c: nothing changes but what the input says. */
struct watch *watch_new(void)
{
	return NULL;
}

void watch_free(struct watch *w)
{
	(void)w;
}

int watch_fd(const struct watch *w)
{
	(void)w;
	return -1;
}

void watch_dir(struct watch *w, int dir)
{
	(void)w;
	(void)dir;
}

void watch_begin(struct watch *w)
{
	(void)w;
}

bool watch_changed(const struct watch *w)
{
	return !w;
}

void watch_end(struct watch *w, bool pending)
{
	(void)w;
	(void)pending;
}

/* names-helper.c, without what takes away rights. */
#define HELPERS 2 /* who understands root's files, and who reads an owner's */

static struct helping {
	pid_t pid; /* 0: nobody */
	struct child child;
} helping[HELPERS];

static struct helping *helping_of(pid_t pid)
{
	size_t i;

	for (i = 0; i < HELPERS; i++)
		if (helping[i].pid == pid)
			return &helping[i];
	broken("There is no such helper. pid=%d", (int)pid);
}

int helper_start(struct names *n, struct helper *h, const struct owner *o, unsigned int ms,
		 void (*work)(struct names *n, const struct owner *o))
{
	struct helping *new = helping_of(0);
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -1;
	*h = (struct helper){.fd = fds[0], .until = now_ms() + ms};
	h->pid = child_start(&new->child);
	if (!h->pid) {
		close(fds[0]);
		n->helper = fds[1];
		work(n, o);
		child_tell(&new->child);
		_exit(0);
	}
	new->pid = h->pid;
	close(fds[1]);
	return 0;
}

size_t helper_receive(struct names *n, struct helper *h, void *message, size_t size)
{
	ssize_t got;

	(void)n;
	/* libFuzzer's clock interrupts. */
	do
		got = recv(h->fd, message, size, 0);
	while (got < 0 && errno == EINTR);
	return got > 0 ? (size_t)got : 0;
}

void helper_send(struct helper *h, const void *message, size_t size)
{
	(void)send(h->fd, message, size, MSG_NOSIGNAL);
}

void helper_end(struct names *n, struct helper *h, bool done)
{
	struct helping *old = helping_of(h->pid);
	int status;

	(void)n;
	close(h->fd);
	status = child_wait(&old->child);
	old->pid = 0;
	if (!WIFEXITED(status) || WEXITSTATUS(status) || !done)
		broken("Who reads the files has died, or says what it must not. status=%d", status);
}

void helper_dismiss(struct names *n, struct helper *h)
{
	helper_end(n, h, true);
}

bool names_is_left(const struct names *n, pid_t pid)
{
	(void)n;
	(void)pid;
	return false;
}

void names_reap(struct names *n)
{
	(void)n;
}
