/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "names-helper.h"
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

static json_t *ask(struct names *n)
{
	char *const argv[] = {"podman", "ps", "--pod", "--no-trunc", "--format", "json", NULL};
	size_t len;
	char *text = program_read(n, PROGRAM, argv, TIMEOUT_MS, &len);
	json_t *list = text ? state_parse(n, text, len, "podman ps") : NULL;

	free(text);
	return list;
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
	const json_t *entry;
	size_t i;

	if (!p->asked && now_ms() >= n->podman_rests && is_this_host(n)) {
		p->list = ask(n);
		if (!p->list && !names_aborted(n)) {
			names_note(n, "Podman does not tell the names of its pods.", "command",
				   "podman ps");
			n->podman_rests = now_ms() + REST_MS;
		}
	}
	p->asked = true;
	json_array_foreach(p->list, i, entry)
	{
		const char *entry_id = json_str(entry, "Id"), *pod = json_str(entry, "PodName");

		if (entry_id && !strcmp(entry_id, id))
			return pod && *pod ? pod : NULL;
	}
	return NULL;
}

void podman_forget(struct podman *p)
{
	json_decref(p->list);
	*p = (struct podman){0};
}
