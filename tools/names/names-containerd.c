/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names-facts.h"
#include "base/util.h"

/* The bundles of running tasks, NAMESPACE/ID below these. */
static const char *const places[] = {
	"run/containerd/io.containerd.runtime.v2.task",
	"run/docker/containerd/daemon/io.containerd.runtime.v2.task",
	"run/k3s/containerd/io.containerd.runtime.v2.task",
	"run/containerd/io.containerd.runtime.v1.linux",
};

#define DOCKER_CONTAINERS "var/lib/docker/containers"

static void tell_of(struct scan *s, struct found *f, int dir)
{
	char *path = xasprintf("%s/config.json", f->id);
	struct facts facts;

	if (!facts_read(s->names, FACTS_CONTAINERD, dir, path, NULL, &facts)) {
		f->runtime = "containerd";
		f->name = facts.has_name ? facts.name : f->id;
		facts_place(f, &facts);
		scan_found(s, f);
	}
	free(path);
}

/*
 * Docker's own, if the daemon has not told of it: it is still being started,
 * or the daemon does not answer.
 */
static void tell_of_docker(struct scan *s, struct found *f)
{
	int dir = state_look(s->names, DOCKER_CONTAINERS);
	char *path = xasprintf("%s/config.v2.json", f->id);
	struct facts facts = {0};

	if (dir >= 0)
		facts_read(s->names, FACTS_DOCKER_FILE, dir, path, NULL, &facts);
	f->runtime = "docker";
	f->name = facts.has_name ? facts.name : f->id;
	facts_place(f, &facts);
	if (facts.has_name || !scan_defer(s, f->init))
		scan_found(s, f);
	free(path);
	if (dir >= 0)
		close(dir);
}

static void probe(struct scan *s, int dir, const char *space, const char *id)
{
	struct names *n = s->names;
	bool docker = !strcmp(space, "moby");
	char *pid = xasprintf("%s/init.pid", id);
	struct found f = {.id = id};

	f.init = state_pid(n, dir, pid, &f.written);
	if (!f.init)
		state_watch(n, dir, id);
	if (!f.init || scan_claimed(s, f.init) ||
	    scan_still(s, docker ? "docker" : "containerd", id, NULL, f.init))
		goto out;
	if (docker)
		tell_of_docker(s, &f);
	else
		tell_of(s, &f, dir);
out:
	free(pid);
}

static void probe_namespace(struct scan *s, int place, const char *space)
{
	int dir = state_dir_beneath(s->names, place, space);
	struct list ids;
	size_t i;

	if (dir < 0)
		return;
	state_list(dir, &ids);
	for (i = 0; i < ids.nr; i++)
		probe(s, dir, space, ids.names[i]);
	list_free(&ids);
	close(dir);
}

void names_containerd(struct scan *s)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		int place = state_dir(s->names, places[i]);
		struct list spaces;

		if (place < 0)
			continue;
		state_list(place, &spaces);
		for (k = 0; k < spaces.nr; k++)
			probe_namespace(s, place, spaces.names[k]);
		list_free(&spaces);
		close(place);
	}
}
