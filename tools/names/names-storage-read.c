/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names-storage.h"
#include "base/util.h"

/* All that is read of a user in one scan. */
#define USER_BYTES (8u << 20)

const char *const storage_drivers[DRIVERS] = {
	"overlay-containers", "vfs-containers",	 "btrfs-containers",
	"zfs-containers",     "aufs-containers", "devicemapper-containers",
};

/* A container in the list of names. */
struct entry {
	const char *id;
	const json_t *value;
	size_t place; /* of two with one id the first counts */
};

struct driver {
	int run, kept; /* DRIVER-containers in both places; -1: not there */
	bool has_index;
	json_t *index;
	struct entry *entries;
	size_t nr, cap;
};

struct candidate {
	struct driver *driver;
	char *id;
};

struct storage {
	struct names *names;
	const struct owner *owner;
	struct driver drivers[DRIVERS];
	struct candidate *candidates;
	size_t nr, cap, max;
	bool over;
};

/* Nobody listens: this was all. */
static void put(const struct storage *st, const struct storage_message *m)
{
	if (send(st->names->helper, m, sizeof(*m), MSG_NOSIGNAL) != (ssize_t)sizeof(*m))
		_exit(0);
}

static int by_id(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	return order ? order : (x->place > y->place) - (x->place < y->place);
}

static void read_index(struct storage *st, struct driver *d)
{
	const json_t *value;
	size_t i;

	d->has_index = true;
	if (d->kept >= 0)
		d->index = state_json(st->names, d->kept, "containers.json", NULL);
	json_array_foreach(d->index, i, value)
	{
		const char *id = json_str(value, "id");

		if (!id)
			continue;
		d->entries = grow(d->entries, d->nr, &d->cap, sizeof(*d->entries));
		d->entries[d->nr++] = (struct entry){id, value, i};
	}
	if (d->nr)
		qsort(d->entries, d->nr, sizeof(*d->entries), by_id);
}

