/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "names-facts.h"
#include "base/text.h"
#include "base/util.h"

struct output {
	void (*put)(void *ctx, struct facts *f);
	void *ctx;
};

static void set_text(char *to, size_t size, const char *value)
{
	if (value)
		memcpy(to, value, strnlen(value, size - 1));
}

#define SET(to, value) set_text(to, sizeof(to), value)

static const char *without_slash(const char *name)
{
	return name && *name == '/' ? name + 1 : name;
}

static void set_name(struct facts *f, const char *name)
{
	f->has_name = !!name;
	SET(f->name, name);
}

static void runc(struct facts *f, const json_t *j)
{
	f->init = json_num(j, "init_process_pid");
	f->start = json_num(j, "init_process_start");
}

static void crun(struct facts *f, const json_t *j)
{
	f->init = json_num(j, "pid");
	f->start = json_num(j, "process-start-time");
}

static void containerd(struct facts *f, const json_t *j)
{
	const json_t *notes = json_object_get(j, "annotations");
	const char *container = json_str(notes, "io.kubernetes.cri.container-name");

	SET(f->pod, json_str(notes, "io.kubernetes.cri.sandbox-name"));
	SET(f->pod_namespace, json_str(notes, "io.kubernetes.cri.sandbox-namespace"));
	SET(f->container, container);
	SET(f->image, json_str(notes, "io.kubernetes.cri.image-name"));
	/* A pod's sandbox has no name of its own. */
	set_name(f, container ? container : json_str(notes, "nerdctl/name"));
}

/* Days since 1970 of a date of our calendar; years begin in March here, behind the leap day. */
static int64_t days_of(const struct tm *tm)
{
	int64_t year = 1900 + tm->tm_year - (tm->tm_mon < 2), month = (tm->tm_mon + 10) % 12;

	return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 +
	       tm->tm_mday - 719469;
}

/*
 * Ns since the epoch, of a time of UTC as Go writes it; 0: it is none, or before. timegm() would
 * open files, which the helper may not.
 */
static uint64_t time_of(const char *text)
{
	struct tm tm = {0};
	const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
	uint64_t ns = 0, unit = NS_PER_SEC;
	int64_t s;

	if (!rest)
		return 0;
	if (*rest == '.')
		for (rest++; isdigit((unsigned char)*rest); rest++)
			ns += (uint64_t)(*rest - '0') * (unit /= 10);
	s = ((days_of(&tm) * 24 + tm.tm_hour) * 60 + tm.tm_min) * 60 + tm.tm_sec;
	return !strcmp(rest, "Z") && s > 0 && (uint64_t)s < UINT64_MAX / NS_PER_SEC
		       ? (uint64_t)s * NS_PER_SEC + ns
		       : 0;
}

static void docker(struct facts *f, const json_t *j)
{
	const json_t *config = json_object_get(j, "Config");
	const json_t *labels = json_object_get(config, "Labels");
	const json_t *state = json_object_get(j, "State");

	f->init = json_num(state, "Pid");
	f->started = time_of(json_str(state, "StartedAt"));
	set_name(f, without_slash(json_str(j, "Name")));
	SET(f->image, json_str(config, "Image"));
	/* Labels may be the image's, whose maker is nobody to say so; the name is the kubelet's. */
	if (strncmp(f->name, "k8s_", 4))
		return;
	SET(f->pod, json_str(labels, "io.kubernetes.pod.name"));
	SET(f->pod_namespace, json_str(labels, "io.kubernetes.pod.namespace"));
	SET(f->container, json_str(labels, "io.kubernetes.container.name"));
}

/* Its own name, of all those: others are of links, CONTAINER/ALIAS. */
static const char *own_name(const json_t *container)
{
	const json_t *value;
	size_t i;

	json_array_foreach(json_object_get(container, "Names"), i, value)
	{
		const char *name = without_slash(json_string_value(value));

		if (name && !strchr(name, '/'))
			return name;
	}
	return NULL;
}

/* An id that does not fit is none. */
static bool set_id(struct facts *f, const char *id)
{
	if (!id || strlen(id) >= sizeof(f->id))
		return false;
	SET(f->id, id);
	return true;
}

