/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
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

struct storage {
	struct scan *scan;
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
		if (podman_in_pod(p.cgroup))
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
	struct found f = {.id = id};
	char *path = xasprintf("%s/userdata/pidfile", id);
	json_t *spec;

	f.init = state_pid(s->names, st->run, path, &f.written);
	free(path);
	if (!f.init || !process_start(s->names, f.init))
		return;
	f.name = name_in_index(st, id);
	if (scan_still(s, "podman", id, f.name, f.init) || scan_still(s, "crio", id, NULL, f.init))
		return;
	spec = read_spec(st, id);
	if (is_crio(json_object_get(spec, "annotations")))
		tell_of_crio(s, &f, json_object_get(spec, "annotations"));
	else
		tell_of_podman(st, &f);
	json_decref(spec);
}

/* DRIVER-containers, whatever the driver. */
static bool is_driver(const char *name)
{
	size_t len = strlen(name), end = strlen("-containers");

	return len > end && !strcmp(name + len - end, "-containers");
}

static void probe_driver(struct scan *s, int run, const char *driver)
{
	struct storage st = {.scan = s, .kept = -1};
	int kept = state_dir(s->names, KEPT_PLACE);
	struct list ids;
	size_t i;

	st.run = state_dir_beneath(s->names, run, driver);
	if (kept >= 0) {
		st.kept = state_dir_beneath(s->names, kept, driver);
		close(kept);
	}
	if (st.run >= 0) {
		state_list(st.run, &ids);
		for (i = 0; i < ids.nr; i++)
			probe(&st, ids.names[i]);
		list_free(&ids);
		close(st.run);
	}
	if (st.kept >= 0)
		close(st.kept);
	json_decref(st.index);
	podman_forget(&st.podman);
}

void names_storage(struct scan *s)
{
	int run = state_dir(s->names, RUN_PLACE);
	struct list drivers;
	size_t i;

	if (run < 0)
		return;
	state_list(run, &drivers);
	for (i = 0; i < drivers.nr; i++)
		if (is_driver(drivers.names[i]))
			probe_driver(s, run, drivers.names[i]);
	list_free(&drivers);
	close(run);
}

bool storage_has(struct scan *s, const char *id)
{
	int run = state_dir(s->names, RUN_PLACE);
	bool has = false;
	struct list drivers;
	size_t i;

	if (run < 0)
		return false;
	state_list(run, &drivers);
	for (i = 0; i < drivers.nr && !has; i++) {
		char *path = xasprintf("%s/%s", drivers.names[i], id);

		has = is_driver(drivers.names[i]) && state_exists(run, path);
		free(path);
	}
	list_free(&drivers);
	close(run);
	return has;
}
