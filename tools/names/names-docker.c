/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "names-facts.h"
#include "base/util.h"

/* Docker's Engine API. Whoever waits for an answer is recording. */
#define SOCKET	   "run/docker.sock"
#define TIMEOUT_MS 500
#define SCAN_MS	   2000
#define REST_MS	   5000
#define ID_LEN_MAX 128

struct question {
	const char *path;
	enum facts_of what;
	void (*take)(void *ctx, const struct facts *f);
	void *ctx;
};

/* Who runs, by docker's list. */
struct listed {
	char *id, *name; /* NULL: it has none */
};

struct listing {
	struct listed *listed;
	size_t nr, cap;
};

/*
 * Takes the answer to GET path. -1: there is none; *late if it took too long. The daemon says 1.0
 * nothing in pieces, and hangs up behind its answer; what it is, the helper finds out.
 */
static int ask(struct scan *s, const struct question *q, bool *late)
{
	char *request = xasprintf("GET %s HTTP/1.0\r\nHost: localhost\r\nConnection: close\r\n\r\n",
				  q->path);
	struct socket_answer a = {.max = FACTS_TEXT_MAX};
	char *text = socket_read(s->names, SOCKET, request, TIMEOUT_MS, &a);
	int ret = -1;

	if (text)
		ret = facts_ask(s->names, q->what, text, a.len, "/" SOCKET, q->take, q->ctx);
	*late |= a.late;
	free(text);
	free(request);
	return ret;
}

/* Only what cannot change the meaning of a URL. */
static bool is_id(const char *id)
{
	size_t len = id ? strspn(id, "0123456789abcdef") : 0;

	return len && len < ID_LEN_MAX && !id[len];
}

static void tell_of(struct scan *s, const char *id, const struct facts *facts)
{
	struct found f = {
		.runtime = "docker",
		.id = id,
		.name = facts->has_name ? facts->name : id,
		/* It may not know yet that it is gone, and that another has its process id. */
		.written = facts->started};

	if (facts->init <= 0 || facts->init > INT32_MAX)
		return;
	f.init = (pid_t)facts->init;
	facts_place(&f, facts);
	scan_found(s, &f);
}

static void take_details(void *ctx, const struct facts *f)
{
	*(struct facts *)ctx = *f;
}

/* One that was not told yet costs a question. */
static void probe(struct scan *s, const struct listed *l, bool *late)
{
	char path[ID_LEN_MAX + 32];
	struct facts details = {0};
	struct question q = {path, FACTS_DOCKER_DETAILS, take_details, &details};

	if (!is_id(l->id) || scan_still(s, "docker", l->id, l->name, 0))
		return;
	snprintf(path, sizeof(path), "/containers/%s/json", l->id);
	if (!ask(s, &q, late))
		tell_of(s, l->id, &details);
}

static void take_listed(void *ctx, const struct facts *f)
{
	struct listing *l = ctx;

	l->listed = grow(l->listed, l->nr, &l->cap, sizeof(*l->listed));
	l->listed[l->nr++] = (struct listed){xstrdup(f->id), f->has_name ? xstrdup(f->name) : NULL};
}

static void listing_free(struct listing *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++) {
		free(l->listed[i].id);
		free(l->listed[i].name);
	}
	free(l->listed);
}

static bool is_there(const struct names *n)
{
	struct stat st;

	/* A link leads to podman, which has no part in this. */
	return !fstatat(n->root, SOCKET, &st, AT_SYMLINK_NOFOLLOW) && S_ISSOCK(st.st_mode);
}

void names_docker(struct scan *s)
{
	struct names *n = s->names;
	struct listing list = {0};
	const struct question q = {"/containers/json", FACTS_DOCKER_LIST, take_listed, &list};
	uint64_t end = now_ms() + SCAN_MS;
	bool late = false;
	size_t i;

	if (!is_there(n))
		return;
	if (now_ms() < n->docker_rests) {
		s->pending = true;
		return;
	}
	ask(s, &q, &late);
	for (i = 0; i < list.nr; i++) {
		/* Each question has its time; one that is not answered is the last. */
		probe(s, &list.listed[i], &late);
		/* Who was asked about is known next time. */
		s->pending |= now_ms() > end;
		if (late || now_ms() > end || names_aborted(n))
			break;
	}
	if (late && !names_aborted(n)) {
		names_note(n, "Docker does not answer in time, it is asked again later.", "socket",
			   "/" SOCKET);
		n->docker_rests = now_ms() + REST_MS;
		s->pending = true;
	}
	listing_free(&list);
}
