/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names-facts.h"
#include "base/util.h"

/* Runtimes that keep a directory for each container, with its state as JSON. */
struct oci {
	const char *runtime, *place, *file;
	enum facts_of what;
};

/* Whether podman or CRI-O made it, whose name for it is better. */
static bool has_manager(struct scan *s, const char *id)
{
	return strlen(id) == 64 && storage_has(s, id);
}

/* To read what its manager has told in this scan, again and again, would cost a process each time.
 */
static bool is_told(struct scan *s, const struct oci *o, const char *id)
{
	return scan_has(s, "podman", id) || scan_has(s, "crio", id) ||
	       scan_still(s, o->runtime, id, id, 0);
}

static void probe(struct scan *s, const struct oci *o, int dir, const char *id)
{
	char *path = xasprintf("%s/%s", id, o->file);
	struct found f = {.runtime = o->runtime, .id = id, .name = id};
	struct facts facts;

	if (is_told(s, o, id))
		goto out;
	if (facts_read(s->names, o->what, dir, path, &f.written, &facts) || facts.init <= 0 ||
	    facts.init > INT32_MAX) {
		state_watch(s->names, dir, id);
		goto out;
	}
	f.init = (pid_t)facts.init;
	f.start = facts.start > 0 ? (uint64_t)facts.start : 0;
	if (!scan_claimed(s, f.init) && !(has_manager(s, id) && scan_defer(s, f.init)))
		scan_found(s, &f);
out:
	free(path);
}

static void probe_all(struct scan *s, const struct oci *o)
{
	int dir = state_dir(s->names, o->place);
	struct list ids;
	size_t i;

	if (dir < 0)
		return;
	state_list(dir, &ids);
	for (i = 0; i < ids.nr; i++)
		probe(s, o, dir, ids.names[i]);
	list_free(&ids);
	close(dir);
}

void names_runc(struct scan *s)
{
	static const struct oci runc = {"runc", "run/runc", "state.json", FACTS_RUNC};

	probe_all(s, &runc);
}

void names_crun(struct scan *s)
{
	static const struct oci crun = {"crun", "run/crun", "status", FACTS_CRUN};

	probe_all(s, &crun);
}