static const json_t *find(struct storage *st, struct driver *d, const char *id)
{
	size_t low = 0, high;

	if (!d->has_index)
		read_index(st, d);
	for (high = d->nr; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(d->entries[mid].id, id) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < d->nr && !strcmp(d->entries[low].id, id) ? d->entries[low].value : NULL;
}

static json_t *read_spec(struct storage *st, const struct candidate *c)
{
	char *path = xasprintf("%s/userdata/config.json", c->id);
	json_t *spec = state_json(st->names, c->driver->run, path, NULL);

	if (!spec && c->driver->kept >= 0)
		spec = state_json(st->names, c->driver->kept, path, NULL);
	free(path);
	return spec;
}

static bool is_crio(const json_t *notes)
{
	const char *manager = json_str(notes, "io.container.manager");

	return manager ? !strcmp(manager, "cri-o") : !!json_str(notes, "io.kubernetes.cri-o.Name");
}

static void set(char text[NAMES_LINE_MAX + 1], const char *value)
{
	if (value)
		memcpy(text, value, strnlen(value, NAMES_LINE_MAX));
}

static void set_crio(struct storage_message *m, const json_t *notes)
{
	const char *name = json_str(notes, "io.kubernetes.cri-o.Name");
	const char *kind = json_str(notes, "io.kubernetes.cri-o.ContainerType");

	m->crio = 1;
	if (name && *name) {
		memset(m->name, 0, sizeof(m->name));
		set(m->name, name);
	}
	set(m->pod, json_str(notes, "io.kubernetes.pod.name"));
	set(m->pod_namespace, json_str(notes, "io.kubernetes.pod.namespace"));
	/* The sandbox's says just POD. */
	if (!kind || strcmp(kind, "sandbox"))
		set(m->container, json_str(notes, "io.kubernetes.container.name"));
	set(m->image, json_str(notes, "io.kubernetes.cri-o.ImageName"));
}

static void set_image(struct storage_message *m, const json_t *entry)
{
	const char *text = json_str(entry, "metadata");
	json_t *metadata = text ? json_loads(text, JSON_ALLOW_NUL, NULL) : NULL;

	set(m->image, json_str(metadata, "image-name"));
	json_decref(metadata);
}

/* @in_crios: the kernel says that CRI-O runs it. */
static void put_facts(struct storage *st, size_t number, bool in_crios)
{
	const struct candidate *c = &st->candidates[number];
	struct storage_message m = {.kind = STORAGE_FACTS, .number = (uint32_t)number};
	const json_t *entry = find(st, c->driver, c->id);
	/* Podman's annotations may be an image's, whose maker is nobody to say so. */
	json_t *spec = in_crios ? read_spec(st, c) : NULL;
	const json_t *notes = json_object_get(spec, "annotations");

	set(m.name, json_string_value(json_array_get(json_object_get(entry, "names"), 0)));
	if (is_crio(notes))
		set_crio(&m, notes);
	else
		set_image(&m, entry);
	json_decref(spec);
	put(st, &m);
}

static void put_candidate(struct storage *st, struct driver *d, const char *id)
{
	struct storage_message m = {.kind = STORAGE_CANDIDATE, .number = (uint32_t)st->nr};
	char *path = xasprintf("%s/userdata/pidfile", id);

	m.init = state_pid(st->names, d->run, path, &m.written);
	free(path);
	if (!m.init)
		return;
	st->candidates = grow(st->candidates, st->nr, &st->cap, sizeof(*st->candidates));
	st->candidates[st->nr++] = (struct candidate){d, xstrdup(id)};
	memcpy(m.id, id, strnlen(id, NAME_MAX));
	put(st, &m);
}

static void put_driver(struct storage *st, struct driver *d)
{
	struct list ids;
	size_t i;

	state_list(d->run, &ids);
	for (i = 0; i < ids.nr && st->nr < st->max; i++)
		put_candidate(st, d, ids.names[i]);
	st->over |= ids.over || i < ids.nr;
	list_free(&ids);
}

/* Changes with each list of names: a new one is another file. */
static uint64_t mix(uint64_t state, const struct driver *d)
{
	struct stat st;
	size_t i;

	if (d->kept < 0 || fstatat(d->kept, "containers.json", &st, AT_SYMLINK_NOFOLLOW))
		return state * 31 + 1;
	const uint64_t parts[] = {(uint64_t)st.st_ino,	       (uint64_t)st.st_size,
				  (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec,
				  (uint64_t)st.st_ctim.tv_sec, (uint64_t)st.st_ctim.tv_nsec};

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		state = (state ^ parts[i]) * 0x9e3779b97f4a7c15ull;
	return state;
}

static int place_beneath(int base, const char *path)
{
	int fd = base < 0 ? -1 : state_place_beneath(base, path);

	if (base >= 0)
		close(base);
	return fd;
}

/* None of them is listed, so that a helper need not be able to. */
static void open_places(struct names *n, const struct owner *o, int *run, int *kept)
{
	char *path = xasprintf("run/user/%u", (unsigned int)o->user);
	int base;

	if (!o->user) {
		*run = state_place(n, RUN_PLACE);
		*kept = state_place(n, KEPT_PLACE);
	} else {
		base = state_place(n, path);
		watch_dir(n->watch, base);
		*run = place_beneath(base, USER_RUN_PLACE);
		base = *run < 0 || !o->home ? -1 : state_place(n, o->home);
		*kept = place_beneath(base, USER_KEPT_PLACE);
	}
	watch_dir(n->watch, *run);
	free(path);
}

size_t storage_places(struct names *n, const struct owner *o, int dirs[HELPER_PLACES])
{
	int places[2];
	size_t nr = 0, i;

	open_places(n, o, &places[0], &places[1]);
	for (i = 0; i < 2 * DRIVERS; i++) {
		int place = places[i / DRIVERS];

		dirs[nr] =
			place < 0 ? -1 : state_place_beneath(place, storage_drivers[i % DRIVERS]);
		nr += dirs[nr] >= 0;
	}
	for (i = 0; i < 2; i++)
		if (places[i] >= 0)
			close(places[i]);
	return nr;
}

static void put_list(struct storage *st)
{
	struct storage_message m = {.kind = STORAGE_LISTED};
	int run, kept;
	size_t i;

	open_places(st->names, st->owner, &run, &kept);
	for (i = 0; i < DRIVERS; i++) {
		struct driver *d = &st->drivers[i];

		d->run = run < 0 ? -1 : state_dir_beneath(st->names, run, storage_drivers[i]);
		d->kept =
			d->run < 0 || kept < 0 ? -1 : state_look_beneath(kept, storage_drivers[i]);
		if (d->run < 0)
			continue;
		put_driver(st, d);
		m.state = mix(m.state, d);
	}
	m.over = st->over;
	put(st, &m);
}

void storage_read(struct names *n, const struct owner *o)
{
	struct storage st = {.names = n, .owner = o, .max = o->user ? USER_MAX : ENTRIES_MAX};
	struct storage_message done = {.kind = STORAGE_DONE};
	struct storage_wanted wanted;
	size_t i;

	n->unsettled = false;
	n->bytes = o->user ? USER_BYTES : UINT64_MAX;
	put_list(&st);
	if (recv(n->helper, &wanted, sizeof(wanted), 0) != (ssize_t)sizeof(wanted))
		return;
	for (i = 0; i < st.nr; i++)
		if (storage_has_bit(&wanted.facts, i))
			put_facts(&st, i, storage_has_bit(&wanted.crio, i));
	done.unsettled = n->unsettled;
	done.over = !n->bytes;
	put(&st, &done);
}
