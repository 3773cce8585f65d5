/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <curl/curl.h>

#include "check-output.h"
#include "child.h"
#include "names-fakes.h"
#include "names/names-helper.h"
#include "base/util.h"

#define HOST "http://localhost"

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

/* libcurl, as far as it is used. */
static struct {
	const char *url;
	size_t (*take)(char *data, size_t size, size_t nr, void *arg);
	void *arg;
} request;

CURLcode curl_global_init(long flags)
{
	(void)flags;
	return CURLE_OK;
}

void curl_global_cleanup(void)
{
}

CURL *curl_easy_init(void)
{
	return (CURL *)&request;
}

void curl_easy_cleanup(CURL *curl)
{
	(void)curl;
}

#undef curl_easy_setopt
CURLcode curl_easy_setopt(CURL *curl, CURLoption option, ...)
{
	va_list ap;

	(void)curl;
	va_start(ap, option);
	if (option == CURLOPT_URL)
		request.url = va_arg(ap, const char *) + strlen(HOST);
	else if (option == CURLOPT_WRITEFUNCTION)
		request.take = va_arg(ap, size_t(*)(char *, size_t, size_t, void *));
	else if (option == CURLOPT_WRITEDATA)
		request.arg = va_arg(ap, void *);
	va_end(ap);
	return CURLE_OK;
}

CURLcode curl_easy_perform(CURL *curl)
{
	const struct record *r = answer_of("docker ", request.url);
	size_t half;

	(void)curl;
	if (answer_of("late ", request.url))
		return CURLE_OPERATION_TIMEDOUT;
	if (!r)
		return CURLE_HTTP_RETURNED_ERROR;
	/* In two pieces. */
	half = r->size / 2;
	if (request.take((char *)r->data, 1, half, request.arg) != half ||
	    request.take((char *)r->data + half, 1, r->size - half, request.arg) != r->size - half)
		return CURLE_WRITE_ERROR;
	return CURLE_OK;
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
	ssize_t got = recv(h->fd, message, size, 0);

	(void)n;
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
