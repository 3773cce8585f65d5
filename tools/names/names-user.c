/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/cgroup-path.h"
#include "names-int.h"
#include "base/util.h"

/* What a user may call his own: the ids that subuid(5) gives him. */
struct range {
	uint64_t first, count;
};

/* Whose files no group may read. */
#define NOBODY 65534

struct user_ids {
	uid_t user;
	struct range *ranges;
	size_t nr, cap;
};

/* A number and nothing else. */
static bool number(const char *s, uint64_t *n)
{
	char *end;

	*n = s && isdigit((unsigned char)*s) ? strtoull(s, &end, 10) : 0;
	return s && isdigit((unsigned char)*s) && !*end && *n <= UINT32_MAX;
}

/* Cuts a line at its colons; missing fields are NULL. */
static void split(char *line, char **fields, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		fields[i] = strsep(&line, ":");
}

static char *read_etc(struct names *n, const char *name)
{
	int etc = state_look(n, "etc");
	char *text = etc < 0 ? NULL : state_read(n, etc, name, NULL, NULL);

	if (etc >= 0)
		close(etc);
	return text;
}

/* A field of the user's line in /etc/passwd, or NULL. The caller frees it. */
static char *passwd_field(struct names *n, uid_t user, size_t which)
{
	char *text = read_etc(n, "passwd"), *line, *save = NULL, *found = NULL;
	char *fields[6];
	uint64_t uid;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line && !found;
	     line = strtok_r(NULL, "\n", &save)) {
		split(line, fields, ARRAY_SIZE(fields));
		if (fields[5] && number(fields[2], &uid) && uid == user)
			found = xstrdup(fields[which]);
	}
	free(text);
	return found;
}

char *user_home(struct names *n, uid_t user)
{
	char *home = passwd_field(n, user, 5);

	if (home && (*home != '/' || !home[1])) {
		free(home);
		return NULL;
	}
	if (home)
		memmove(home, home + 1, strlen(home));
	return home;
}

gid_t user_group(struct names *n, uid_t user)
{
	char *text = passwd_field(n, user, 3);
	uint64_t group;

	if (!number(text, &group) || group == UINT32_MAX)
		group = NOBODY;
	free(text);
	return (gid_t)group;
}

static void read_ranges(struct names *n, struct user_ids *ids)
{
	char *name = passwd_field(n, ids->user, 0), *text = read_etc(n, "subuid"), *line;
	char *save = NULL, *fields[3];
	uint64_t uid;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		struct range r;

		split(line, fields, ARRAY_SIZE(fields));
		if (!number(fields[1], &r.first) || !number(fields[2], &r.count))
			continue;
		if (!(name && !strcmp(fields[0], name)) &&
		    !(number(fields[0], &uid) && uid == ids->user))
			continue;
		ids->ranges = grow(ids->ranges, ids->nr, &ids->cap, sizeof(*ids->ranges));
		ids->ranges[ids->nr++] = r;
	}
	free(text);
	free(name);
}

static const struct user_ids *ids_of(struct names *n, uid_t user)
{
	struct user_ids *ids = n->user_ids;

	if (ids && ids->user == user)
		return ids;
	user_forget(n);
	ids = xcalloc(1, sizeof(*ids));
	ids->user = user;
	read_ranges(n, ids);
	n->user_ids = ids;
	return ids;
}

void user_forget(struct names *n)
{
	if (n->user_ids)
		free(n->user_ids->ranges);
	free(n->user_ids);
	n->user_ids = NULL;
}

static bool has_id(struct names *n, uid_t user, uid_t uid)
{
	const struct user_ids *ids;
	size_t i;

	if (uid == user)
		return true;
	ids = ids_of(n, user);
	for (i = 0; i < ids->nr; i++)
		if (uid >= ids->ranges[i].first &&
		    uid - ids->ranges[i].first < ids->ranges[i].count)
			return true;
	return false;
}

bool user_has_process(struct names *n, uid_t user, const struct process *p)
{
	uint32_t whose;
	size_t slice = cgroup_user_slice(p->cgroup, &whose);

	return p->uid != UID_UNKNOWN && slice && p->cgroup[slice] && whose == user &&
	       has_id(n, user, p->uid);
}
