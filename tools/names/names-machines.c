/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names-int.h"
#include "names-nspawn.h"
#include "base/util.h"

/* What systemd-machined knows: a file for each machine, and links to these by unit. */
#define PLACE "run/systemd/machines"

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

struct machine {
	char *name, *service, *class, *unit;
	pid_t leader;
	uid_t user;
};

static void parse(struct machine *m, char *text)
{
	char *line, *save = NULL;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *value = strchr(line, '=');

		if (!value)
			continue;
		*value++ = '\0';
		value = unescape(value);
		if (!strcmp(line, "NAME"))
			m->name = value;
		else if (!strcmp(line, "SERVICE"))
			m->service = value;
		else if (!strcmp(line, "CLASS"))
			m->class = value;
		else if (!strcmp(line, "SCOPE") || !strcmp(line, "UNIT"))
			m->unit = value;
		else if (!strcmp(line, "LEADER"))
			m->leader = (pid_t)strtol(value, NULL, 10);
		/* Of later versions, which let users register what is theirs. */
		else if (!strcmp(line, "UID"))
			m->user = (uid_t)strtoul(value, NULL, 10);
	}
}

static void probe(struct scan *s, int dir, const char *file)
{
	struct found f = {.id = file, .name = file};
	struct machine m = {0};
	char *text;

	text = state_read(s->names, dir, file, &f.written, NULL);
	if (!text)
		return;
	parse(&m, text);
	/* Virtual machines have no tasks here but their emulator's. */
	if (!m.class || strcmp(m.class, "container"))
		goto out;
	f.init = m.leader;
	f.unit = m.unit;
	f.user = m.user;
	if (m.name && *m.name)
		f.id = f.name = m.name;
	f.runtime = "machine";
	if (m.service && *m.service)
		f.runtime = strcmp(m.service, "systemd-nspawn") ? m.service : "nspawn";
	if (!scan_still_of(s, f.user, f.runtime, f.id, f.name, f.init))
		scan_found(s, &f);
out:
	free(text);
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
