/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <curl/curl.h>

#include "names-int.h"
#include "base/util.h"

/* Docker's Engine API. Whoever waits for an answer is recording. */
#define SOCKET	    "run/docker.sock"
#define TIMEOUT_MS  500
#define SCAN_MS	    2000
#define REST_MS	    5000
#define ANSWER_MAX  (8u << 20)
#define ID_LEN_MAX  128
#define SOCKET_PATH "/proc/self/fd/%d/" SOCKET

struct answer {
	char *text;
	size_t len, cap;
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

/* The answer to GET @path, or NULL; *late if it took too long. */
static json_t *ask(struct scan *s, struct api *api, const char *path, bool *late)
{
	char *url = xasprintf("http://localhost%s", path);
	uint64_t now = now_ms();
	long left = now < api->until ? (long)(api->until - now) : 1;
	struct answer a = {0};
	json_t *j = NULL;
	CURLcode status;

	curl_easy_setopt(api->curl, CURLOPT_URL, url);
	curl_easy_setopt(api->curl, CURLOPT_TIMEOUT_MS, left);
	curl_easy_setopt(api->curl, CURLOPT_WRITEDATA, &a);
	status = curl_easy_perform(api->curl);
	if (!status)
		j = state_parse(s->names, a.text ? a.text : "", a.len, "/" SOCKET);
	else if (status != CURLE_COULDNT_CONNECT && status != CURLE_HTTP_RETURNED_ERROR)
		*late = true;
	free(a.text);
	free(url);
	return j;
}

/* Only what cannot change the meaning of a URL. */
static bool is_id(const char *id)
{
	size_t len = id ? strspn(id, "0123456789abcdef") : 0;

	return len && len < ID_LEN_MAX && !id[len];
}

static const char *without_slash(const char *name)
{
	return name && *name == '/' ? name + 1 : name;
}

/* Its own name, of all those: others are of links, CONTAINER/ALIAS. */
static const char *own_name(const json_t *container)
{
	const json_t *names = json_object_get(container, "Names");
	const json_t *value;
	size_t i;

	json_array_foreach(names, i, value)
	{
		const char *name = without_slash(json_string_value(value));

		if (name && !strchr(name, '/'))
			return name;
	}
	return NULL;
}

void docker_labels(struct found *f, const json_t *labels)
{
	/* Labels may be the image's, whose maker is nobody to say so; the name is the kubelet's. */
	if (strncmp(f->name, "k8s_", 4))
		return;
	f->pod = json_str(labels, "io.kubernetes.pod.name");
	f->pod_namespace = json_str(labels, "io.kubernetes.pod.namespace");
	f->container = json_str(labels, "io.kubernetes.container.name");
}

static void tell_of(struct scan *s, const char *id, const json_t *details)
{
	const json_t *config = json_object_get(details, "Config");
	int64_t pid = json_num(json_object_get(details, "State"), "Pid");
	const char *name = without_slash(json_str(details, "Name"));
	struct found f = {
		.runtime = "docker",
		.id = id,
		.name = name ? name : id,
		.image = json_str(config, "Image"),
	};

	if (pid <= 0 || pid > INT32_MAX)
		return;
	f.init = (pid_t)pid;
	docker_labels(&f, json_object_get(config, "Labels"));
	scan_found(s, &f);
}

/* One that was not told yet costs a question. */
static void probe(struct scan *s, struct api *api, const json_t *container, bool *late)
{
	const char *id = json_str(container, "Id");
	char path[ID_LEN_MAX + 32];
	json_t *details;

	if (!is_id(id) || scan_still(s, "docker", id, own_name(container), 0))
		return;
	snprintf(path, sizeof(path), "/containers/%s/json", id);
	details = ask(s, api, path, late);
	if (details)
		tell_of(s, id, details);
	json_decref(details);
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
	json_t *list = NULL;
	const json_t *container;
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
		list = ask(s, &api, "/containers/json", &late);
	json_array_foreach(list, i, container)
	{
		/* Each question has its time; one that is not answered is the last. */
		api.until = now_ms() + TIMEOUT_MS;
		probe(s, &api, container, &late);
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
	json_decref(list);
	api_close(&api);
}
