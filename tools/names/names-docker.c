/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <curl/curl.h>

#include "names-facts.h"
#include "base/util.h"

/* Docker's Engine API. Whoever waits for an answer is recording. */
#define SOCKET	    "run/docker.sock"
#define TIMEOUT_MS  500
#define SCAN_MS	    2000
#define REST_MS	    5000
#define ANSWER_MAX  FACTS_TEXT_MAX
#define ID_LEN_MAX  128
#define SOCKET_PATH "/proc/self/fd/%d/" SOCKET

struct answer {
	char *text;
	size_t len, cap;
};

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

struct api {
	CURL *curl;
	/* When the time for all of one scan's questions is over. */
	uint64_t until;
};

static size_t take(char *data, size_t size, size_t nr, void *arg)
{
	struct answer *a = arg;
	size_t len = size * nr;

	/* Less than was offered: the transfer fails. */
	if (!len || len > ANSWER_MAX - a->len)
		return 0;
	if (a->cap < a->len + len) {
		a->cap = (a->len + len) * 2;
		a->text = xrealloc(a->text, a->cap, 1);
	}
	memcpy(a->text + a->len, data, len);
	a->len += len;
	return len;
}

static int api_open(struct api *api, int root)
{
	char path[64];

	/* No TLS here. */
	if (curl_global_init(CURL_GLOBAL_NOTHING))
		return -1;
	snprintf(path, sizeof(path), SOCKET_PATH, root);
	api->until = now_ms() + TIMEOUT_MS;
	api->curl = curl_easy_init();
	if (!api->curl || curl_easy_setopt(api->curl, CURLOPT_UNIX_SOCKET_PATH, path) ||
	    curl_easy_setopt(api->curl, CURLOPT_PROXY, "") ||
	    curl_easy_setopt(api->curl, CURLOPT_NOSIGNAL, 1L) ||
	    curl_easy_setopt(api->curl, CURLOPT_FAILONERROR, 1L) ||
	    curl_easy_setopt(api->curl, CURLOPT_WRITEFUNCTION, take))
		return -1;
	return 0;
}

static void api_close(struct api *api)
{
	curl_easy_cleanup(api->curl);
	curl_global_cleanup();
}

/* Takes the answer to GET @path. -1: there is none; *late if it took too long. */
static int ask(struct scan *s, struct api *api, const struct question *q, bool *late)
{
	char *url = xasprintf("http://localhost%s", q->path);
	uint64_t now = now_ms();
	long left = now < api->until ? (long)(api->until - now) : 1;
	struct answer a = {0};
	int ret = -1;
	CURLcode status;

	curl_easy_setopt(api->curl, CURLOPT_URL, url);
	curl_easy_setopt(api->curl, CURLOPT_TIMEOUT_MS, left);
	curl_easy_setopt(api->curl, CURLOPT_WRITEDATA, &a);
	status = curl_easy_perform(api->curl);
	if (!status)
		ret = facts_ask(s->names, q->what, a.text ? a.text : "", a.len, "/" SOCKET, q->take,
				q->ctx);
	else if (status != CURLE_COULDNT_CONNECT && status != CURLE_HTTP_RETURNED_ERROR)
		*late = true;
	free(a.text);
	free(url);
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
		.runtime = "docker", .id = id, .name = facts->has_name ? facts->name : id};

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
static void probe(struct scan *s, struct api *api, const struct listed *l, bool *late)
{
	char path[ID_LEN_MAX + 32];
	struct facts details = {0};
	struct question q = {path, FACTS_DOCKER_DETAILS, take_details, &details};

	if (!is_id(l->id) || scan_still(s, "docker", l->id, l->name, 0))
		return;
	snprintf(path, sizeof(path), "/containers/%s/json", l->id);
	if (!ask(s, api, &q, late))
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
	struct api api = {0};
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
	if (!api_open(&api, n->root))
		ask(s, &api, &q, &late);
	for (i = 0; i < list.nr; i++) {
		/* Each question has its time; one that is not answered is the last. */
		api.until = now_ms() + TIMEOUT_MS;
		probe(s, &api, &list.listed[i], &late);
		/* Who was asked about is known next time. */
		s->pending |= now_ms() > end;
		if (late || now_ms() > end || names_aborted(n))
			break;
	}
	if (late) {
		names_note(n, "Docker does not answer in time, it is asked again later.", "socket",
			   "/" SOCKET);
		n->docker_rests = now_ms() + REST_MS;
		s->pending = true;
	}
	listing_free(&list);
	api_close(&api);
}
