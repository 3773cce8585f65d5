/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "names-facts.h"
#include "names-podman.h"
#include "base/util.h"

#define PROGRAM	   "/usr/bin/podman"
#define TIMEOUT_MS 20000
#define REST_MS	   60000

bool podman_in_pod(const char *cgroup)
{
	const char *s = strstr(cgroup, "/libpod_parent/"), *next;

	if (strstr(cgroup, "libpod_pod_"))
		return true;
	/* /libpod_parent/POD/libpod-ID */
	if (!s)
		return false;
	s += strlen("/libpod_parent/");
	next = strchr(s, '/');
	return next && strncmp(s, "libpod-", 7);
}

static void take(void *ctx, const struct facts *f)
{
	struct podman *p = ctx;

	p->list = grow(p->list, p->nr, &p->cap, sizeof(*p->list));
	p->list[p->nr++] = (struct pod_of){xstrdup(f->id), xstrdup(f->pod)};
}

static int ask(struct names *n, struct podman *p)
{
	char *const argv[] = {"podman", "ps", "--pod", "--no-trunc", "--format", "json", NULL};
	size_t len;
	char *text = program_read(n, PROGRAM, argv, TIMEOUT_MS, &len);
	int status = -1;

	if (text)
		status = facts_ask(n, FACTS_PODMAN_LIST, text, len, "podman ps", take, p);
	free(text);
	return status;
}

/* What is below another directory is not run as root, nor is it that one's podman that is here. */
static bool is_this_host(const struct names *n)
{
	struct stat theirs, ours;

	return !fstat(n->root, &theirs) && !stat("/", &ours) && theirs.st_dev == ours.st_dev &&
	       theirs.st_ino == ours.st_ino;
}

const char *podman_pod_of(struct scan *s, struct podman *p, const char *id)
{
	struct names *n = s->names;
	size_t i;

	if (!p->asked && now_ms() >= n->podman_rests && is_this_host(n)) {
		if (ask(n, p) && !names_aborted(n)) {
			names_note(n, "Podman does not tell the names of its pods.", "command",
				   "podman ps");
			n->podman_rests = now_ms() + REST_MS;
		}
	}
	p->asked = true;
	for (i = 0; i < p->nr; i++)
		if (!strcmp(p->list[i].id, id))
			return facts_text(p->list[i].pod);
	return NULL;
}

void podman_forget(struct podman *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++) {
		free(p->list[i].id);
		free(p->list[i].pod);
	}
	free(p->list);
	*p = (struct podman){0};
}