static void put_list(const struct output *out, enum facts_of what, const json_t *list)
{
	const json_t *value;
	size_t i;

	json_array_foreach(list, i, value)
	{
		struct facts f = {0};

		if (!set_id(&f, json_str(value, "Id")))
			continue;
		if (what == FACTS_DOCKER_LIST)
			set_name(&f, own_name(value));
		else
			SET(f.pod, json_str(value, "PodName"));
		out->put(out->ctx, &f);
	}
}

/* Takes away quotes, and what is escaped with backslashes. In place. */
static char *unescape(char *value)
{
	size_t len = strlen(value);
	char *from = value, *to = value;
	unsigned int c;

	if (len >= 2 && *value == '"' && value[len - 1] == '"') {
		value[len - 1] = '\0';
		from++;
	}
	while (*from) {
		if (*from == '\\' && from[1] == 'x' && isxdigit((unsigned char)from[2]) &&
		    isxdigit((unsigned char)from[3]) && sscanf(from + 2, "%2x", &c) == 1 && c) {
			*to++ = (char)c;
			from += 4;
		} else {
			if (*from == '\\' && from[1])
				from++;
			*to++ = *from++;
		}
	}
	*to = '\0';
	return value;
}

static void machine(struct facts *f, char *text)
{
	char *line, *save = NULL;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *value = strchr(line, '=');

		if (!value)
			continue;
		*value++ = '\0';
		value = unescape(value);
		if (!strcmp(line, "NAME"))
			SET(f->name, value);
		else if (!strcmp(line, "SERVICE"))
			SET(f->runtime, value);
		else if (!strcmp(line, "CLASS"))
			f->has_name = !strcmp(value, "container");
		else if (!strcmp(line, "SCOPE") || !strcmp(line, "UNIT"))
			SET(f->unit, value);
		else if (!strcmp(line, "LEADER"))
			f->init = (pid_t)strtol(value, NULL, 10);
		/* Of later versions, which let users register what is theirs. */
		else if (!strcmp(line, "UID"))
			f->user = (uid_t)strtoul(value, NULL, 10);
	}
}

static void put_json(const struct output *out, enum facts_of what, const json_t *j)
{
	static void (*const readers[])(struct facts * f, const json_t *j) = {
		[FACTS_RUNC] = runc,
		[FACTS_CRUN] = crun,
		[FACTS_CONTAINERD] = containerd,
		[FACTS_DOCKER_FILE] = docker,
		[FACTS_DOCKER_DETAILS] = docker,
	};
	struct facts f = {0};

	if (what == FACTS_DOCKER_LIST || what == FACTS_PODMAN_LIST) {
		put_list(out, what, j);
		return;
	}
	readers[what](&f, j);
	out->put(out->ctx, &f);
}

/* What is behind the head of docker's HTTP, if it says that it is what was asked for; or NULL. */
static const char *body_of(const char *text, bool *is_http)
{
	const char *end = strstr(text, "\r\n\r\n");
	unsigned int status;

	*is_http = end && sscanf(text, "HTTP/1.%*1u %3u ", &status) == 1;
	return *is_http && status == 200 ? end + 4 : NULL;
}

/* Returns whether there was something to be understood, and was not. */
static bool parse_json(const struct output *out, enum facts_of what, const char *text, size_t len)
{
	const char *body = text;
	bool is_http = true;
	json_t *j;

	if (what == FACTS_DOCKER_LIST || what == FACTS_DOCKER_DETAILS)
		body = body_of(text, &is_http);
	/* It is gone, say. */
	if (!body)
		return !is_http;
	/* Labels may have any character; what follows a NUL is not shown. */
	j = json_loadb(body, len - (size_t)(body - text), JSON_ALLOW_NUL, NULL);
	if (!j)
		return true;
	put_json(out, what, j);
	json_decref(j);
	return false;
}

void facts_parse(enum facts_of what, char *text, size_t len,
		 void (*put)(void *ctx, struct facts *f), void *ctx)
{
	struct output out = {put, ctx};
	struct facts f = {0}, end = {.is_end = 1};

	if (what == FACTS_MACHINE) {
		machine(&f, text);
		put(ctx, &f);
	} else {
		end.is_broken = parse_json(&out, what, text, len);
	}
	put(ctx, &end);
}
