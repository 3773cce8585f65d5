/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names-facts.h"
#include "names-nspawn.h"
#include "base/util.h"

/* What systemd-machined knows: a file for each machine, and links to these by unit. */
#define PLACE "run/systemd/machines"

static void probe(struct scan *s, int dir, const char *file)
{
	struct found f = {.id = file, .name = file, .runtime = "machine"};
	struct facts m;

	/* Virtual machines have no tasks here but their emulator's. */
	if (facts_read(s->names, FACTS_MACHINE, dir, file, &f.written, &m) || !m.has_name)
		return;
	/* Whatever the helper was made to send. */
	if (m.init <= 0 || m.init > INT32_MAX || m.user >= UID_UNKNOWN)
		return;
	f.init = (pid_t)m.init;
	f.unit = facts_text(m.unit);
	f.user = (uid_t)m.user;
	if (*m.name)
		f.id = f.name = m.name;
	if (*m.runtime)
		f.runtime = strcmp(m.runtime, "systemd-nspawn") ? m.runtime : "nspawn";
	if (scan_still_of(s, f.user, f.runtime, f.id, f.name, f.init))
		return;
	/* A user may register others all the time. */
	if (f.user && scan_would(s, &f) && !user_may_tell(s->names, f.user)) {
		s->pending = true;
		return;
	}
	scan_found(s, &f);
}

void names_machines(struct scan *s)
{
	int dir = state_dir(s->names, PLACE);
	struct list files;
	size_t i;

	if (dir >= 0) {
		state_list(dir, &files);
		/* unit:NAME are links. */
		for (i = 0; i < files.nr; i++)
			if (strncmp(files.names[i], "unit:", 5))
				probe(s, dir, files.names[i]);
		list_free(&files);
		close(dir);
	}
	names_nspawn(s);
}
