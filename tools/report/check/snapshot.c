/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"
#include "base/text.h"
#include "base/util.h"

#define MAGIC "lttng-containers-snapshot 1"

struct parser {
	struct snapshot *s;
	unsigned int line;
	bool has_host, has_end;
	uint64_t end_threads;
};

static int complain(const struct parser *p, const char *what, const char *value)
{
	char *path = text_escape(p->s->path), *shown = text_escape(value);

	error("%s file=%s line=%u value=%s", what, path, p->line, shown);
	free(path);
	free(shown);
	return -1;
}

static int parse_number(const char *text, uint64_t limit, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return -1;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return *end || errno || *value > limit ? -1 : 0;
}

static int parse_int(const char *text, int *value)
{
	uint64_t n;

	if (parse_number(text, INT32_MAX, &n))
		return -1;
	*value = (int)n;
	return 0;
}

/* "812,1" into numbers; returns how many, or -1. Empty is none. */
static int parse_list(char *text, int32_t list[LEVELS_MAX])
{
	char *save, *item;
	int n = 0, value;

	for (item = strtok_r(text, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		if (n == LEVELS_MAX || parse_int(item, &value))
			return -1;
		list[n++] = value;
	}
	return n;
}

static int parse_cgroups(struct snap_thread *t, char *text)
{
	char *save, *item;

	for (item = strtok_r(text, ";", &save); item; item = strtok_r(NULL, ";", &save)) {
		char *colon = strchr(item, ':');
		struct snap_cgroup *c;
		int hierarchy;

		if (!colon)
			return -1;
		*colon = '\0';
		if (parse_int(item, &hierarchy) || percent_decode(colon + 1))
			return -1;
		t->cgroups = grow(t->cgroups, t->nr_cgroups, &t->cap_cgroups, sizeof(*c));
		c = &t->cgroups[t->nr_cgroups++];
		c->hierarchy = hierarchy;
		c->path = xstrdup(colon + 1);
	}
	return 0;
}

static int parse_comm(struct snap_thread *t, char *text)
{
	if (percent_decode(text))
		return -1;
	snprintf(t->comm, sizeof(t->comm), "%s", text);
	t->has_comm = true;
	return 0;
}

static int parse_ns(struct snap_thread *t, const char *key, const char *value)
{
	uint64_t n;
	int k;

	for (k = 0; k < NS_KIND_NR; k++) {
		size_t len = strlen(ns_kind_names[k]);

		if (strncmp(key, ns_kind_names[k], len) || strcmp(key + len, "_ns"))
			continue;
		if (parse_number(value, UINT32_MAX, &n))
			return -1;
		t->ns_inums[k] = (uint32_t)n;
		return 0;
	}
	return 0;
}

static int thread_field(struct snap_thread *t, const char *key, char *value)
{
	uint64_t n = 0;
	int ret;

	if (!strcmp(key, "tid"))
		return parse_int(value, &t->tid);
	if (!strcmp(key, "pid"))
		return parse_int(value, &t->pid);
	if (!strcmp(key, "ppid"))
		return parse_int(value, &t->ppid);
	if (!strcmp(key, "comm"))
		return parse_comm(t, value);
	if (!strcmp(key, "state")) {
		t->state = value[0];
		return 0;
	}
	if (!strcmp(key, "nspid")) {
		t->nr_nspid = parse_list(value, t->nspid);
		return t->nr_nspid < 0 ? -1 : 0;
	}
	if (!strcmp(key, "nstgid")) {
		t->nr_nstgid = parse_list(value, t->nstgid);
		return t->nr_nstgid < 0 ? -1 : 0;
	}
	if (!strcmp(key, "pid_ns")) {
		ret = parse_number(value, UINT32_MAX, &n);
		t->pid_ns = (uint32_t)n;
		return ret;
	}
	if (!strcmp(key, "cgroup"))
		return parse_cgroups(t, value);
	return parse_ns(t, key, value);
}

static int host_field(struct snapshot *s, const char *key, char *value)
{
	if (!strcmp(key, "boot_id")) {
		snprintf(s->boot_id, sizeof(s->boot_id), "%s", value);
		return strlen(value) == 36 ? 0 : -1;
	}
	if (!strcmp(key, "hostname")) {
		free(s->hostname);
		s->hostname = xstrdup(value);
		return percent_decode(s->hostname);
	}
	if (!strcmp(key, "begin"))
		return parse_number(value, INT64_MAX, &s->begin);
	if (!strcmp(key, "end"))
		return parse_number(value, INT64_MAX, &s->end);
	return 0;
}

static int parse_fields(struct parser *p, char *rest, struct snap_thread *t)
{
	char *save, *item;

	for (item = strtok_r(rest, " ", &save); item; item = strtok_r(NULL, " ", &save)) {
		char *value = strchr(item, '='), *copy = xstrdup(item);
		int ret;

		if (value)
			*value++ = '\0';
		ret = !value ? -1
		      : t    ? thread_field(t, item, value)
			     : host_field(p->s, item, value);
		if (ret)
			complain(p,
				 "A field of the snapshot cannot be understood; see"
				 " docs/snapshot.md.",
				 copy);
		free(copy);
		if (ret)
			return -1;
	}
	return 0;
}

static int parse_thread(struct parser *p, char *rest)
{
	struct snapshot *s = p->s;
	struct snap_thread *t;

	s->threads = grow(s->threads, s->nr_threads, &s->cap_threads, sizeof(*t));
	t = &s->threads[s->nr_threads++];
	*t = (struct snap_thread){.ppid = -1};
	if (parse_fields(p, rest, t))
		return -1;
	if (!t->tid || !t->pid)
		return complain(p, "A thread of the snapshot lacks tid or pid.", "thread");
	return 0;
}

static int parse_end(struct parser *p, const char *rest)
{
	p->has_end = true;
	if (strncmp(rest, "threads=", 8) || parse_number(rest + 8, UINT64_MAX, &p->end_threads))
		return complain(p, "The end line of the snapshot lacks threads=N.", rest);
	if (p->end_threads != p->s->nr_threads)
		return complain(p,
				"The snapshot does not have as many threads as its end line"
				" says; take it anew.",
				rest);
	return 0;
}

static int parse_host(struct parser *p, char *rest)
{
	p->has_host = true;
	if (parse_fields(p, rest, NULL))
		return -1;
	if (!*p->s->boot_id || !p->s->begin || p->s->end < p->s->begin)
		return complain(p, "The host line of the snapshot lacks boot_id, begin or end.",
				"host");
	return 0;
}

static int parse_line(struct parser *p, char *line)
{
	char *rest = strchr(line, ' ');

	if (p->line == 1)
		return strcmp(line, MAGIC)
			       ? complain(p,
					  "The file is not a snapshot: its first line should be"
					  " \"" MAGIC "\".",
					  line)
			       : 0;
	if (p->has_end)
		return *line ? complain(p, "The snapshot goes on after its end line.", line) : 0;
	if (!rest)
		return *line ? complain(p, "A line of the snapshot cannot be understood.", line)
			     : 0;
	*rest++ = '\0';
	if (!strcmp(line, "host"))
		return parse_host(p, rest);
	if (p->line == 2)
		return complain(p, "The second line of a snapshot should be its host line.", line);
	if (!strcmp(line, "thread"))
		return parse_thread(p, rest);
	if (!strcmp(line, "end"))
		return parse_end(p, rest);
	return 0;
}

static int parse(struct parser *p, FILE *f)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int ret = 0;

	while (!ret && (len = xgetdelim(&line, &size, '\n', f)) >= 0) {
		p->line++;
		if (len && line[len - 1] == '\n')
			line[--len] = '\0';
		/* A zero byte hides the rest of its line. */
		if (p->line > 1 && strlen(line) != (size_t)len)
			ret = complain(p, "The snapshot holds a zero byte.", line);
		else
			ret = parse_line(p, line);
	}
	if (!ret && ferror(f))
		ret = complain(p, "The snapshot cannot be read.", strerror(errno));
	if (!ret && !p->line)
		ret = complain(p,
			       "The snapshot is empty: its first line should be"
			       " \"" MAGIC "\".",
			       "");
	else if (!ret && (!p->has_host || !p->has_end))
		ret = complain(p,
			       "The snapshot is cut off: its last line should be"
			       " \"end threads=N\"; take it anew.",
			       line ? line : "");
	free(line);
	return ret;
}

int snapshot_read(struct snapshot *s, const char *path)
{
	struct parser p = {.s = s};
	FILE *f = fopen(path, "re");
	int ret;

	s->path = xstrdup(path);
	if (!f)
		return complain(&p, "The snapshot cannot be opened.", strerror(errno));
	ret = parse(&p, f);
	fclose(f);
	return ret;
}

void snapshot_free(struct snapshot *s)
{
	size_t i, k;

	for (i = 0; i < s->nr_threads; i++) {
		for (k = 0; k < s->threads[i].nr_cgroups; k++)
			free(s->threads[i].cgroups[k].path);
		free(s->threads[i].cgroups);
	}
	free(s->threads);
	free(s->hostname);
	free(s->path);
}
