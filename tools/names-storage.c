/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names-int.h"
#include "names-podman.h"
#include "util.h"

/*
 * podman and CRI-O keep their containers with one library: DRIVER-containers
 * has a directory for each id, here what is gone after a boot, there the rest.
 */
#define RUN_PLACE  "run/containers/storage"
#define KEPT_PLACE "var/lib/containers/storage"

static const char *const drivers[] = {
	"overlay-containers", "vfs-containers",	 "btrfs-containers",
	"zfs-containers",     "aufs-containers", "devicemapper-containers",
};

/* More containers of one user are not looked for: it takes time, and he decides how many. */
#define USER_MAX 256

struct storage {
	struct scan *scan;
	uid_t user;    /* 0: root */
	int run, kept; /* DRIVER-containers in both places; kept may be -1 */
	json_t *index; /* a list of all containers with their names; or NULL */
	bool has_index;
	struct podman podman;
};

static const char *name_in_index(struct storage *st, const char *id)
{
	const json_t *entry;
	size_t i;

	if (!st->has_index && st->kept >= 0)
		st->index = state_json(st->scan->names, st->kept, "containers.json", NULL);
	st->has_index = true;
	json_array_foreach(st->index, i, entry)
	{
		const char *entry_id = json_str(entry, "id");

		if (entry_id && !strcmp(entry_id, id))
			return json_string_value(
				json_array_get(json_object_get(entry, "names"), 0));
	}
	return NULL;
}

static const char *image_in_index(const struct storage *st, const char *id, json_t **metadata)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(st->index, i, entry)
	{
		const char *entry_id = json_str(entry, "id"), *text;

		if (!entry_id || strcmp(entry_id, id))
			continue;
		text = json_str(entry, "metadata");
		*metadata = text ? json_loads(text, JSON_ALLOW_NUL, NULL) : NULL;
		return json_str(*metadata, "image-name");
	}
	return NULL;
}

static json_t *read_spec(struct storage *st, const char *id)
{
	char *path = xasprintf("%s/userdata/config.json", id);
	json_t *spec = state_json(st->scan->names, st->run, path, NULL);

	if (!spec && st->kept >= 0)
		spec = state_json(st->scan->names, st->kept, path, NULL);
	free(path);
	return spec;
}

static void tell_of_crio(struct scan *s, struct found *f, const json_t *notes)
{
	const char *name = json_str(notes, "io.kubernetes.cri-o.Name");
	const char *kind = json_str(notes, "io.kubernetes.cri-o.ContainerType");

	f->runtime = "crio";
	f->name = name ? name : f->name ? f->name : f->id;
	f->pod = json_str(notes, "io.kubernetes.pod.name");
	f->pod_namespace = json_str(notes, "io.kubernetes.pod.namespace");
	/* The sandbox's says just POD. */
	if (!kind || strcmp(kind, "sandbox"))
		f->container = json_str(notes, "io.kubernetes.container.name");
	f->image = json_str(notes, "io.kubernetes.cri-o.ImageName");
	scan_found(s, f);
}

static void tell_of_podman(struct storage *st, struct found *f)
{
	struct scan *s = st->scan;
	json_t *metadata = NULL;
	struct process p;

	if (!f->name) {
		if (scan_defer(s, f->init))
			return;
		f->name = f->id;
	}
	f->runtime = "podman";
	f->image = image_in_index(st, f->id, &metadata);
	if (!process_read(s->names, f->init, &p)) {
		/* Users' pods are unknown to root's podman. */
		if (!st->user && podman_in_pod(p.cgroup))
			f->pod = podman_pod_of(s, &st->podman, f->id);
		process_free(&p);
	}
	scan_found(s, f);
	json_decref(metadata);
}

static bool is_crio(const json_t *notes)
{
	const char *manager = json_str(notes, "io.container.manager");

	return manager ? !strcmp(manager, "cri-o") : !!json_str(notes, "io.kubernetes.cri-o.Name");
}

static void probe(struct storage *st, const char *id)
{
	struct scan *s = st->scan;
	struct found f = {.id = id, .user = st->user};
	char *path = xasprintf("%s/userdata/pidfile", id);
	json_t *spec;

	f.init = state_pid(s->names, st->run, path, &f.written);
	free(path);
	if (!f.init || !process_start(s->names, f.init))
		return;
	f.name = name_in_index(st, id);
	if (scan_still_of(s, st->user, "podman", id, f.name, f.init) ||
	    scan_still_of(s, st->user, "crio", id, NULL, f.init))
		return;
	spec = read_spec(st, id);
	/* CRI-O is root's: a user who writes its annotations would name pods of Kubernetes. */
	if (!st->user && is_crio(json_object_get(spec, "annotations")))
		tell_of_crio(s, &f, json_object_get(spec, "annotations"));
	else
		tell_of_podman(st, &f);
	json_decref(spec);
}

static void probe_driver(struct scan *s, int run, int kept, const char *driver, uid_t user)
{
	struct storage st = {.scan = s, .user = user, .kept = -1};
	struct list ids;
	size_t i;

	st.run = state_dir_beneath(s->names, run, driver);
	if (st.run < 0)
		return;
	if (kept >= 0)
		st.kept = state_look_beneath(kept, driver);
	state_list(st.run, &ids);
	for (i = 0; i < ids.nr && (!user || i < USER_MAX); i++)
		probe(&st, ids.names[i]);
	list_free(&ids);
	close(st.run);
	if (st.kept >= 0)
		close(st.kept);
	json_decref(st.index);
	podman_forget(&st.podman);
}

static void probe_places(struct scan *s, int run, int kept, uid_t user)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(drivers); i++)
		probe_driver(s, run, kept, drivers[i], user);
}

/* A user's own, of podman without root. */
static void probe_user(struct scan *s, const char *name)
{
	uid_t user = (uid_t)strtoul(name, NULL, 10);
	char *path = xasprintf("run/user/%s", name), *home = user_home(s->names, user);
	int base = state_dir(s->names, path), run = -1, kept = -1;

	free(path);
	if (base >= 0 && user)
		run = state_dir_beneath(s->names, base, "containers");
	if (base >= 0)
		close(base);
	base = run >= 0 && home ? state_look(s->names, home) : -1;
	if (base >= 0) {
		kept = state_look_beneath(base, ".local/share/containers/storage");
		close(base);
	}
	if (run >= 0) {
		probe_places(s, run, kept, user);
		close(run);
	}
	if (kept >= 0)
		close(kept);
	free(home);
}

void names_users(struct scan *s)
{
	int dir = state_dir(s->names, "run/user");
	struct list users;
	size_t i;

	if (dir < 0)
		return;
	state_list(dir, &users);
	for (i = 0; i < users.nr; i++)
		probe_user(s, users.names[i]);
	list_free(&users);
	close(dir);
}

void names_storage(struct scan *s)
{
	int run = state_dir(s->names, RUN_PLACE), kept = state_look(s->names, KEPT_PLACE);

	if (run >= 0) {
		probe_places(s, run, kept, 0);
		close(run);
	}
	if (kept >= 0)
		close(kept);
}

bool storage_has(struct scan *s, const char *id)
{
	int run = state_look(s->names, RUN_PLACE);
	bool has = false;
	size_t i;

	for (i = 0; run >= 0 && i < ARRAY_SIZE(drivers) && !has; i++) {
		char *path = xasprintf("%s/%s", drivers[i], id);

		has = state_exists(run, path);
		free(path);
	}
	if (run >= 0)
		close(run);
	return has;
}
